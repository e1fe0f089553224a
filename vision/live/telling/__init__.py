"""What the live referee reports: events as codes, for others to put into words."""
