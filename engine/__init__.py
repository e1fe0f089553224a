"""The rules of Burako: tiles, melds, changes on the table, scoring. Standard library only."""
