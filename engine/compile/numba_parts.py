"""The parts of numba that hsctl uses. No other module imports numba, because numba must be set up first.

numba documents `cfunc`, `intrinsic` and `types`. The other parts are internal and may change with any release, as may
the methods that our subclasses override (in `engine.jit`, `engine.compile.library` and `engine.compile.files`).
tests/engine/compile/test_numba_parts.py lists them all and names those that a release changes.
"""

import os
import sys
import warnings
from typing import Any

from engine.compile.cache import CACHE

os.environ["NUMBA_CACHE_DIR"] = str(CACHE)  # read by numba at its import, hence before it

# numba takes settings from .numba_config.yaml in the current folder, and with them the names of files to overwrite. It
# reads that file by yaml, and warns without.
YAML = sys.modules.get("yaml")
sys.modules["yaml"] = None  # type: ignore[assignment]
with warnings.catch_warnings(action="ignore"):
    import numba.core.config
if YAML is None:
    del sys.modules["yaml"]
else:
    sys.modules["yaml"] = YAML
numba.core.config._config_fname = ""  # read again before functions are compiled

# Where scipy is installed, numba loads all of its linear algebra with the first kernel (0.2 s), for functions that
# no kernel uses. This one import decides it.
BLAS = "scipy.linalg.cython_blas"
if BLAS not in sys.modules:
    sys.modules[BLAS] = None  # type: ignore[assignment]
    import numba.np.arraymath

    del sys.modules[BLAS]
import numba  # noqa: E402
from numba import cfunc, types  # noqa: E402
from numba.core import cgutils  # noqa: E402
from numba.core.caching import CompileResultCacheImpl, FunctionCache, UserProvidedCacheLocator  # noqa: E402
from numba.core.codegen import CodeLibrary, JITCodeLibrary, get_host_cpu_features  # noqa: E402
from numba.core.compiler import Compiler, CompilerBase, CompileResult  # noqa: E402
from numba.core.compiler_lock import global_compiler_lock  # noqa: E402
from numba.core.event import Event, Listener, install_listener  # noqa: E402
from numba.core.imputils import impl_ret_borrowed  # noqa: E402
from numba.core.registry import CPUDispatcher  # noqa: E402
from numba.core.runtime.nrt import rtsys  # noqa: E402
from numba.core.sigutils import normalize_signature  # noqa: E402
from numba.core.types import unliteral  # noqa: E402
from numba.extending import intrinsic  # noqa: E402

SETTINGS: Any = numba.config
SETTINGS.CACHE_DIR = str(CACHE)  # in case somebody imported numba before us

__all__ = [
    "SETTINGS",
    "CPUDispatcher",
    "CodeLibrary",
    "CompileResult",
    "CompileResultCacheImpl",
    "Compiler",
    "CompilerBase",
    "Event",
    "FunctionCache",
    "JITCodeLibrary",
    "Listener",
    "UserProvidedCacheLocator",
    "cfunc",
    "cgutils",
    "get_host_cpu_features",
    "global_compiler_lock",
    "impl_ret_borrowed",
    "install_listener",
    "intrinsic",
    "normalize_signature",
    "rtsys",
    "types",
    "unliteral",
]
