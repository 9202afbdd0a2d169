"""Formatting of numbers and tables on the generated pages."""


def figures(value):
    """Three significant digits, without an exponent."""
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"


def times(value):
    return "not measured" if value is None else figures(value) + "×"


def table(head, lines):
    return "\n".join([head, "|" + " --- |" * (head.count("|") - 1), *lines])


def line(*cells):
    return "| " + " | ".join(cells) + " |"


def verdict(measured, must, want, less):
    """Status of a target; less: smaller is better. must may be None: then there is only a goal."""
    if measured is None:
        return "–"
    reached = [x is not None and (measured <= x if less else measured >= x) for x in (must, want)]
    return "goal met" if reached[1] else "met" if reached[0] else "goal missed" if must is None else "**missed**"
