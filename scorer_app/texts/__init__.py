"""The texts people read, in Spanish, English and Italian, from one catalogue."""
