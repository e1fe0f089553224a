"""The tests. NumPy and OpenCV, which any of them may import, work in one thread: there is a worker
for each core, and threads beside them would only wait for each other. Both read this once, when
they are first imported, and so do the programs that tests start.

Those programs, hundreds of them, would each compile the same modules anew where the environment
says that Python keeps none compiled.
"""

import os
import sys

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OPENCV_FOR_THREADS_NUM", "1")
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
