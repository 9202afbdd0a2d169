"""The program as a whole: what it writes, what it keeps, stopping and resuming, wrong input."""
import os
import signal
import subprocess
import sys
import time

import pytest
from conftest import ROOT


def stamps(folder):
    return {path: path.stat().st_mtime_ns for path in sorted(folder.glob("curves/*/*/*.csv"))}


@pytest.mark.draws
def test_writes_everything(world):
    code, out, err = world.run("--jobs", "1")
    folder = world.folder / "out"
    assert code == 0 and out.strip() == str(folder / "RESULTS.md")
    assert f"{world.data}/gone.csv is missing. Source: example, http://example.org. Expected: " in err
    assert "10 rows and the columns a b, y" in err
    for name in ("RESULTS.md", "results.csv", "tables/claims.csv", "tables/seven-best.csv", "figures/mean.svg",
                 "figures/mean.png", "figures/mean-authors.svg", "curves/authors/words/mbgd.csv",
                 "curves/ours/words.unique/rr.csv"):
        assert (folder / name).stat().st_size > 0
    count = lambda name: len((folder / "curves" / name).read_text().splitlines()) - 2
    assert count("ours/mg/mbgd-rda.csv") == 20 and count("ours/words.one-hot/mbgd-rda.csv") == 4
    page = (folder / "RESULTS.md").read_text()
    assert "(0.1234)" in page and "| Words (61 rows) |" in page and "{" not in page and "<!--" not in page
    assert "(Not run: Training (dotted) and test RMSE" in page


def test_results_do_not_depend_on_jobs_and_are_kept(world):
    world.run("--jobs", "1")
    world.run("--jobs", "3", out="other")
    assert world.results() == world.results("other")
    lines = world.results().splitlines()
    assert len(lines) == 16 and lines[1].split(",")[3] != next(x for x in lines if "authors/mg/rr" in x).split(",")[3]
    before, results = stamps(world.folder / "out"), world.results()
    world.run()
    assert stamps(world.folder / "out") == before and world.results() == results


def test_damaged_and_foreign_files_are_computed_again(world):
    world.run()
    results, curves = world.results(), world.folder / "out" / "curves" / "ours" / "mg"
    whole = (curves / "mbgd.csv").read_text()
    (curves / "mbgd.csv").write_text(whole[:500])
    other = (curves / "rr.csv").read_text()
    (curves / "rr.csv").write_text(other.replace('"key": "', '"key": "0'))
    (curves / "mbgd-rda.csv").write_text("rubbish\n")
    before = stamps(world.folder / "out")
    world.run()
    after = stamps(world.folder / "out")
    assert {path.name for path in after if after[path] != before[path]} == {"mbgd.csv", "rr.csv", "mbgd-rda.csv"}
    numbers = lambda text: text.splitlines()[1:]
    assert world.results() == results and numbers((curves / "mbgd.csv").read_text()) == numbers(whole)


def test_a_part_leaves_the_others_alone(world):
    world.run()
    before = stamps(world.folder / "out")
    world.run("--experiments", "unique")
    assert stamps(world.folder / "out") == before and len(world.results().splitlines()) == 2


def test_check(world):
    world.run()
    kept = world.folder / "kept.csv"
    kept.write_text(world.results())
    code, out, _ = world.run("--check", str(kept))
    assert code == 0 and out.endswith(f"15 results compared with {kept}: 0 differ\n")
    code, out, _ = world.run("--experiments", "unique", "--check", str(kept))
    assert code == 0 and "1 results compared" in out

    world.run()
    lines = world.results().splitlines()
    first = lines[1].split(",")
    kept.write_text("\n".join([lines[0], ",".join([*first[:3], "0.5", *first[4:]]), *lines[2:]]) + "\n")
    code, out, _ = world.run("--check", str(kept))
    assert code == 1 and f"ours/mg/rr: rmse_50 is {first[3]}, was 0.5\n" in out and ": 1 differ, by at most" in out
    kept.write_text("\n".join([line for line in lines if "one-hot" not in line]) + "\n")
    code, out, _ = world.run("--check", str(kept))
    assert code == 1 and "; 2 are not in it" in out
    kept.write_text("\n".join([*lines, "ours/mg/none,3,1,1,1,1,1,1,1"]) + "\n")
    code, out, _ = world.run("--check", str(kept))
    assert code == 1 and "; 1 of it were not run" in out


@pytest.mark.draws
def test_publish(world):
    code, _, err = world.run("--publish", str(world.folder / "to"))
    assert code == 1 and "not published: 6 of the cells cannot be run" in err
    assert not (world.folder / "to").exists()


def test_claims_hold_and_fail(world):
    world.run()
    table = (world.folder / "out" / "tables" / "claims.csv").read_text().splitlines()
    assert ",holds," in table[1] and "does not hold" not in table[1]
    assert "does not hold" in table[2]
    assert "of 2 claims (without variants), 1 hold" in (world.folder / "out" / "RESULTS.md").read_text()


