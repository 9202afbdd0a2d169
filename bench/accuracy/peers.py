"""The peers: other regression methods. Reads lines "METHOD SEED TRAIN.csv TEST.csv OUT", fits METHOD on TRAIN, writes a prediction for each
row of TEST to OUT, and answers with "CPU_SECONDS READING_COST" or with "failed: REASON". First writes what it offers: "can METHOD MODULE
VERSION BUILD" for each method, where BUILD is a digest of its source, or "lacks METHOD WHY"; then "ready".

Inputs are all columns but the last. Most methods get one-hot encoded categories. An empty cell is a missing value: methods that cannot handle
NaN get the mean of the training rows, and an indicator per column that has missing values. Every method runs on one core."""
import csv
import hashlib
import importlib.metadata
import inspect
import os
import sys
import time
import warnings

for name in "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS":
    os.environ[name] = "1"
import numpy as np

METHODS = {}


def peer(name, module, inputs):
    """Registers a function (x, y, inputs of the test rows, seed) -> (predictions, reading cost) under this name. inputs: a function (training
    rows, test rows), both with the target as words -> (x, y, inputs of the test rows)."""
    def offer(function):
        METHODS[name] = (module, inputs, function)
        return function
    return offer


def is_number(word):
    try:
        float(word or "nan")
    except ValueError:
        return False
    return True


def numbers(words):
    return np.array([float(w or "nan") for w in words.ravel()]).reshape(words.shape)


def read(path):
    with open(path, newline="") as file:
        return np.array(list(csv.reader(file))[1:])


def is_numeric(train, j):
    return all(is_number(w) for w in train[:, j])


def encoded(train, test):
    """Categories one-hot encoded, missing numbers as NaN."""
    parts = []
    for j in range(train.shape[1] - 1):
        if is_numeric(train, j):
            parts.append([numbers(rows[:, j:j + 1]) for rows in (train, test)])
        else:
            words = np.unique(train[:, j])
            parts.append([(rows[:, j:j + 1] == words).astype(float) for rows in (train, test)])
    x, z = (np.hstack(p) for p in zip(*parts))
    return x, train[:, -1].astype(float), z


def completed(train, test):
    """As encoded, with means and indicators instead of NaN."""
    x, y, z = encoded(train, test)
    gaps = np.isnan(x).any(axis=0)
    mean = np.nanmean(x, axis=0)
    x, z = (np.hstack([np.where(np.isnan(rows), mean, rows), np.isnan(rows[:, gaps])]) for rows in (x, z))
    return x, y, z


def frames(train, test):
    """Data frames with categories as text."""
    import pandas as pd

    columns = range(train.shape[1] - 1)
    numeric = [is_numeric(train, j) for j in columns]
    x, z = (pd.DataFrame({f"x{j}": numbers(rows[:, j]) if numeric[j] else rows[:, j].astype(object) for j in columns}) for rows in (train, test))
    return x, train[:, -1].astype(float), z


def scaled(model):
    """The model on standardised x and y."""
    from sklearn.compose import TransformedTargetRegressor
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    return TransformedTargetRegressor(make_pipeline(StandardScaler(), model), transformer=StandardScaler())


# --- reading cost ---
#
# Conditions + distinct terms + nonzero numbers (accuracy.md.in). The split of a tree is one condition, which includes its threshold.

def nonzero(*arrays):
    return sum(int(np.count_nonzero(a)) for a in arrays)


def text_trees_cost(booster):
    """Of an XGBoost booster: splits, leaf values and the base score."""
    lines = [line for tree in booster.get_dump() for line in tree.splitlines()]
    leaves = [float(line.partition("leaf=")[2]) for line in lines if "leaf=" in line]
    return len(lines) - len(leaves) + nonzero(leaves) + 1


def figs_cost(node):
    """Splits and leaf values of a tree of FIGS."""
    if node.left is None and node.right is None:
        return nonzero(node.value)
    return 1 + figs_cost(node.left) + figs_cost(node.right)


def rulefit_cost(model):
    """Conditions of the rules that have a coefficient, their coefficients, those of linear terms, and the intercept."""
    linear = len(model.coef) - len(model.rules_)
    used = [rule for rule, weight in zip(model.rules_, model.coef[linear:]) if weight]
    return sum(rule.rule.count(" and ") + 1 for rule in used) + nonzero(model.coef, model.intercept)


def bins_of(levels):
    """The bins of an input of an EBM in the order of its scores: missing, then intervals or sets of categories, then unknown."""
    if isinstance(levels, dict):
        inside = [frozenset(word for word, place in levels.items() if place == i) for i in range(1, max(levels.values()) + 1)]
    else:
        cuts = [-np.inf, *levels, np.inf]
        inside = list(zip(cuts, cuts[1:]))
    return ["missing", *inside, "unknown"]


