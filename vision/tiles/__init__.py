"""What only photographs of tiles need: `pipeline` runs the stages of a reading in order, and the
other modules are the stages that cards do not share.
"""
