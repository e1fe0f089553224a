"""Training recipes: they make the networks' ONNX files from rendered scenes and labelled
photographs. They need the extra `train`.
"""
