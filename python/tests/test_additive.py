"""Tests of additive models: curves, pairs, their plots, and further training."""
import numpy as np
import pytest

from sugeno import SugenoRegressor


@pytest.fixture(scope="module")
def rows():
    pandas = pytest.importorskip("pandas")
    rng = np.random.default_rng(5)
    n = 500
    X = pandas.DataFrame({"a": rng.uniform(-3, 3, n), "b": rng.uniform(0, 10, n), "kind": rng.choice(["x", "y", "z"], n), "c": rng.normal(size=n)})
    X.loc[::9, "c"] = np.nan
    y = np.sin(X["a"]) * 3 + X["b"] * (X["kind"] == "y") + X["c"].fillna(1.5) + 0.1 * rng.normal(size=n)
    return X, y.rename("y")


@pytest.fixture(scope="module")
def model(rows):
    return SugenoRegressor(preset="additive-pairs", pairs="kind:b,a:c").fit(*rows)


def add_up(model, row):
    """The prediction of a row from the public attributes alone."""
    names, total = list(model.feature_names_in_), model.intercept_
    for c in model.curves_:
        x = row[names.index(c.input)]
        if x != x:
            total += c.missing
        elif c.positions is None:
            total += c.values[c.levels.index(x)]
        else:
            total += np.interp(x, c.positions, c.values)
    for p in model.pairs_:
        weights = []
        for name, axis in zip(p.inputs, (p.rows, p.columns)):
            x = row[names.index(name)]
            if isinstance(axis, list):
                weights.append(np.array([float(x == level) for level in axis]))
            else:
                weights.append(np.array([np.interp(x, axis, unit) if x == x else 0.0 for unit in np.eye(len(axis))]))
        total += weights[0] @ p.values @ weights[1]
    return total


def test_attributes_add_up_to_predictions(model, rows):
    assert {c.input for c in model.curves_} == {"a", "b", "kind", "c"} and {frozenset(p.inputs) for p in model.pairs_} == {frozenset(("kind", "b")), frozenset("ac")}
    expected = [add_up(model, row) for row in rows[0].itertuples(index=False)]
    np.testing.assert_allclose(model.predict(rows[0]), expected, rtol=1e-10)
    assert abs(model.intercept_ - rows[1].mean()) < 0.05


def test_curves_have_statistics(model):
    for c in model.curves_:
        assert len(c.values) == len(c.standard_error) == len(c.share) - 1 and c.importance > 0
        assert abs(c.share.sum() - 1) < 1e-9 and c.monotone == 0
        assert (c.positions is None) == (c.levels is not None)
    assert next(c for c in model.curves_ if c.input == "kind").levels and model.frontier_ == []


def test_other_models_have_none(waves):
    model = SugenoRegressor(preset="mbgd-rda", rules=4).fit(*waves)
    assert model.curves_ == model.pairs_ == model.frontier_ == [] and abs(model.intercept_ - waves[1].mean()) < 1e-9
    for plot in (model.plot_curves, model.plot_pairs):
        with pytest.raises(ValueError, match="no curves"):
            plot()
    assert not hasattr(SugenoRegressor(), "curves_")


def test_two_targets(waves):
    X, y = waves
    model = SugenoRegressor(preset="additive-pairs").fit(X, np.column_stack([y, -2 * y]))
    assert model.intercept_.shape == (2,)
    for part in model.curves_ + model.pairs_:
        np.testing.assert_allclose(part.values[..., 1], -2 * part.values[..., 0], rtol=1e-6, atol=1e-9)
        assert part.importance.shape == (2,)


def test_monotone(rows):
    model = SugenoRegressor(preset="additive-pairs", monotone="b:+,c:-").fit(*rows)
    curves = {c.input: c for c in model.curves_}
    assert (np.diff(curves["b"].values) >= 0).all() and curves["b"].monotone == 1
    assert "c" not in curves or (np.diff(curves["c"].values) <= 0).all()


def test_plots(model, rows):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    axes = model.plot_curves()
    assert [a.get_xlabel() for a in axes] == [c.input for c in sorted(model.curves_, key=lambda c: -c.importance)]
    drawn = model.plot_curves("a").lines[0]
    curve = next(c for c in model.curves_ if c.input == "a")
    assert np.array_equal(drawn.get_ydata(), curve.values) and np.array_equal(drawn.get_xdata(), curve.positions)
    assert model.plot_curves("kind", output="y").get_ylabel() == "change of y"
    assert len(model.plot_pairs()) == 2 and set(model.plot_pairs(("b", "kind")).get_xlabel() + model.plot_pairs(("a", "c")).get_xlabel()) <= set("abckind")
    for wrong in (lambda: model.plot_curves("q"), lambda: model.plot_curves(output=1), lambda: model.plot_curves(output="z"), lambda: model.plot_pairs(("a", "b")),
                  lambda: model.plot_pairs("a")):
        with pytest.raises(ValueError):
            wrong()
    figure, given = matplotlib.pyplot.subplots(2, 2)
    assert model.plot_curves(ax=given)[0] is given[0, 0]
    matplotlib.pyplot.close("all")


def test_callbacks(waves):
    seen = []
    model = SugenoRegressor(preset="additive-pairs", callbacks=lambda p: seen.append(p.done)).fit(*waves)
    assert model.curves_ and seen == sorted(seen)


def test_partial_fit(rows):
    X, y = rows
    model = SugenoRegressor(preset="additive-pairs", pairs="kind:b", monotone="b:+")
    model.partial_fit(X[:150], y[:150])
    first, knots = model.score(X[400:], y[400:]), [c.positions for c in model.curves_]
    for start in range(150, 400, 50):
        model.partial_fit(X[start:start + 50], y[start:start + 50])
    assert model.score(X[400:], y[400:]) > first and model.record_["rows"] == "400"
    for before, after in zip(knots, model.curves_):
        assert np.array_equal(before, after.positions) if before is not None else after.positions is None
    assert (np.diff(next(c for c in model.curves_ if c.input == "b").values) >= 0).all()
    assert abs(model.score(X[400:], y[400:]) - SugenoRegressor(preset="additive-pairs", pairs="kind:b", monotone="b:+").fit(X[:400], y[:400]).score(X[400:], y[400:])) < 0.02
    np.testing.assert_allclose(model.predict(X[:50]), [add_up(model, row) for row in X[:50].itertuples(index=False)], rtol=1e-10)


def test_partial_fit_weighs_all_rows_equally(waves):
    """After a shift of the target by 8 in as many new rows as before, the mean has moved by about 4."""
    X, y = waves
    model = SugenoRegressor(preset="additive").fit(X, y)
    before = model.predict(X).mean()
    model.partial_fit(X, y + 8)
    assert abs(model.predict(X).mean() - before - 4) < 0.2
    np.testing.assert_allclose(model.intercept_ - before, 4, atol=0.2)
    unmoved = SugenoRegressor(preset="additive").fit(X, y)
    old = unmoved.predict(X)
    unmoved.partial_fit(X[:100], old[:100])  # nothing new
    np.testing.assert_allclose(unmoved.predict(X), old, atol=1e-3)


def test_partial_fit_of_other_models(waves):
    X, y = waves
    model = SugenoRegressor(preset="additive").fit(X, y)
    with pytest.raises(ValueError, match="target|columns|features"):
        model.partial_fit(X[:, :2], y)
