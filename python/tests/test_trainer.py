"""Training step by step, scoring between steps, and random splits."""
import gc

import numpy as np
import pytest
from sugeno import SugenoRegressor, random_split


def rmse(a, b):
    return np.sqrt(np.mean((a - b) ** 2))


def test_steps_equal_fit(waves):
    X, y = waves
    estimator = SugenoRegressor(preset="mbgd-rda", iters=37, seed=3)
    trainer = estimator.trainer(X, y)
    seen = list(trainer)
    assert [p.done for p in seen] == list(range(1, 38)) and seen[-1].planned == 37
    assert all(p.batch_rmse > 0 and p.rate == 0.01 and p.mean_rate > 0 for p in seen)
    fitted = estimator.fit(X, y).model_
    assert np.array_equal(trainer.model().parameters, fitted.parameters)
    assert list(trainer) == []  # finished


def test_the_estimator_stays_unfitted(waves):
    estimator = SugenoRegressor(preset="mbgd-rda")
    estimator.trainer(*waves)
    assert not hasattr(estimator, "model_") and not hasattr(estimator, "n_features_in_")


def test_scorer_follows_the_parameters(waves):
    X, y = waves
    trainer = SugenoRegressor(preset="mbgd-rda", iters=20, pca=0).trainer(X[:200], y[:200])
    test = trainer.scorer(X[200:], y[200:])
    before = test.rmse()
    assert trainer.progress.done == 0
    for progress in trainer:
        pass
    assert len(trainer.current.inputs) == 3 and trainer.progress.done == 20
    estimator = SugenoRegressor._from_model(trainer.model())
    assert test.rmse() == pytest.approx(rmse(estimator.predict(X[200:]), y[200:]), rel=1e-12)
    assert test.rmse() < before


def test_scorer_outlives_its_trainer(waves):
    X, y = waves
    test = SugenoRegressor(preset="rr").trainer(X, y).scorer(X, y)
    gc.collect()
    assert test.rmse() > 0


def test_several_targets(waves):
    X, y = waves
    trainer = SugenoRegressor(preset="mbgd-rda", iters=5).trainer(X, np.column_stack([y, 100 * y]))
    trainer.step()
    small, large = trainer.scorer(X, np.column_stack([y, 100 * y])).rmse()
    assert large > 10 * small


def test_divergence_keeps_finite_parameters(waves):
    X, y = waves
    trainer = SugenoRegressor(preset="mbgd-rda", optim="sgd", rate=1e5, iters=200).trainer(X, y)
    with pytest.raises(FloatingPointError):
        list(trainer)
    assert np.isfinite(trainer.current.parameters).all()
    assert np.isfinite(trainer.scorer(X, y).rmse())


def test_validation_rows(waves):
    X, y = waves
    trainer = SugenoRegressor(preset="mbgd-rda", iters=5).trainer(X[:200], y[:200], eval_set=(X[200:], y[200:]))
    assert all(p.valid_rmse > 0 and p.best_rmse > 0 for p in trainer)


def test_transform(waves):
    X, y = waves
    model = SugenoRegressor(preset="mbgd-rda", iters=1, scale="zscore", pca=0).trainer(X, y).current
    seen = model.transform(X)
    assert seen.shape == X.shape and np.allclose(seen.mean(axis=0), 0) and np.allclose(seen.std(axis=0), 1, rtol=0.01)
    with pytest.raises(ValueError, match="3 inputs"):
        model.transform(X[:, :2])


def test_options_in_force():
    found = SugenoRegressor(preset="mbgd-rda", rate_down=0.5, seed=7).options()
    assert found["rate-down"] == "0.5" and found["seed"] == "7" and found["drop"] == "rule"
    assert SugenoRegressor(preset="rr").options()["iters"] == "1"


def test_random_split():
    train, test = random_split(100, 30, seed=5)
    assert sorted([*train, *test]) == list(range(100)) and len(test) == 30
    assert (np.diff(train) > 0).all() and (np.diff(test) > 0).all()
    assert np.array_equal(test, random_split(100, 30, seed=5)[1])
    assert not np.array_equal(test, random_split(100, 30, seed=6)[1])
    assert test[:8].tolist() == [9, 11, 14, 19, 21, 25, 26, 30]  # in every version
    assert len(random_split(4, 0)[1]) == 0
    with pytest.raises(ValueError, match="held_out"):
        random_split(4, 5)
