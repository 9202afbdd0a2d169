"""parameters.py: writes sugeno/_parameters.py, the keywords of SugenoRegressor, from the options table of the library that is found.

    SUGENO_LIBRARY=build/release/libsugeno.so PYTHONPATH=python python3 python/parameters.py

A test looks that the file is up to date."""
import textwrap
from pathlib import Path

from sugeno._library import choices_of, options_table

FLAG, INTEGER, REAL, COUNTS, CHOICE, TEXT, SIZE = range(7)
TYPES = {FLAG: "Union[bool, str, None]", INTEGER: "Optional[int]", REAL: "Union[float, str, None]",
         COUNTS: "Union[int, str, Sequence[int], None]", CHOICE: "Optional[str]", TEXT: "Union[str, Sequence[str], None]",
         SIZE: "Union[int, str, None]"}
HEAD = '''"""The keywords of SugenoRegressor. Made by python/parameters.py of the library's table of options: change that."""
from __future__ import annotations

from typing import Any, Callable, Optional, Sequence, Union


class Parameters:
    def __init__(
        self,
        *,
'''
OWN = [("random_state", "Any", "another name of `seed`: a number, or a RandomState or Generator to draw it from; None: `seed` counts"),
       ("verbose", "Union[bool, int]", "1: a progress bar (tqdm's where it is installed), and what the library says; False: neither"),
       ("callbacks", "Union[Callable[[Any], Any], Sequence[Callable[[Any], Any]], None]",
        "one, or several: called with a `Progress` while it trains; what is true ends the training, and the best model so far is kept")]
DEFAULTS = {"preset": '"auto"', "verbose": "False"}


def parameters():
    for option in options_table():
        name, help_text = option.name.decode().replace("-", "_"), option.help.decode()
        fallback = option.fallback.decode()
        if option.type == CHOICE and name != "preset":
            help_text += f" ({', '.join(choices_of(option))})"
        if fallback:
            help_text += f"; default {fallback}"
        yield name, TYPES[FLAG if option.type == CHOICE and choices_of(option) == ["yes", "no"] else option.type], help_text
    yield from OWN


def text():
    rows = list(parameters())
    lines = [HEAD]
    lines += [f"        {name}: {kind} = {DEFAULTS.get(name, 'None')},\n" for name, kind, _ in rows]
    lines.append('    ) -> None:\n        """What is None is left to the preset, and under `auto` to its search.\n\n')
    for name, _, help_text in rows:
        wrapped = textwrap.wrap(help_text, 110, break_long_words=False)
        lines.append(f"        {name}:\n" + "".join(f"            {line}\n" for line in wrapped))
    lines.append('        """\n')
    lines += [f"        self.{name} = {name}\n" for name, _, _ in rows]
    lines.append('\n\nParameters.__init__.__qualname__ = "SugenoRegressor.__init__"  # for sentences about wrong keywords\n')
    return "".join(lines)


PATH = Path(__file__).parent / "sugeno" / "_parameters.py"
if __name__ == "__main__":
    PATH.write_text(text())
