"""The tests.

NumPy and OpenCV, which any of them may import, work in one thread: there is a test worker for each
core, and further threads would only wait for each other. Both libraries read the setting once, when
they are first imported, and so do the programs that tests start.

Python keeps compiled modules even where the environment forbids it: otherwise each of the hundreds
of programs that tests start would compile the same modules anew.
"""

import os
import sys

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OPENCV_FOR_THREADS_NUM", "1")
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