def ebm_cost(model):
    """Nonzero scores of all curves and tables, the bins that they refer to (a bin of two of them counts once), and the intercept."""
    bins, scores = set(), 0
    for inputs, table in zip(model.term_features_, model.term_scores_):
        scores += nonzero(table)
        for axis, j in enumerate(inputs):
            names = bins_of(model.bins_[j][min(len(inputs), len(model.bins_[j])) - 1])
            used = np.any(table != 0, axis=tuple(k for k in range(table.ndim) if k != axis))
            bins |= {(j, name) for name, is_used in zip(names, used, strict=True) if is_used}
    return scores + len(bins) + nonzero(model.intercept_)


# --- the methods ---

@peer("ridge", "sklearn", completed)
def ridge(x, y, z, seed):
    """lambda by leave-one-out."""
    from sklearn.linear_model import RidgeCV

    model = scaled(RidgeCV(alphas=np.logspace(-4, 4, 33))).fit(x, y)
    return model.predict(z), nonzero(model.regressor_[-1].coef_) + 1


@peer("mlp", "sklearn", completed)
def mlp(x, y, z, seed):
    """Two hidden layers; a tenth of the training rows stops the training."""
    from sklearn.neural_network import MLPRegressor

    model = MLPRegressor(hidden_layer_sizes=(128, 64), alpha=1e-3, batch_size=32 if len(x) < 5000 else 256, max_iter=500, early_stopping=True,
                         n_iter_no_change=30, random_state=seed)
    model = scaled(model).fit(x, y)
    return model.predict(z), nonzero(*model.regressor_[-1].coefs_, *model.regressor_[-1].intercepts_)


@peer("histgb", "sklearn", encoded)
def histgb(x, y, z, seed):
    """As it comes: 100 trees, rate .1."""
    from sklearn.ensemble import HistGradientBoostingRegressor

    model = HistGradientBoostingRegressor(random_state=seed).fit(x, y)
    nodes = np.concatenate([tree.nodes for trees in model._predictors for tree in trees])
    return model.predict(z), nonzero(~nodes["is_leaf"].astype(bool), nodes["value"][nodes["is_leaf"] > 0]) + 1


@peer("forest", "sklearn", encoded)
def forest(x, y, z, seed):
    """As it comes, with 300 trees."""
    from sklearn.ensemble import RandomForestRegressor

    model = RandomForestRegressor(300, n_jobs=1, random_state=seed).fit(x, y)
    trees = [tree.tree_ for tree in model.estimators_]
    return model.predict(z), sum(nonzero(t.children_left >= 0, t.value[t.children_left < 0]) for t in trees)


XGBOOST = dict(learning_rate=0.05, max_depth=6, subsample=0.8, colsample_bytree=0.8, n_jobs=1)


@peer("xgboost", "xgboost", encoded)
def xgboost(x, y, z, seed):
    """The yardstick: 500 trees, rate .05, depth 6, subsample and colsample .8."""
    from xgboost import XGBRegressor

    model = XGBRegressor(n_estimators=500, random_state=seed, **XGBOOST).fit(x, y)
    return model.predict(z), text_trees_cost(model.get_booster())


@peer("xgboost-tuned", "xgboost", encoded)
def xgboost_tuned(x, y, z, seed):
    """Depth, the least weight of a leaf and the number of trees by cross-validation inside the training rows: the least mean curve of
    5 folds (3 from 1,500 rows on; from 5,000 on with the rate .1)."""
    import xgboost as xgb

    common = dict(learning_rate=0.05 if len(x) < 5000 else 0.1, subsample=0.8, colsample_bytree=0.8, nthread=1, seed=seed)
    rows, tried = xgb.DMatrix(x, y), []
    for depth in 3, 6, 9:
        for weight in 1, 8:
            setting = common | dict(max_depth=depth, min_child_weight=weight)
            curve = xgb.cv(setting, rows, 1500, nfold=5 if len(x) < 1500 else 3, seed=seed, early_stopping_rounds=50, as_pandas=False)
            error = curve["test-rmse-mean"]
            tried.append((min(error), len(tried), setting, 1 + int(np.argmin(error))))
    _, _, setting, trees = min(tried)
    model = xgb.train(setting, rows, trees)
    return model.predict(xgb.DMatrix(z)), text_trees_cost(model)


@peer("lightgbm", "lightgbm", encoded)
def lightgbm(x, y, z, seed):
    """500 trees, rate .05, 31 leaves, subsample and colsample .8."""
    from lightgbm import LGBMRegressor

    model = LGBMRegressor(n_estimators=500, learning_rate=0.05, subsample=0.8, subsample_freq=1, colsample_bytree=0.8, n_jobs=1,
                          random_state=seed, verbose=-1)
    model.fit(x, y)
    leaves = [tree["num_leaves"] for tree in model.booster_.dump_model()["tree_info"]]
    return model.predict(z), sum(2 * n - 1 for n in leaves)


