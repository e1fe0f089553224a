"""Training recipes: they make ONNX files from renders and labelled photographs. They need the extra
`train`.
"""
