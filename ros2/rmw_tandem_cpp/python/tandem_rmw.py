"""Lets RMW_IMPLEMENTATION=rmw_tandem_cpp choose Tandem in an environment of ROS 2's wheels.

rcl of the wheels is linked to one RMW. A library that is loaded before it, for all to see, is where its calls of rmw.h
are found instead. Python imports this as it starts, by tandem_rmw.pth, after the wheels' own .pth has set
LD_LIBRARY_PATH.
"""

import os
import sys

if os.environ.get('RMW_IMPLEMENTATION') == 'rmw_tandem_cpp':
    import ctypes
    try:
        ctypes.CDLL(os.path.join(sys.prefix, 'lib', 'librmw_tandem_cpp.so'), os.RTLD_NOW | os.RTLD_GLOBAL)
    except OSError as error:
        sys.stderr.write(f'RMW_IMPLEMENTATION=rmw_tandem_cpp cannot be loaded: {error}; build the package '
                         'for this environment again, or unset the variable\n')
        sys.stderr.flush()
        os._exit(1)  # an exception would leave the program with another RMW
