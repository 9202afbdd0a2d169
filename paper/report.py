"""Writes the report: figures, tables and RESULTS.md, which is template.md with its placeholders filled in."""
import csv
import io
import os
import re
import shutil
from pathlib import Path

import sklearn
import sugeno

import figures
import tables
from claims import View
from learning_curves import replace

TEMPLATE = Path(__file__).with_name("template.md")
PUBLISHED = [*(f"figures/{name}.svg" for name in figures.NAMES), "RESULTS.md", "results.csv"]


def write(catalogue, cells, folder):
    views = [View(catalogue, cells, preprocessing) for preprocessing in ("ours", "authors")]
    for name in ("figures", "tables"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    figures.draw(*views, folder / "figures")
    page = re.sub(r"<!-- (\S+): (.*) -->", lambda match: _table(views, folder, *match.groups()),
                  TEMPLATE.read_text(encoding="utf-8"))
    page = re.sub(r"!\[(.*)\]\((.*)\)", lambda match: match[0] if (folder / match[2]).exists() else
                  f"(Not run: {match[1]}.)", page)
    replace(folder / "RESULTS.md", page.format(**_facts(views, cells)))


def publish(folder, to):
    """Copies what is checked in, the table of results last."""
    (to / "figures").mkdir(parents=True, exist_ok=True)
    for name in PUBLISHED:
        shutil.copyfile(folder / name, to / f"{name}.new")
        os.replace(to / f"{name}.new", to / name)


def _facts(views, cells):
    seconds = sum(cell.curves.time(True).sum() for cell in cells.values())
    return {"trainings": sum(cell.repeats for cell in cells.values()), "minutes": f"{seconds / 60:.0f}",
            "version": sugeno.__version__, "sklearn": sklearn.__version__,
            "verdicts": "\n\n".join(map(tables.verdicts, views))}


def _make(views, kind, names):
    """Makes the table that a placeholder asks for."""
    ours, authors = views
    kind, _, variant = kind.partition(".")
    if kind in ("claims", "ablations"):
        return tables.claim_table(views, kind == "ablations")
    if kind in ("course", "sensitivity"):
        return getattr(tables, kind)(ours, authors, *names)
    if kind == "datasets":
        return tables.datasets(ours)
    if kind == "parameters":
        return tables.parameters(ours, names)
    view = ours if names.pop(0) == "ours" else authors
    if kind == "train":
        return tables.train(view, names)
    if kind == "seconds":
        return tables.seconds(view, names[0] == "scored", names[1:])
    return tables.rmse(view, variant, names[0], names[1:])


def _table(views, folder, name, request):
    """Returns a table as Markdown, and writes it to tables/NAME.csv."""
    table = _make(views, request.split()[0], request.split()[1:])
    if len(table) < 2:
        return "(Not run.)"
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(table)
    replace(folder / "tables" / f"{name}.csv", text.getvalue())
    lines = ["| " + " | ".join(row) + " |" for row in table]
    lines.insert(1, "|" + " --- |" * len(table[0]))
    return "\n".join(lines).replace("{", "{{").replace("}", "}}")
