"""How numbers and tables are written on this project's pages."""


def figures(value):
    """Three of them, without an exponent."""
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"


def times(value):
    return "not measured" if value is None else figures(value) + "×"


def table(head, lines):
    return "\n".join([head, "|" + " --- |" * (head.count("|") - 1), *lines])


def line(*cells):
    return "| " + " | ".join(cells) + " |"


def verdict(measured, must, want, less):
    """Of a target; less: whether less is better. must may be None: then one only wants it."""
    if measured is None:
        return "–"
    reached = [x is not None and (measured <= x if less else measured >= x) for x in (must, want)]
    return "as wanted" if reached[1] else "reached" if reached[0] else "not as wanted" if must is None else "**missed**"
