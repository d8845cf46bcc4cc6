"""What hsctl relies on in numba, name by name: a release that changes a part of it fails here, and says which."""

import ast
import dis
import importlib
import inspect
from collections.abc import Iterator
from pathlib import Path
from types import FunctionType
from typing import Any

import numba
import pytest

from engine.compile import numba_parts
from engine.compile.sources import ROOT

# Functions and methods that hsctl calls or overrides, with their arguments.
SIGNATURES = {
    "numba.core.caching.CompileResultCacheImpl.get_filename_base": "self fullname abiflags",
    "numba.core.caching.CompileResultCacheImpl.reduce": "self cres",
    "numba.core.caching.CompileResultCacheImpl.rebuild": "self target_context payload",
    "numba.core.caching.FunctionCache.__init__": "self py_func",
    "numba.core.caching.FunctionCache._guard_against_spurious_io_errors": "self",
    "numba.core.caching.FunctionCache._load_overload": "self sig target_context",
    "numba.core.caching.FunctionCache.flush": "self",
    "numba.core.caching.FunctionCache.load_overload": "self sig target_context",
    "numba.core.caching.FunctionCache.save_overload": "self sig data",
    "numba.core.caching.UserProvidedCacheLocator.__init__": "self py_func py_file",
    "numba.core.caching.UserProvidedCacheLocator.from_function": "py_func py_file",
    "numba.core.caching.UserProvidedCacheLocator.get_disambiguator": "self",
    "numba.core.caching.UserProvidedCacheLocator.get_source_stamp": "self",
    "numba.core.cgutils.alloca_once": "builder ty size name zfill",
    "numba.core.cgutils.get_or_insert_function": "module fnty name",
    "numba.core.cgutils.pack_array": "builder values ty",
    "numba.core.codegen.JITCodeLibrary.__init__": "self codegen name",
    "numba.core.codegen.JITCodeLibrary._ensure_finalized": "self",
    "numba.core.codegen.JITCodeLibrary._finalize_dynamic_globals": "self",
    "numba.core.codegen.JITCodeLibrary._finalize_final_module": "self",
    "numba.core.codegen.JITCodeLibrary._get_module_for_linking": "self",
    "numba.core.codegen.JITCodeLibrary._optimize_final_module": "self",
    "numba.core.codegen.JITCodeLibrary._set_compiled_object": "self value",
    "numba.core.codegen.JITCodeLibrary.enable_object_caching": "self",
    "numba.core.codegen.JITCodeLibrary.get_pointer_to_function": "self name",
    "numba.core.codegen.JITCodeLibrary.serialize_using_object_code": "self",
    "numba.core.codegen.get_host_cpu_features": "",
    "numba.core.compiler.CompileResult._reduce": "self",
    "numba.core.compiler.Compiler.compile_extra": "self func",
    "numba.core.event.Listener.on_end": "self event",
    "numba.core.event.Listener.on_start": "self event",
    "numba.core.event.install_listener": "kind listener",
    "numba.core.imputils.impl_ret_borrowed": "ctx builder retty ret",
    "numba.core.registry.CPUDispatcher.__init__": "self py_func locals targetoptions pipeline_class",
    "numba.core.registry.CPUDispatcher.compile": "self sig",
    "numba.core.registry.CPUDispatcher.get_call_template": "self args kws",
    "numba.core.runtime.nrt.rtsys.initialize": "ctx",
    "numba.core.sigutils.normalize_signature": "sig",
    "numba.core.types.unliteral": "lit_type",
}
# Attributes that instances have once they are made.
ATTRIBUTES = {
    "numba.core.caching.FunctionCache": "_cache_file _impl _py_func",
    "numba.core.caching.IndexDataCacheFile": "_index_path",
    "numba.core.caching.UserProvidedCacheLocator": "_cache_path",
    "numba.core.codegen.JITCPUCodegen": "_engine",
    "numba.core.codegen.JITCodeLibrary": "_codegen _final_module _finalized _shared_module name",
    "numba.core.compiler.Compiler": "state",
    "numba.core.registry.CPUDispatcher": "_cache overloads py_func targetoptions",
}
# Names that must be there: classes, fields, options.
NAMES = [
    "numba.config.CACHE_DIR",
    "numba.config.CPU_FEATURES",
    "numba.config.CPU_NAME",
    "numba.core.caching.CompileResultCacheImpl._locator_classes",
    "numba.core.caching.FunctionCache._impl_class",
    "numba.core.codegen.CodeLibrary",
    "numba.core.codegen.JitEngine.get_function_address",
    "numba.core.compiler.CompilerBase",
    "numba.core.compiler_lock.global_compiler_lock",
    "numba.core.config._config_fname",
    "numba.core.cpu.CPUContext.get_executable",
    "numba.core.event.Event.data",
    "numba.core.options.DefaultOptions._nrt",
    "numba.core.options.DefaultOptions.forceinline",
    "numba.core.options.DefaultOptions.no_cfunc_wrapper",
    "numba.core.options.DefaultOptions.no_cpython_wrapper",
    "numba.core.options.DefaultOptions.nogil",
    "numba.np.arraymath",
]
RESULT = (
    "typing_context target_context entry_point typing_error type_annotation signature objectmode lifted fndesc library "
    "call_helper environment metadata reload_init referenced_envs"
)


