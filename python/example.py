"""example.py [airfoil.csv]: a tutorial of sugeno, on a dataset of scikit-learn or on a file whose last column is the target.

%% starts a cell: some editors run the file as a notebook."""
# %% Data: ten inputs of 442 patients, and the progression of their diabetes after a year
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

# %% By default it searches for a good model; budget: planned CPU seconds
model = SugenoRegressor(budget=2).fit(X_train, y_train)
trees = HistGradientBoostingRegressor(random_state=0).fit(X_train, y_train)
print(f"R2 on test rows: {model.score(X_test, y_test):.3f}, boosted trees {trees.score(X_test, y_test):.3f}")

# %% What the search chose, and why
print(model.record_["chosen"])

# %% The rules of a simpler model
few = SugenoRegressor(preset="fcm-rdpa", rules=3).fit(X_train, y_train)
print(few.rules(top=3))

# %% An explanation and prediction intervals
print(model.explain(X_test[:1]).text(0))
predicted, lower, upper = model.predict(X_test, return_interval=0.9)
print(f"{((lower <= y_test) & (y_test <= upper)).mean():.0%} of the test rows are inside their 90 % interval")

# %% Plots, if matplotlib is installed
try:
    import matplotlib

    matplotlib.use("Agg")
    few.plot_membership(X.columns[2])
    few.plot_surface(X.columns[2], X.columns[3])
except ImportError:
    pass
