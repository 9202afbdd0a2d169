"""Fixtures shared by the tests of the Python package."""
import os
from pathlib import Path

import numpy as np
import pytest


@pytest.fixture(scope="session")
def waves():
    """300 rows of three inputs; one of them has no effect."""
    rng = np.random.default_rng(7)
    X = rng.uniform(-2, 2, (300, 3))
    return X, np.sin(X[:, 0]) + 0.5 * X[:, 1] ** 2 + 0.05 * rng.normal(size=300)


@pytest.fixture(scope="session")
def program():
    """The program sugeno, if the environment names it."""
    path = os.environ.get("SUGENO_PROGRAM")
    if not path or not Path(path).exists():
        pytest.skip("SUGENO_PROGRAM does not name the command line")
    return path


@pytest.fixture(scope="session")
def datasets():
    folder = os.environ.get("SUGENO_DATA")
    if not folder:
        pytest.skip("SUGENO_DATA does not name a folder of datasets")
    return Path(folder)
