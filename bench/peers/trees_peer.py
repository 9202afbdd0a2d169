"""XGBoost and scikit-learn as peers of bench: prediction by ensembles of trees, and CSV reading by their side."""
import sys

from peer_protocol import FOLDER, load, note, serve, timed, turns

CASE, INPUTS, TREES = "grid-5x2", 5, 100
x, t = load(f"{CASE}/x", INPUTS), load(f"{CASE}/t")
x32 = x.astype("float32")
offers = {}


def offer_xgboost():
    import xgboost

    booster = xgboost.train({"max_depth": 6, "nthread": 1}, xgboost.DMatrix(x32, t), TREES)
    # A DMatrix that was predicted before would answer from its cache.
    calls = [lambda: booster.inplace_predict(x32), lambda: booster.predict(xgboost.DMatrix(x32))]
    offers[f"xgboost predict {CASE} f32"] = turns(calls, len(x))
    offers[f"xgboost row {CASE} f32"] = lambda: timed(lambda: booster.inplace_predict(x32[:1]), 1)
    note("xgboost", xgboost.__version__)


def offer_sklearn():
    import sklearn
    from sklearn.ensemble import HistGradientBoostingRegressor, RandomForestRegressor

    boosted = HistGradientBoostingRegressor(max_iter=TREES, early_stopping=False).fit(x, t)
    forest = RandomForestRegressor(TREES, n_jobs=1).fit(x[:2048], t[:2048])
    offers[f"sklearn-boosting predict {CASE} f64"] = lambda: timed(lambda: boosted.predict(x), len(x))
    offers[f"sklearn-forest predict {CASE} f32"] = lambda: timed(lambda: forest.predict(x32), len(x))
    note("scikit-learn", sklearn.__version__)


def offer_csv():
    import numpy
    import pandas

    for kind in "long", "short":
        path = f"{FOLDER}/{kind}.csv"
        numbers = pandas.read_csv(path).size
        offers[f"numpy.loadtxt csv {kind} f64"] = lambda path=path, n=numbers: timed(
            lambda: numpy.loadtxt(path, delimiter=",", skiprows=1), n)
        offers[f"pandas.read_csv csv {kind} f64"] = lambda path=path, n=numbers: timed(
            lambda: pandas.read_csv(path), n)
    note("pandas", pandas.__version__)


for offer in offer_xgboost, offer_sklearn, offer_csv:
    try:
        offer()
    except ImportError as missing:
        print(f"bench: skipped: {missing}", file=sys.stderr)
serve(offers)
