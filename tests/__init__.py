"""The tests. NumPy, which any of them may import, does its algebra in one thread: there is a worker
for each core, and threads beside them would only wait for each other. NumPy reads this once, when
it is first imported, and so do the programs that tests start.

Those programs, hundreds of them, would each compile the same modules anew where the environment
says that Python keeps none compiled.
"""

import os
import sys

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
