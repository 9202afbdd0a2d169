"""The ctypes binding of libsugeno: finds the library, declares its structures and functions, and raises its errors as exceptions.

Every call releases the interpreter lock while C runs. A `Handle` frees a C object together with the Python object that owns it."""
from __future__ import annotations

import ctypes
import os
import re
import sys
import weakref
from ctypes import CFUNCTYPE, POINTER, Structure, byref, c_char_p, c_double, c_int, c_size_t, c_uint32, c_uint64, c_void_p
from pathlib import Path
from typing import Any, Callable, Iterator, List, Optional, Sequence, Union

# --- loading ---


def _candidates() -> Iterator[str]:
    """The paths to try: SUGENO_LIBRARY; else the library inside the package, then the one installed on the system."""
    named = os.environ.get("SUGENO_LIBRARY")
    if named:
        yield named
        return
    for folder in sys.modules[__package__].__path__:
        path = Path(folder) / "libsugeno.so"
        if path.exists():
            yield str(path)
    yield "libsugeno.so.0"


def _load() -> ctypes.CDLL:
    reason = ""
    for path in _candidates():
        try:
            return ctypes.CDLL(path)
        except OSError as error:
            reason = str(error)
    raise ImportError(f"libsugeno can't be loaded: {reason}")


# --- structures and functions of sugeno.h ---


class Column(Structure):
    """sg_column"""

    _fields_ = [("name", c_char_p), ("type", c_char_p), ("values", c_void_p), ("stride", c_size_t), ("levels", POINTER(c_char_p))]


class Source(Structure):
    """sg_source"""

    _fields_ = [("self", c_void_p), ("name", c_char_p), ("rows", c_size_t), ("columns", c_size_t), ("names", POINTER(c_char_p)),
                ("read", c_void_p), ("gather", c_void_p), ("level", c_void_p), ("comm", c_void_p), ("local_first", c_size_t),
                ("local_rows", c_size_t), ("slow_gather", c_int), ("weight_column", c_char_p), ("resident_bytes", c_size_t), ("view", c_void_p)]


class Option(Structure):
    """sg_option"""

    _fields_ = [("name", c_char_p), ("type", c_int), ("group", c_int), ("default_value", c_char_p), ("low", c_double), ("high", c_double),
                ("choices", c_char_p), ("choice_at", c_void_p), ("value_name", c_char_p), ("help", c_char_p)]


class Progress(Structure):
    """sg_progress"""

    _fields_ = [("iteration", c_size_t), ("iterations", c_size_t), ("batch_rmse", c_double), ("valid_rmse", c_double),
                ("best_rmse", c_double), ("rate", c_double), ("mean_rate", c_double), ("more", c_int)]


class Metrics(Structure):
    """sg_metrics"""

    _fields_ = [("rows", c_size_t), ("rmse", c_double), ("mae", c_double), ("r2", c_double)]


class CancelToken(Structure):
    """sg_cancel_token"""

    _fields_ = [("cancelled", c_int), ("done", c_size_t), ("planned", c_size_t)]


class Term(Structure):
    """sg_term"""

    _fields_ = [("kind", c_int), ("name", c_char_p), ("block", c_size_t), ("rule", c_size_t), ("input", c_size_t), ("mean", c_double),
                ("part", c_size_t)]


class CurveView(Structure):
    """sg_curve_view"""

    _fields_ = [("input", c_size_t), ("cells", c_size_t), *((name, POINTER(c_double)) for name in
                                                            ("knot", "value", "standard_error", "share", "importance")), ("monotone", c_int)]


class PairView(Structure):
    """sg_pair_view"""

    _fields_ = [("input", c_size_t * 2), ("curve", c_size_t * 2), ("terms", c_size_t * 2), ("cell", POINTER(c_uint32) * 2),
                ("value", POINTER(c_double)), ("importance", POINTER(c_double))]


class Explanation(Structure):
    """sg_explanation"""

    _fields_ = [("prediction", c_double), *((name, POINTER(c_double)) for name in
                                           ("by_input", "by_rule", "firing", "rule_output", "value", "effective_value", "slope"))]


NOTICE = CFUNCTYPE(None, c_void_p, c_char_p)
READ = CFUNCTYPE(c_int, c_void_p, c_size_t, c_size_t, c_void_p)
EXPLAINED = CFUNCTYPE(c_int, c_void_p, c_size_t, POINTER(Explanation))

