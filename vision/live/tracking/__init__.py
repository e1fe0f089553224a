"""Which tiles lie where, over many frames: what several looks agree on is confirmed."""
