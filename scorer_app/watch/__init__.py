"""Tables under watch: cameras, commands, pictures, events, and the hand-over to scoring."""
