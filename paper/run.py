"""Repeats the experiments of the paper on its ten datasets and evaluates its claims: make paper DATA=FOLDER.

Finished cells are kept in the output folder and not computed again."""
import argparse
import os
import sys
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # one process per core does the work

import claims
import datasets
import experiments
import report
import results
import workers

HERE = Path(__file__).parent
LIMITS = ("experiments", "datasets", "algorithms", "preprocessing")


def parse(arguments):
    parser = argparse.ArgumentParser(prog="paper", description=__doc__.splitlines()[0])
    parser.add_argument("--data", required=True, metavar="FOLDER", help="the datasets, as CSV files")
    parser.add_argument("--out", type=Path, default=Path("paper-results"), metavar="FOLDER",
                        help="for curves, figures, tables and RESULTS.md; finished cells are kept there")
    parser.add_argument("--tables", type=Path, default=HERE, metavar="FOLDER",
                        help="datasets.csv, algorithms.csv, experiments.csv, published.csv, claims.csv")
    parser.add_argument("--check", type=Path, metavar="FILE", help="compare with this results.csv; exit 1 if different")
    parser.add_argument("--publish", type=Path, metavar="FOLDER", help="copy RESULTS.md, figures and results.csv there")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), metavar="N", help="trainings in parallel")
    for limit in LIMITS:
        parser.add_argument(f"--{limit}", type=str.split, metavar="NAMES", help="run only these, separated by spaces")
    settings = parser.parse_args(arguments)
    settings.limits = {name: getattr(settings, name) for name in LIMITS if getattr(settings, name) is not None}
    if not settings.data:
        parser.error("name the folder of the datasets: make paper DATA=FOLDER")
    if not 1 <= settings.jobs <= 1000:
        parser.error(f"--jobs: expected a number from 1 to 1000, got {settings.jobs}")
    if settings.publish and settings.limits:
        parser.error("only a complete run can be published: --publish excludes limits")
    return settings


def say(sentence):
    print(f"paper: {sentence}", file=sys.stderr)


def open_datasets(cells, folder):
    """Reads the datasets of the cells. Returns the cells whose dataset exists, and the number of unexpected files."""
    unexpected = 0
    needed = {}
    for cell in cells.values():
        needed.setdefault(cell.dataset.name, (cell.dataset, set()))[1].add(cell.experiment.variant)
    for dataset, variants in needed.values():
        try:
            datasets.load(dataset, folder, variants)
        except (datasets.DatasetError, OSError) as error:
            say(f"{error}. It is left out.")
            continue
        if dataset.digest != dataset.sha256:
            unexpected += 1
            say(f"{folder / dataset.file} is not the file of the checked-in results (its SHA-256 is {dataset.digest}, "
                f"not {dataset.sha256})")
    found = {name: cell for name, cell in cells.items() if cell.dataset.tables}
    if not found:
        raise datasets.DatasetError(f"{folder} contains none of the datasets")
    return found, unexpected


def run(settings):
    """Returns the exit code."""
    catalogue = experiments.Catalogue(settings.tables)
    claims.check(catalogue)  # a bad table fails now, not at the end
    expected = results.read(settings.check) if settings.check else None
    planned = catalogue.cells(settings.limits)
    cells, unexpected = open_datasets(planned, Path(settings.data))
    if settings.publish and (unexpected or len(cells) < len(planned)):
        raise datasets.DatasetError(f"not published: {len(planned) - len(cells)} of the cells cannot be run, "
                                    f"{unexpected} files are not the expected ones")
    settings.out.mkdir(parents=True, exist_ok=True)
    workers.run(list(cells.values()), settings.out, settings.jobs)
    report.write(catalogue, cells, settings.out)
    results.write(cells, settings.out / "results.csv")
    if settings.publish:
        report.publish(settings.out, settings.publish)
    print(settings.out / "RESULTS.md")
    return 0 if expected is None or results.check(cells, expected, settings.check, not settings.limits) else 1


def main(arguments=None):
    settings = parse(arguments)
    try:
        return run(settings)
    except KeyboardInterrupt:
        say("stopped; the same command continues with what is not finished")
        return 130
    except (experiments.TableError, datasets.DatasetError, OSError, RuntimeError) as error:
        say(error)
        return 1
    except ValueError as error:
        say(error)
        return 2


if __name__ == "__main__":
    sys.exit(main())