@pytest.mark.parametrize("number, code", [(signal.SIGINT, 130), (signal.SIGKILL, -signal.SIGKILL)])
def test_stopped_runs_continue(world, number, code):
    world.edit("experiments", "3,20,1", "3,2000,1")
    world.run("--experiments", "curves", out="whole")
    program = [sys.executable, str(ROOT / "paper" / "run.py")]
    command = [*program, *world.arguments("--experiments", "curves", "--jobs", "2")]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    out = world.folder / "out"
    deadline = time.monotonic() + 60
    while len(stamps(out)) < 2 and time.monotonic() < deadline:
        time.sleep(0.01)
    children = [int(pid) for pid in subprocess.run(["ps", "-o", "pid=", "--ppid", str(process.pid)],
                                                   capture_output=True, text=True).stdout.split()]
    process.send_signal(number)
    err = process.communicate(timeout=60)[1]
    assert process.returncode == code
    if number == signal.SIGINT:
        assert "stopped; the same command continues" in err
    assert not (out / "RESULTS.md").exists() and 2 <= len(stamps(out)) < 12
    deadline = time.monotonic() + 30
    while any(os.path.exists(f"/proc/{pid}") for pid in children) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert children and not any(os.path.exists(f"/proc/{pid}") for pid in children)
    before = stamps(out)
    world.run("--experiments", "curves")
    assert world.results() == world.results("whole")
    assert all(stamps(out)[path] == stamp for path, stamp in before.items())


def test_support_vectors_and_divergence(world):
    world.edit("experiments", "unique,words", "svr,mg,,svr,ours,2,1,1\nwild,mg,,wild,ours,2,20,20\nunique,words")
    code, _, _ = world.run("--experiments", "svr wild")
    assert code == 0 and "svr" not in world.results()
    rmse = lambda name: float((world.folder / "out/curves/ours/mg" / name).read_text().splitlines()[2].split(",")[1])
    assert 0 < rmse("svr.csv") < 0.1
    assert rmse("wild.csv") > 0.01  # of the last finite parameters


def test_results_depend_on_the_columns(world):
    world.run("--experiments", "curves")
    before = world.results()
    world.edit("datasets", "x(t-18) x(t-12)", "x(t-12)")
    world.run("--experiments", "curves")
    assert world.results() != before


def test_unexpected_files(world):
    path = world.data / "mg.csv"
    lines = path.read_text().splitlines()
    path.write_text("\n".join([lines[0], *reversed(lines[1:])]) + "\n")
    code, _, err = world.run("--experiments", "unique curves", "--algorithms", "rr")
    assert code == 0 and "mg.csv is not the file of the checked-in results" in err
    path.write_text("\n".join(lines[:100]) + "\n")
    code, _, err = world.run("--experiments", "unique curves", "--algorithms", "rr")
    assert code == 0 and "mg.csv has 99 rows, not 200. It is left out." in err


@pytest.mark.parametrize("arguments, code, message", [
    (["--data", ""], 2, "name the folder of the datasets: make paper DATA=FOLDER"),
    (["--dta", "x"], 2, "unrecognized arguments: --dta"),
    (["--jobs", "0"], 2, "--jobs: expected a number from 1 to 1000"),
    (["--experiments", "curvse"], 2, '--experiments: there is no "curvse"'),
    (["--preprocessing", "theirs"], 2, '--preprocessing: there is no "theirs"'),
    (["--experiments", "unique", "--datasets", "mg"], 2, "these limits leave nothing to run"),
    (["--experiments", "unique", "--publish", "x"], 2, "only a complete run can be published"),
    (["--check", "none.csv"], 1, "No such file or directory: 'none.csv'"),
    (["--tables", "nowhere"], 1, "No such file or directory: 'nowhere/datasets.csv'"),
    (["--data", "empty"], 1, "empty contains none of the datasets"),
])
def test_wrong_usage(world, arguments, code, message):
    found, _, err = world.run(*arguments)
    assert found == code and message in err


@pytest.mark.parametrize("table, old, new, message", [
    ("algorithms", "rr,RR,preset=rr", "rr,RR", "algorithms.csv:2: 2 fields, but the header has 3"),
    ("algorithms", "name,label", "name,lable", 'algorithms.csv:1: there is no column "label"'),
    ("algorithms", "preset=mbgd\n", "preset=mbdg\n", "mbdg"),
    ("experiments", "rr mbgd ", "rr mgbd ", 'experiments.csv:2: algorithms: there is no "mgbd"'),
    ("experiments", "3,20,1", "3,-20,1", 'experiments.csv:2: iterations: expected a positive integer, got "-20"'),
    ("experiments", "ours authors", "ours both", 'experiments.csv:2: preprocessing: there is no "both"'),
    ("claims", "mbgd-rda,mbgd,1", "mbgd-rda,ridge,1", 'claims.csv:2: a, b: there is no "ridge"'),
    ("claims", "course\",smaller", "course\",smalller", 'claims.csv:2: question: there is no "smalller"'),
    ("claims", "mbgd-rda,mbgd,1,2,", "mbgd-rda,mbgd,1,2,exact", 'claims.csv:2: how: there is no "exact"'),
])
def test_bad_tables(world, table, old, new, message):
    world.edit(table, old, new)
    code, _, err = world.run()
    assert code in (1, 2) and message in err
