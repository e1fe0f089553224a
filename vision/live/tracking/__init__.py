"""Which tiles lie where, over many frames: single looks are compared, agreed on, and confirmed."""
