"""What a scene is made of: structs and facts of every kind."""