def find(name: str) -> Any:
    """What a dotted name refers to; AttributeError if there is no such thing."""
    parts = name.split(".")
    for count in range(len(parts), 0, -1):
        try:
            found = importlib.import_module(".".join(parts[:count]))
        except ModuleNotFoundError:
            continue
        for part in parts[count:]:
            found = getattr(found, part)
        return found
    raise AttributeError(name)


def attributes_of(cls: type) -> set[str]:
    """What the methods of a class and of those it inherits from set on `self`; slots and properties count as well."""
    found = set(dir(cls))
    for base in cls.__mro__:
        for method in vars(base).values():
            if isinstance(method, FunctionType):
                found |= {step.argval for step in dis.get_instructions(method) if step.opname == "STORE_ATTR"}
    return found


def changes() -> Iterator[str]:
    """Each thing that isn't as hsctl needs it, with its name."""
    for name, wanted in SIGNATURES.items():
        try:
            arguments = list(inspect.signature(find(name)).parameters)
        except AttributeError:
            yield f"{name}: gone"
            continue
        if arguments != wanted.split():
            yield f"{name}: takes {' '.join(arguments)!r}, hsctl needs {wanted!r}"
    for name, attributes in ATTRIBUTES.items():
        try:
            missing = set(attributes.split()) - attributes_of(find(name))
        except AttributeError:
            yield f"{name}: gone"
            continue
        yield from (f"{name}.{attribute}: gone" for attribute in sorted(missing))
    for name in NAMES:
        try:
            find(name)
        except AttributeError:
            yield f"{name}: gone"


def test_numba_has_what_hsctl_relies_on() -> None:
    assert list(changes()) == [], f"numba {numba.__version__}"


def test_a_compile_result_has_the_fields_that_are_read_back() -> None:
    assert " ".join(numba_parts.CompileResult._fields) == RESULT
    source = inspect.getsource(numba_parts.CompileResult._reduce)
    returned = ast.unparse(next(node for node in ast.walk(ast.parse(source.lstrip())) if isinstance(node, ast.Return)))
    assert returned == (
        "return (libdata, self.fndesc, self.environment, self.signature, self.objectmode, self.lifted, typeann, "
        "self.reload_init, tuple(referenced_envs))"
    )


@pytest.mark.parametrize(
    ("owner", "name"),
    [
        ("numba.core.codegen.JITCodeLibrary", "_finalize_dynamic_globals"),
        ("numba.core.sigutils", "normalize_signature"),
        ("numba.core.config", "_config_fname"),
    ],
)
def test_what_is_gone_is_named(monkeypatch: pytest.MonkeyPatch, owner: str, name: str) -> None:
    holder = find(owner)
    for base in getattr(holder, "__mro__", [holder]):
        if name in vars(base):
            monkeypatch.delattr(base, name)
    assert list(changes()) == [f"{owner}.{name}: gone"]


def test_what_takes_other_arguments_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("numba.core.sigutils.normalize_signature", lambda sig, context: sig)
    [line] = changes()
    assert line == "numba.core.sigutils.normalize_signature: takes 'sig context', hsctl needs 'sig'"


def imports_of_numba(path: Path) -> bool:
    source = path.read_bytes()
    for node in ast.walk(ast.parse(source)) if b"numba" in source else ():
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        if any(name.split(".")[0] == "numba" for name in names):
            return True
    return False


def test_one_module_imports_numba() -> None:
    files = [path for package in ("engine", "search", "replays", "hsctl") for path in (ROOT / package).rglob("*.py")]
    found = {path.relative_to(ROOT).as_posix() for path in files if imports_of_numba(path)}
    assert found == {"engine/compile/numba_parts.py"}


def test_all_that_is_imported_is_listed() -> None:
    """A part that is added to the module must be added to the lists above."""
    documented = {"cfunc", "intrinsic", "types", "SETTINGS"}
    listed = {part for name in [*SIGNATURES, *ATTRIBUTES, *NAMES] for part in name.split(".")}
    assert set(numba_parts.__all__) - documented - listed == set()