@peer("ebm", "interpret", frames)
def ebm(x, y, z, seed):
    """The Explainable Boosting Machine as it comes: 14 bags."""
    from interpret.glassbox import ExplainableBoostingRegressor

    model = ExplainableBoostingRegressor(n_jobs=1, random_state=seed).fit(x, y)
    return model.predict(z), ebm_cost(model)


@peer("ebm-3-bags", "interpret", frames)
def ebm_3_bags(x, y, z, seed):
    """The same, three bags."""
    from interpret.glassbox import ExplainableBoostingRegressor

    model = ExplainableBoostingRegressor(outer_bags=3, n_jobs=1, random_state=seed).fit(x, y)
    return model.predict(z), ebm_cost(model)


@peer("figs", "imodels", completed)
def figs(x, y, z, seed):
    """As it comes: at most 12 splits in a sum of trees."""
    from imodels import FIGSRegressor

    model = FIGSRegressor(random_state=seed).fit(x, y)
    return model.predict(z), sum(figs_cost(tree) for tree in model.trees_)


@peer("rulefit", "imodels", completed)
def rulefit(x, y, z, seed):
    """As it comes: at most 30 rules and linear terms."""
    from imodels import RuleFitRegressor

    model = RuleFitRegressor(random_state=seed).fit(x, y)
    return model.predict(z), rulefit_cost(model)


@peer("pytsk", "pytsk.gradient_descent", completed)
def pytsk(x, y, z, seed):
    """HTSK with batch normalisation, 30 rules, AdamW, as its authors' example has them; a fifth of the training rows chooses the epoch."""
    import copy

    import torch
    from pytsk.gradient_descent import AntecedentGMF, TSK, Wrapper, antecedent_init_center
    from pytsk.gradient_descent.callbacks import Callback
    from sklearn.model_selection import train_test_split
    from sklearn.preprocessing import StandardScaler

    class Stop(Callback):
        best, since, state = np.inf, 0, None

        def on_epoch_end(self, wrapper):
            error = np.mean((wrapper.predict(held) - held_y) ** 2)
            self.since += 1
            if error < self.best:
                self.best, self.since, self.state = error, 0, copy.deepcopy(wrapper.model.state_dict())
            wrapper.stop_training = self.since > 40

    torch.set_num_threads(1)
    torch.manual_seed(seed)
    np.random.seed(seed)
    inputs, target, rules, stop = StandardScaler().fit(x), StandardScaler().fit(y[:, None]), 30, Stop()
    x, y = inputs.transform(x), target.transform(y[:, None])
    centre = antecedent_init_center(x, n_rule=rules)
    model = TSK(x.shape[1], 1, rules, AntecedentGMF(x.shape[1], rules, high_dim=True, init_center=centre), precons=torch.nn.BatchNorm1d(x.shape[1]))
    x, held, y, held_y = train_test_split(x, y, test_size=0.2, random_state=seed)
    optimiser = torch.optim.AdamW(model.parameters(), lr=0.01, weight_decay=1e-8)
    wrapper = Wrapper(model, optimiser, torch.nn.MSELoss(), batch_size=64 if len(x) < 5000 else 512, epochs=300, callbacks=[stop], label_type="r")
    wrapper.fit(x, y)
    model.load_state_dict(stop.state)
    # a condition with an MF of its own for each rule and input
    return target.inverse_transform(wrapper.predict(inputs.transform(z))).ravel(), rules * (3 * x.shape[1] + 1)


# --- protocol ---

def version_of(module):
    """Returns the version of the installed package that has this module."""
    importlib.import_module(module)
    top = module.partition(".")[0]
    return importlib.metadata.version(importlib.metadata.packages_distributions()[top][0])



def offer():
    for name, (module, inputs, function) in METHODS.items():
        try:
            version = version_of(module)
        except (ImportError, OSError) as missing:  # OSError: a missing system library
            print("lacks", name, missing, file=answers)
            continue
        parts = [inspect.getsource(f) for f in (function, inputs, encoded, scaled)] + [str(XGBOOST)]
        build = hashlib.sha256("".join(parts).encode()).hexdigest()[:7]
        print("can", name, module.partition(".")[0], version, build, file=answers)
    print("ready", file=answers, flush=True)


def serve():
    for line in sys.stdin:
        method, seed, train, test, out = line.split()
        try:
            _, inputs, fit = METHODS[method]
            data = inputs(read(train), read(test))
            start = time.process_time()
            found, cost = fit(*data, int(seed))
            seconds = time.process_time() - start
            np.savetxt(out, found)
            print(f"{seconds:.3f}", cost, file=answers, flush=True)
        except Exception as error:  # the others go on
            print("failed:", str(error).replace("\n", " ") or type(error).__name__, file=answers, flush=True)


if __name__ == "__main__":
    warnings.filterwarnings("ignore")
    answers = os.fdopen(os.dup(1), "w")  # output of libraries goes to stderr
    os.dup2(2, 1)
    offer()
    serve()
