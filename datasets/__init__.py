"""Everything that training and measuring need and the product does not: rendered scenes and filmed
games, loaders of labelled photographs, benchmarks and the load test.
"""
