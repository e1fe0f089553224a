"""The tests. NumPy, which any of them may import, does its algebra in one thread: there is a worker
for each core, and threads beside them would only wait for each other. NumPy reads this once, when
it is first imported, and so do the programs that tests start.
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
