"""The statistics behind the claims, and how claims are judged, on made-up runs."""
from types import SimpleNamespace

import claims
import pytest
from claims import FAILS, HOLDS, IN_SPREAD, NOT_EVALUATED
from learning_curves import Curves, compare_runs
from experiments import cell_name
from numpy import array, broadcast_to, full, zeros

RUNS = 4
NONE, WILD, TAME = zeros(RUNS), array([1.3, -1.3, 0.7, -0.7]), array([0.01, -0.01, 0.02, -0.02])


def curves(levels, spread=NONE, seconds=0.0, score=0.0):
    """Four points; a level for all of them, or one for each."""
    test = broadcast_to(levels, 4)[:, None] + spread
    return Curves([10, 20, 30, 40], test, test, zeros(4), broadcast_to(seconds, RUNS), full(RUNS, score), 0)


def view_of(**algorithms):
    """Algorithms on the datasets Aaa, Bbb, Ccc: {algorithm: [curves, curves, curves]}."""
    names = ("Aaa", "Bbb", "Ccc")
    cells = {cell_name("ours", d, "", a): SimpleNamespace(curves=c) for a, found in algorithms.items()
             for d, c in zip(names, found)}
    catalogue = SimpleNamespace(datasets={n: SimpleNamespace(name=n, label=n, rows=10) for n in names})
    return claims.View(catalogue, cells, "ours")


def find(view, question, a, b, number, of=3, how="", when="final"):
    return claims.evaluate(view, SimpleNamespace(question=question, a=a, b=b, number=number, of=of, how=how), when)


@pytest.fixture
def three_ways():
    """p is clearly smaller than q on Aaa, smaller within the spread on Bbb, clearly larger on Ccc."""
    return {"p": [curves(5, TAME), curves(5, WILD), curves(5, TAME)], "q": [curves(6.1), curves(5.1), curves(4.2)]}


def test_paired_differences():
    d = compare_runs(array([1.0, 2, 3, 4]), array([2.0, 4, 3, 7]))  # -1, -2, 0, -3
    assert d.mean == pytest.approx(-1.5) and d.half == pytest.approx(3.182 * 1.2909944487 / 2)
    assert d.sign == -1 and not d.clear
    d = compare_runs(array([1.0, 2, 3, 4]), array([1.5, 2.5, 3.5, 4.5]))
    assert d.clear and d.half < 1e-12
    assert not compare_runs(array([1.0]), array([1.5])).clear  # one run has no spread


def test_best_and_final():
    c = curves([3.7, 2.2, 1.9, 2.4], TAME)
    assert (c.point("best"), c.point("final")) == (2, 3)
    assert c.rmse("best") == pytest.approx(1.9)
    assert c.sd("final") == pytest.approx(((0.0001 + 0.0001 + 0.0004 + 0.0004) / 3) ** 0.5)
    assert (c.reaches(2.3), c.reaches(1.5), c.at(30), c.at(500)) == (20, 0, 2, 3)


def test_curves_survive_their_file(tmp_path):
    c = curves([1 / 3, 0.1, 1e-7, 12345.678], WILD, 0.25)
    c.save(tmp_path / "x" / "c.csv", "key")
    again = Curves.load(tmp_path / "x" / "c.csv", "key", c.points, RUNS)
    assert (again.test == c.test).all() and (again.train == c.train).all() and (again.seconds == c.seconds).all()
    assert Curves.load(tmp_path / "x" / "c.csv", "other", c.points, RUNS) is None
    assert Curves.load(tmp_path / "x" / "c.csv", "key", c.points[:3], RUNS) is None
    assert Curves.load(tmp_path / "none.csv", "key", c.points, RUNS) is None


@pytest.mark.parametrize("number, of, how, verdict", [
    (2, 3, "", HOLDS), (1, 3, "", HOLDS), (3, 3, "", FAILS), (2, 4, "", NOT_EVALUATED), (2, 3, "exactly", HOLDS),
    (1, 3, "exactly", IN_SPREAD), (3, 3, "exactly", FAILS)])
def test_judged_by_counting(three_ways, number, of, how, verdict):
    found = find(view_of(**three_ways), "smaller", "p", "q", number, of, how)
    assert found == (verdict, "2 of 3, clearly on 1; not on Ccc")


def test_larger_and_missing(three_ways):
    view = view_of(**three_ways)  # Bbb may have either sign
    assert find(view, "largest", "p", "q", 2) == (IN_SPREAD, "1 of 3; on Ccc; clearly not on 1")
    assert find(view, "smaller", "p", "none", 1) == (NOT_EVALUATED, "")


def test_smaller_than_each(three_ways):
    view = view_of(**three_ways, r=[curves(4.9, TAME)] * 3)
    assert find(view, "smaller", "p", "q r", 3, when="best") == (FAILS, "0 of 3")
    assert find(view, "smaller", "p r", "q", 3, when="best") == (FAILS, "2 of 3; not on Ccc")  # one of p, r


def test_comparable_is_less_than_the_spread(three_ways):
    view = view_of(**three_ways)
    assert find(view, "comparable", "p", "q", 1) == (HOLDS, "1 of 3; on Bbb")
    assert find(view, "not-larger", "p", "q", 2) == (HOLDS, "2 of 3; not on Ccc")


def test_faster(three_ways):
    never = curves(9)
    view = view_of(**three_ways, r=[curves([8, 1, 1, 1]), curves([8, 1, 1, 1]), never])
    assert find(view, "faster", "r", "p q", 3).verdict == FAILS  # 20 of 40 iterations are not less than half
    view = view_of(**three_ways, r=[curves(1), curves(1), never])
    assert find(view, "faster", "r", "p q", 2) == (HOLDS, "2 of 3; not on Ccc; median 10 iterations")


def test_only_one_and_worst_case():
    ours = {"mbgd": [curves(5)] * 3, "p": [curves(4, TAME)] * 3}
    view = view_of(**ours, q=[curves(6, TAME), curves(4, TAME), curves(4, TAME)])
    assert find(view, "only-one", "p", "mbgd q", 3) == (HOLDS, "3 of 3; the others: q 2")
    view = view_of(**ours, q=[curves(4, TAME)] * 3)
    assert find(view, "only-one", "p", "mbgd q", 3).verdict == FAILS
    assert find(view, "worst-case", "p", "q", 1).verdict == FAILS  # equal is not better


def test_times():
    r = array([0.0, 1, 2, 3])
    view = view_of(p=[curves(1, seconds=1.1 + 0.01 * r, score=3)] * 3,
                   q=[curves(1, seconds=1.2 + 0.013 * r, score=2)] * 3)
    assert find(view, "train-time", "p", "q", 3).verdict == HOLDS
    assert find(view, "time", "p", "q", 3).verdict == FAILS
