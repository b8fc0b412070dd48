"""Arguments that several commands take: values, times, files of meshes."""
