"""What the application does with the store: hands, matches, photographs and their reading."""
