"""example.py [airfoil.csv]: a first hour with sugeno, on a dataset of scikit-learn's, or on a file whose last column is the target.

%% marks cells: editors that know them run it as a notebook."""
# %% Data: ten inputs of 442 patients, and how far their diabetes went in a year
import sys

from sklearn.datasets import load_diabetes
from sklearn.ensemble import HistGradientBoostingRegressor
from sklearn.model_selection import train_test_split

from sugeno import SugenoRegressor

if len(sys.argv) > 1:
    import pandas

    table = pandas.read_csv(sys.argv[1])
    X, y = table.iloc[:, :-1], table.iloc[:, -1]
else:
    X, y = load_diabetes(return_X_y=True, as_frame=True, scaled=False)
X_train, X_test, y_train, y_test = train_test_split(X, y, random_state=0)

# %% With no setting it chooses by itself; budget: seconds of planned work
model = SugenoRegressor(budget=2).fit(X_train, y_train)
trees = HistGradientBoostingRegressor(random_state=0).fit(X_train, y_train)
print(f"R2 on rows that were not trained on: {model.score(X_test, y_test):.3f}, boosted trees {trees.score(X_test, y_test):.3f}")

# %% What it chose, and why
print(model.record_["chosen"])

# %% Rules that a person can read; simpler ones, if they shall be few
few = SugenoRegressor(preset="fcm-rdpa", rules=3).fit(X_train, y_train)
print(few.rules(top=3))

# %% Where a prediction comes from, and how sure it is
print(model.explain(X_test[:1]).text(0))
predicted, lower, upper = model.predict(X_test, return_interval=0.9)
print(f"{((lower <= y_test) & (y_test <= upper)).mean():.0%} of the rows lie within their interval of 90 %")

# %% Pictures, where matplotlib is there
try:
    import matplotlib

    matplotlib.use("Agg")
    few.plot_membership(X.columns[2])
    few.plot_surface(X.columns[2], X.columns[3])
except ImportError:
    pass
