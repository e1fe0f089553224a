"""Training recipes: renders and labelled photographs in, ONNX files out. Needs the `train`
extra.
"""