_size, _pointer = c_size_t, c_void_p
# name: (return type, argument types). c_int is usually an sg_status.
_FUNCTIONS: dict = {
    "sg_version": (c_char_p, []),
    "sg_errmsg": (c_char_p, []),
    "sg_option_table": (POINTER(Option), [POINTER(_size)]),
    "sg_option_choice": (c_char_p, [POINTER(Option), _size, c_char_p, _size]),
    "sg_options_new": (c_int, [POINTER(_pointer)]),
    "sg_options_free": (None, [_pointer]),
    "sg_options_set": (c_int, [_pointer, c_char_p, c_char_p]),
    "sg_options_get": (c_char_p, [_pointer, c_char_p]),
    "sg_options_is_search": (c_int, [_pointer]),
    "sg_options_trains_in_steps": (c_int, [_pointer]),
    "sg_options_on_cancel": (None, [_pointer, _pointer, _pointer]),
    "sg_options_on_notice": (None, [_pointer, NOTICE, _pointer]),
    "sg_frame_new": (c_int, [POINTER(Column), _size, _size, POINTER(_pointer)]),
    "sg_frame_source": (Source, [_pointer]),
    "sg_frame_free": (None, [_pointer]),
    "sg_column_is_identifier": (c_int, [_size, _size]),
    "sg_dataset_open": (c_int, [POINTER(c_char_p), _size, _pointer, POINTER(c_char_p), _size, POINTER(_pointer)]),
    "sg_dataset_open_for_model": (c_int, [POINTER(c_char_p), _size, _pointer, _pointer, c_int, c_char_p, POINTER(_pointer)]),
    "sg_dataset_open_arrow": (c_int, [_pointer, POINTER(Source), _pointer, POINTER(c_char_p), _size, POINTER(_pointer)]),
    "sg_dataset_open_arrow_for_model": (c_int, [_pointer, POINTER(Source), _pointer, _pointer, c_int, c_char_p, POINTER(_pointer)]),
    "sg_dataset_source": (Source, [_pointer]),
    "sg_dataset_free": (None, [_pointer]),
    "sg_subset_split": (c_int, [POINTER(Source), c_uint64, _size, _size, c_int, POINTER(_pointer)]),
    "sg_subset_source": (Source, [_pointer]),
    "sg_subset_free": (None, [_pointer]),
    "sg_train": (c_int, [_pointer, POINTER(Source), POINTER(Source), _pointer, _pointer, POINTER(_pointer)]),
    "sg_trainer_new": (c_int, [_pointer, POINTER(Source), POINTER(Source), POINTER(_pointer)]),
    "sg_trainer_continue": (c_int, [_pointer, _pointer, _pointer, POINTER(Source), POINTER(_pointer)]),
    "sg_model_update": (c_int, [_pointer, _pointer, POINTER(Source), POINTER(_pointer)]),
    "sg_trainer_step": (c_int, [_pointer, POINTER(Progress)]),
    "sg_trainer_progress": (Progress, [_pointer]),
    "sg_trainer_current": (_pointer, [_pointer]),
    "sg_trainer_model": (c_int, [_pointer, POINTER(_pointer)]),
    "sg_trainer_free": (None, [_pointer]),
    "sg_target_count": (c_int, [_pointer, POINTER(Source), POINTER(_size)]),
    "sg_target_name": (c_int, [_pointer, POINTER(Source), _size, POINTER(c_char_p)]),
    "sg_model_finish": (c_int, [_pointer, _pointer, POINTER(Source), POINTER(Source), c_int, _pointer, _pointer]),
    "sg_model_load": (c_int, [c_char_p, POINTER(_pointer)]),
    "sg_model_save": (c_int, [_pointer, c_char_p]),
    "sg_model_to_json": (c_int, [_pointer, POINTER(_pointer)]),
    "sg_model_from_json": (c_int, [c_char_p, _size, c_char_p, POINTER(_pointer)]),
    "sg_model_free": (None, [_pointer]),
    "sg_string_free": (None, [_pointer]),
    "sg_model_inputs": (_size, [_pointer]),
    "sg_model_outputs": (_size, [_pointer]),
    "sg_model_input_name": (c_char_p, [_pointer, _size]),
    "sg_model_output_name": (c_char_p, [_pointer, _size]),
    "sg_model_levels": (_size, [_pointer, _size]),
    "sg_model_level": (c_char_p, [_pointer, _size, _size]),
    "sg_model_blocks": (_size, [_pointer]),
    "sg_model_rules": (_size, [_pointer]),
    "sg_model_reading_cost": (_size, [_pointer]),
    "sg_model_curve": (c_int, [_pointer, _size, POINTER(CurveView)]),
    "sg_model_pair": (c_int, [_pointer, _size, POINTER(PairView)]),
    "sg_model_mean": (c_double, [_pointer, _size]),
    "sg_model_parameters": (_size, [_pointer]),
    "sg_model_theta": (POINTER(c_double), [_pointer]),
    "sg_model_transform_width": (_size, [_pointer]),
    "sg_model_transform": (c_int, [_pointer, _pointer, _size, _pointer]),
    "sg_model_record": (c_int, [_pointer, _size, POINTER(c_char_p), POINTER(c_char_p)]),
    "sg_model_predict_rows": (c_int, [_pointer, POINTER(Source), _size, _pointer]),
    "sg_scorer_new": (c_int, [_pointer, POINTER(Source), c_char_p, _size, POINTER(_pointer)]),
    "sg_scorer_run": (c_int, [_pointer, POINTER(Metrics)]),
    "sg_scorer_free": (None, [_pointer]),
    "sg_model_interval": (c_int, [_pointer, c_double, _pointer, _size, _pointer, _pointer]),
    "sg_model_calibration_rows": (_size, [_pointer]),
    "sg_model_describe_as": (c_int, [_pointer, c_char_p, _size, POINTER(_pointer)]),
    "sg_model_report": (c_int, [_pointer, POINTER(Source), c_char_p, _size, c_char_p]),
    "sg_model_mfs": (_size, [_pointer, _size]),
    "sg_model_membership": (c_int, [_pointer, _size, _size, _pointer, _size, POINTER(_size), _pointer]),
    "sg_model_input_grid": (_size, [_pointer, _size, _size, _pointer]),
    "sg_explainer_new": (c_int, [_pointer, POINTER(_pointer)]),
    "sg_explainer_free": (None, [_pointer]),
    "sg_explainer_terms": (_size, [_pointer, c_int]),
    "sg_explainer_term": (POINTER(Term), [_pointer, c_int, _size]),
    "sg_explainer_source": (c_int, [_pointer, POINTER(Source), _size, _size, EXPLAINED, _pointer]),
    "sg_explainer_text": (c_int, [_pointer, _size, POINTER(_pointer)]),
}


