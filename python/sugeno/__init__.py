"""Takagi-Sugeno-Kang fuzzy systems for regression: accurate models made of rules that people can read.

>>> from sklearn.datasets import make_friedman1
>>> from sugeno import SugenoRegressor
>>> X, y = make_friedman1(200, random_state=0)
>>> model = SugenoRegressor(preset="mbgd-rda", rules=8, pca=0).fit(X, y)
>>> model.predict(X).shape
(200,)
>>> model.n_rules_
8
"""
from ._library import VERSION as __version__
from ._model import Explained, Model
from ._regressor import Progress, SugenoRegressor, load
from ._rows import random_split
from ._training import Scorer, Trainer

__all__ = ["Explained", "Model", "Progress", "Scorer", "SugenoRegressor", "Trainer", "load", "random_split", "__version__"]
