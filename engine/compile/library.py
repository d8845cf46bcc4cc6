"""Kernels that only kernels call, compiled to LLVM bitcode for their callers to link; they can't run by themselves.

numba optimises every function with all that it calls and makes machine code of it, then does the same once more in
each caller. Only an entry's machine code ever runs. So kernels stop at bitcode.

From the cache, hsctl loads only an entry's machine code. It reads the bitcode when another kernel calls the entry.
"""

from collections.abc import Callable
from typing import Any

from llvmlite import binding

from engine.compile.numba_parts import CodeLibrary, Compiler, CompileResult, JITCodeLibrary


class KernelLibrary(JITCodeLibrary):
    """A function and all that it calls, linked but neither optimised as a whole nor emitted."""

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        """Allow any number of callers to link it (`linkonce_odr`: all copies are equal)."""
        self._finalize_dynamic_globals()  # type: ignore[no-untyped-call]
        for function in self._final_module.functions:
            if not function.is_declaration and function.linkage == binding.Linkage.external:
                function.linkage = binding.Linkage.linkonce_odr
        self._shared_module = self._final_module
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        self._ensure_finalized()  # type: ignore[no-untyped-call]
        return 0

    @property
    def codegen(self) -> "KernelLibrary":
        """Replaces numba's, which would look for the function among those that can run."""
        return self

    def set_env(self, name: str, environment: Any) -> None:
        """Kernels hold no Python objects."""

    def serialize_using_object_code(self) -> tuple[str, bytes]:
        self._ensure_finalized()  # type: ignore[no-untyped-call]
        return self.name, self._final_module.as_bitcode()


class EntryLibrary(JITCodeLibrary):
    """An entry from the cache."""

    _bitcode: bytes

    def get_pointer_to_function(self, name: str) -> int:
        """Ask for the machine code; numba would look the name up in the bitcode first."""
        return int(self._codegen._engine.get_function_address(name))

    def _get_module_for_linking(self) -> Any:
        if self._shared_module is None:
            self._shared_module = binding.parse_bitcode(self._bitcode)
        return self._shared_module


def load_kernel(codegen: Any, data: tuple[str, bytes]) -> KernelLibrary:
    name, bitcode = data
    library = KernelLibrary(codegen, name)  # type: ignore[no-untyped-call]
    library._final_module = binding.parse_bitcode(bitcode)
    library._finalize_final_module()
    return library


def load_entry(codegen: Any, data: tuple[str, str, tuple[bytes, bytes]]) -> EntryLibrary:
    name, _, (machine_code, bitcode) = data
    library = EntryLibrary(codegen, name)  # type: ignore[no-untyped-call]
    library.enable_object_caching()  # type: ignore[no-untyped-call]
    library._set_compiled_object(machine_code)  # type: ignore[no-untyped-call]
    library._bitcode = bitcode
    library._finalize_final_module()  # type: ignore[no-untyped-call]
    return library


class KernelCompiler(Compiler):
    """numba's compiler with the library above."""

    def compile_extra(self, func: Any) -> Any:
        self.state.library = KernelLibrary(self.state.targetctx.codegen(), func.__qualname__)  # type: ignore[no-untyped-call]
        self.state.library.enable_object_caching()
        return super().compile_extra(func)  # type: ignore[no-untyped-call]


def rebuild(load: Callable[[Any, Any], CodeLibrary], target_context: Any, payload: tuple[Any, ...]) -> Any:
    """Rebuild compiled code from the output of `CompileResult._reduce`.

    It lists the environments of all kernels in an entry, hundreds of them. They are for Python objects, and only
    the wrapper that Python calls has any.
    """
    data, fndesc, environment, signature, objectmode, lifted, annotation, *_ = payload
    library = load(target_context.codegen(), data)
    fields: dict[str, Any] = {
        **dict.fromkeys(CompileResult._fields),
        "typing_context": target_context.typing_context,
        "target_context": target_context,
        "entry_point": target_context.get_executable(library, fndesc, environment),
        "type_annotation": annotation,
        "signature": signature,
        "objectmode": objectmode,
        "lifted": lifted,
        "fndesc": fndesc,
        "library": library,
        "environment": environment,
        "reload_init": (),
        "referenced_envs": (),
    }
    return CompileResult(**fields)
