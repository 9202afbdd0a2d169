"""Tests of model files that were not made by this package."""
import json
import pickle

import numpy as np

import sugeno

CURVES = {
    "kind": "sugeno model", "format": 2,
    "inputs": [{"name": "a", "low": 0, "high": 10, "mean": 4.5}, {"name": "b", "low": -1, "high": 1, "mean": 0}],
    "targets": [{"name": "y", "mean": 35.75, "scale": 1, "y0": 0, "low": 18, "high": 60}],
    "antecedents_see": [], "blocks": [],
    "curves": [{"input": 0, "monotone": "+", "knots": [1, 3, 8], "then": [[-16.5, 2, 4.5]], "missing": [0.25], "terms": [0, 2]},
               {"input": 1, "knots": [-0.5, 0.5], "then": [[1.5, -1.5]], "terms": [0, 1]}],
    "pairs": [{"curves": [0, 1], "then": [[[0.5, 0.25], [1.5, 0.75]]]}],
    "frontier": [{"name": "curves", "options": "--preset additive", "error": 1.5, "cost": 9, "rules": 5, "chosen": True}],
}


def plain(a, b):
    """The formula of docs/model-file.md, by NumPy."""
    first = np.where(np.isnan(a), 0.25, np.interp(a, [1, 3, 8], [-16.5, 2, 4.5]))
    second = np.where(np.isnan(b), 0, np.interp(b, [-0.5, 0.5], [1.5, -1.5]))
    t, u = np.interp(a, [1, 8], [0, 1]), np.interp(b, [-0.5, 0.5], [0, 1])
    table = (1 - t) * ((1 - u) * 0.5 + u * 0.25) + t * ((1 - u) * 1.5 + u * 0.75)
    return np.clip(35.75 + first + second + np.where(np.isnan(a + b), 0, table), 18, 60)


def test_a_model_of_curves_and_pairs(tmp_path):
    path = tmp_path / "curves.json"
    path.write_text(json.dumps(CURVES))
    model = sugeno.load(path)
    rng = np.random.default_rng(3)
    X = rng.uniform([-2, -1], [12, 1], (500, 2))
    X[::7, 0] = X[::5, 1] = np.nan
    expected = plain(X[:, 0], X[:, 1])
    assert expected.min() == 18 and len(np.unique(expected)) > 300
    np.testing.assert_allclose(model.predict(X), expected, rtol=1e-13)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(model)).predict(X), model.predict(X))
    assert model.model_.blocks == 0 and model.model_.rules == 3 + 2 + 4
    assert model.model_.frontier == CURVES["frontier"]
