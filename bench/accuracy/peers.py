"""The peers: other regression methods. Reads lines "METHOD SEED TRAIN.csv TEST.csv OUT", fits METHOD on TRAIN, writes a prediction for each
row of TEST to OUT, and answers with the CPU seconds or with "failed: REASON". First writes what it offers: "can METHOD MODULE VERSION BUILD"
for each method, where BUILD is a digest of its source, or "lacks METHOD WHY"; then "ready".

Inputs are all columns but the last, with one-hot encoded categories. Every method runs on one core."""
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


def peer(name, module):
    """Registers a function (x, y, inputs of the test rows, seed) -> predictions under this name."""
    def offer(function):
        METHODS[name] = (module, function)
        return function
    return offer


def is_number(word):
    try:
        float(word)
    except ValueError:
        return False
    return True


def read(path):
    with open(path, newline="") as file:
        return np.array(list(csv.reader(file))[1:])


def encoded(train, test):
    """(x, y, inputs of the test rows)"""
    parts = []
    for j in range(train.shape[1] - 1):
        if all(is_number(w) for w in train[:, j]):
            parts.append([rows[:, j:j + 1].astype(float) for rows in (train, test)])
        else:
            words = np.unique(train[:, j])
            parts.append([(rows[:, j:j + 1] == words).astype(float) for rows in (train, test)])
    x, z = (np.hstack(p) for p in zip(*parts))
    return x, train[:, -1].astype(float), z


def scaled(model):
    """The model on standardised x and y."""
    from sklearn.compose import TransformedTargetRegressor
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    return TransformedTargetRegressor(make_pipeline(StandardScaler(), model), transformer=StandardScaler())


# --- the methods ---

@peer("ridge", "sklearn")
def ridge(x, y, z, seed):
    """lambda by leave-one-out."""
    from sklearn.linear_model import RidgeCV

    return scaled(RidgeCV(alphas=np.logspace(-4, 4, 33))).fit(x, y).predict(z)


@peer("mlp", "sklearn")
def mlp(x, y, z, seed):
    """Two hidden layers; a tenth of the training rows stops the training."""
    from sklearn.neural_network import MLPRegressor

    model = MLPRegressor(hidden_layer_sizes=(128, 64), alpha=1e-3, batch_size=32 if len(x) < 5000 else 256, max_iter=500, early_stopping=True,
                         n_iter_no_change=30, random_state=seed)
    return scaled(model).fit(x, y).predict(z)


@peer("histgb", "sklearn")
def histgb(x, y, z, seed):
    """As it comes: 100 trees, rate .1."""
    from sklearn.ensemble import HistGradientBoostingRegressor

    return HistGradientBoostingRegressor(random_state=seed).fit(x, y).predict(z)


@peer("forest", "sklearn")
def forest(x, y, z, seed):
    """As it comes, with 300 trees."""
    from sklearn.ensemble import RandomForestRegressor

    return RandomForestRegressor(300, n_jobs=1, random_state=seed).fit(x, y).predict(z)


XGBOOST = dict(learning_rate=0.05, max_depth=6, subsample=0.8, colsample_bytree=0.8, n_jobs=1)


@peer("xgboost", "xgboost")
def xgboost(x, y, z, seed):
    """The yardstick: 500 trees, rate .05, depth 6, subsample and colsample .8."""
    from xgboost import XGBRegressor

    return XGBRegressor(n_estimators=500, random_state=seed, **XGBOOST).fit(x, y).predict(z)


@peer("xgboost-tuned", "xgboost")
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
    return xgb.train(setting, rows, trees).predict(xgb.DMatrix(z))


@peer("lightgbm", "lightgbm")
def lightgbm(x, y, z, seed):
    """500 trees, rate .05, 31 leaves, subsample and colsample .8."""
    from lightgbm import LGBMRegressor

    model = LGBMRegressor(n_estimators=500, learning_rate=0.05, subsample=0.8, subsample_freq=1, colsample_bytree=0.8, n_jobs=1,
                          random_state=seed, verbose=-1)
    return model.fit(x, y).predict(z)


@peer("pytsk", "pytsk.gradient_descent")
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
    return target.inverse_transform(wrapper.predict(inputs.transform(z))).ravel()


# --- protocol ---

def version_of(module):
    """Returns the version of the installed package that has this module."""
    importlib.import_module(module)
    top = module.partition(".")[0]
    return importlib.metadata.version(importlib.metadata.packages_distributions()[top][0])



def offer():
    for name, (module, function) in METHODS.items():
        try:
            version = version_of(module)
        except (ImportError, OSError) as missing:  # OSError: a missing system library
            print("lacks", name, missing, file=answers)
            continue
        parts = [inspect.getsource(f) for f in (function, encoded, scaled)] + [str(XGBOOST)]
        build = hashlib.sha256("".join(parts).encode()).hexdigest()[:7]
        print("can", name, module.partition(".")[0], version, build, file=answers)
    print("ready", file=answers, flush=True)


def serve():
    for line in sys.stdin:
        method, seed, train, test, out = line.split()
        try:
            data = encoded(read(train), read(test))
            start = time.process_time()
            found = METHODS[method][1](*data, int(seed))
            seconds = time.process_time() - start
            np.savetxt(out, found)
            print(f"{seconds:.3f}", file=answers, flush=True)
        except Exception as error:  # the others go on
            print("failed:", str(error).replace("\n", " ") or type(error).__name__, file=answers, flush=True)


warnings.filterwarnings("ignore")
answers = os.fdopen(os.dup(1), "w")  # output of libraries goes to stderr
os.dup2(2, 1)
offer()
serve()