_EXPECTED = "0.1.0"  # the version that the declarations above match


def _declare(library: ctypes.CDLL) -> ctypes.CDLL:
    library.sg_version.restype = c_char_p
    found = library.sg_version().decode()
    if found != _EXPECTED:
        raise ImportError(f"{library._name} is libsugeno {found}, but this package requires {_EXPECTED}")
    for name, (result, arguments) in _FUNCTIONS.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library


lib = _declare(_load())
cancel_token_poll = ctypes.cast(lib.sg_cancel_token_poll, c_void_p)

# --- errors ---

# SG_ENOMEM, SG_EINVAL, SG_EIO, SG_EDATA, SG_EDIVERGED
_ERRORS = {1: MemoryError, 2: ValueError, 3: OSError, 4: ValueError, 5: FloatingPointError}


def failure(status: int) -> Exception:
    """The exception for a status, with the error message of this thread. A diverged training leaves no model here, so the message does not mention one."""
    sentence = (lib.sg_errmsg() or b"").decode("utf-8", "replace")
    return _ERRORS[status](re.sub(r"; the model of iteration \d+ is kept", "", sentence))


def existing_path(path: Union[str, "os.PathLike[str]"]) -> bytes:
    """Encodes the path of a file for C. Raises FileNotFoundError if there is no such file."""
    if not os.path.exists(path):
        raise FileNotFoundError(f"can't read {os.fspath(path)}: No such file or directory")
    return os.fsencode(path)


def check(status: int) -> None:
    if status:
        raise failure(status)


# --- ownership and strings ---


def _release(free: Callable[[c_void_p], None], pointer: c_void_p, keep: Any) -> None:
    free(pointer)


class Handle:
    """A C pointer that is freed with this object. `keep` holds objects that must live as long."""

    def __init__(self, pointer: c_void_p, free: Callable[[c_void_p], None], keep: Any = None):
        self.pointer = pointer
        self._free = weakref.finalize(self, _release, free, pointer, keep)
        self._free.atexit = False  # an abandoned call in another thread may still use it

    @property
    def _as_parameter_(self) -> c_void_p:
        return self.pointer


def new_handle(free: Callable[..., Any], make: Callable[..., int], *arguments: Any, keep: Any = None) -> Handle:
    """Calls make(*arguments, &pointer) and returns the owned pointer."""
    pointer = c_void_p()
    check(make(*arguments, byref(pointer)))
    return Handle(pointer, free, keep)


def read_string(make: Callable[..., int], *arguments: Any) -> str:
    """Calls make(*arguments, &text) and returns the text, after freeing the C copy."""
    handle = new_handle(lib.sg_string_free, make, *arguments)
    return (ctypes.string_at(handle.pointer) or b"").decode("utf-8")


def strings(words: Sequence[str]) -> Any:
    """A NULL-terminated array of UTF-8 strings."""
    return (c_char_p * (len(words) + 1))(*(encoded(w) for w in words), None)


def encoded(text: str) -> bytes:
    """UTF-8. Characters that cannot be encoded become question marks; NUL becomes a blank."""
    return text.encode("utf-8", "replace").replace(b"\0", b" ")


def options_table() -> List[Option]:
    count = c_size_t()
    table = lib.sg_option_table(byref(count))
    return [table[i] for i in range(count.value)]


def choices_of(option: Option) -> List[str]:
    buffer = ctypes.create_string_buffer(64)
    found: List[str] = []
    while True:
        name: Optional[bytes] = lib.sg_option_choice(byref(option), len(found), buffer, len(buffer))
        if name is None:
            return found
        found.append(name.decode())


VERSION: str = lib.sg_version().decode()
__all__ = ["Column", "EXPLAINED", "Explanation", "Handle", "Metrics", "NOTICE", "Progress", "READ", "CancelToken", "CurveView", "PairView", "Source", "VERSION", "check", "choices_of",
           "encoded", "existing_path", "failure", "lib", "new_handle", "options_table", "cancel_token_poll", "strings", "read_string"]
