"""Jobs on threads of their own, looked after by who started them: analyses, studies, optimisations, trust."""
