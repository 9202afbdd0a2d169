"""Tests of rules, explanations, reports, plots and notebooks."""
import json

import numpy as np
import pytest

from sugeno import SugenoRegressor


@pytest.fixture(scope="module")
def model(waves):
    pandas = pytest.importorskip("pandas")
    X, y = waves
    return SugenoRegressor(preset="mbgd-rda", rules=5, intervals=4).fit(pandas.DataFrame(X, columns=["a", "b", "<script>"]), y)


def test_rules(model):
    assert model.rules().count("IF  ") == 5
    assert len(json.loads(model.rules("json"))["rules"]) == 5
    assert len(model.rules(top=1)) < len(model.rules()) and "#" in model.rules("markdown")
    with pytest.raises(ValueError, match="format|markdown"):
        model.rules("poem")


def test_explain_adds_up(model, waves):
    found = model.explain(waves[0][:50])
    assert len(found) == 50
    expected = model.predict(waves[0][:50])
    for terms in (found.by_input, found.by_rule):
        total = np.zeros(50)
        for k in range(terms.shape[2]):
            total += terms[:, 0, k]
        assert np.array_equal(total, expected)
    assert np.array_equal(found.prediction[:, 0], expected)
    assert "a" in found.input_terms and any("rule" in t for t in found.rule_terms)
    assert "row 3" in found.text(2) or "3" in found.text(2)
    frame = found.to_frame()
    assert list(frame.columns)[0] == "prediction" and len(frame) == 50
    assert len(found.to_frame("rules").columns) == 1 + len(found.rule_terms)


def test_report(model, waves, tmp_path):
    pandas = pytest.importorskip("pandas")
    X = pandas.DataFrame(waves[0], columns=["a", "b", "<script>"])
    model.report(tmp_path / "page.html", X, waves[1])
    page = (tmp_path / "page.html").read_text()
    assert "<html" in page and len(page) < 1_000_000
    model.report(tmp_path / "alone.html")
    with pytest.raises(OSError):
        model.report(tmp_path / "none" / "page.html")
    for wrong in (np.r_[waves[1], waves[1]], waves[1][:5], np.c_[waves[1], waves[1]]):
        with pytest.raises(ValueError):
            model.report(tmp_path / "wrong.html", X, wrong)
    assert not (tmp_path / "wrong.html").exists()


def test_notebook(model):
    page = model._repr_html_()
    assert "<table>" in page and "<svg" in page and "<script>" not in page and "&lt;script&gt;" in page
    assert model._repr_mimebundle_()["text/html"] == page
    assert "SugenoRegressor" in SugenoRegressor()._repr_html_()
    assert "SugenoRegressor" in repr(SugenoRegressor(rules=3))


@pytest.mark.parametrize("options", [dict(preset="mbgd-rda", rules=4), dict(preset="mbgd-rda"), dict(preset="auto-ensemble", budget=0.2)])
def test_notebook_of_words_and_several_targets(waves, options):
    pandas = pytest.importorskip("pandas")
    X, y = waves
    frame = pandas.DataFrame(X, columns=list("abc")).assign(word=["u", "v", "<b>"] * 100)
    model = SugenoRegressor(**options).fit(frame, np.c_[y, -y])
    page = model._repr_html_()
    assert "<table>" in page and "<b>" not in page


def test_explanations_from_several_threads(model, waves):
    from concurrent.futures import ThreadPoolExecutor

    found = model.explain(waves[0][:20])
    alone = [found.text(i) for i in range(20)]
    with ThreadPoolExecutor(6) as pool:
        assert list(pool.map(found.text, list(range(20)) * 20)) == alone * 20


def test_plots(model):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    assert len(model.plot_membership()) == 3
    assert model.plot_membership("a").get_xlabel() == "a"
    assert model.plot_surface("a", "b").get_ylabel() == "b"
    assert model.plot_surface("a", "<script>", at={"b": 1.5}) is not None
    assert model.plot_learning_curve().get_ylabel() == "RMSE"
    assert model.plot_membership(1).get_xlabel() == "b" and model.plot_surface(0, 1).get_xlabel() == "a"
    with pytest.raises(ValueError, match="pca=0"):
        SugenoRegressor(preset="mbgd-rda", pca=2).fit(np.eye(30, 4) + np.arange(30)[:, None] % 7, np.arange(30)).plot_membership()
    assert model.plot_membership(np.int64(0)).get_xlabel() == "a"
    for wrong in (lambda: model.plot_membership("z"), lambda: model.plot_membership(99), lambda: model.plot_surface("a", "z"), lambda: model.plot_surface("a", "a"),
                  lambda: model.plot_surface("a", "b", at={"z": 1})):
        with pytest.raises(ValueError):
            wrong()
    matplotlib.pyplot.close("all")


def test_memberships_are_those_of_the_rules(model):
    """A Gaussian is 1 at its centre and exp(-1/2) one width away."""
    rule = json.loads(model.rules("json"))["rules"]
    centres = sorted(c["c"] for r in rule for c in r["if"] if c["input"] == "a")
    at, functions = model.model_.memberships(2001)["a"]
    inside = [f for f in functions if f.max() > 0.9999]
    tops = sorted(at[np.argmax(f)] for f in inside)
    assert all(min(abs(t - c) for c in centres) < 0.01 for t in tops) and tops


def test_accuracy_promise(datasets):
    """The example of the documentation, compared with scikit-learn on one split."""
    from sklearn.ensemble import HistGradientBoostingRegressor
    from sklearn.model_selection import train_test_split

    pandas = pytest.importorskip("pandas")
    data = pandas.read_csv(datasets / "airfoil.csv")
    X_train, X_test, y_train, y_test = train_test_split(data.iloc[:, :-1], data.iloc[:, -1], random_state=0)
    ours = SugenoRegressor().fit(X_train, y_train).score(X_test, y_test)
    assert ours > HistGradientBoostingRegressor(random_state=0).fit(X_train, y_train).score(X_test, y_test)
