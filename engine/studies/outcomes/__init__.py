"""What a study leaves: rows, the store that they are kept in, the table that is made of them, its files."""
