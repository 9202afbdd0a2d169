"""sgd_memmap.py TRAIN.npy TEST.npy: scikit-learn's SGDRegressor, one pass over blocks of a memory map, scaled by a first one."""
import sys

import numpy as np
from sklearn.linear_model import SGDRegressor
from sklearn.preprocessing import StandardScaler

BLOCK = 100_000
train, test = np.load(sys.argv[1], mmap_mode="r"), np.load(sys.argv[2])
scaler, model = StandardScaler(), SGDRegressor(random_state=1)
for i in range(0, len(train), BLOCK):
    scaler.partial_fit(train[i : i + BLOCK, :-1])
for i in range(0, len(train), BLOCK):
    model.partial_fit(scaler.transform(train[i : i + BLOCK, :-1]), train[i : i + BLOCK, -1])
error = model.predict(scaler.transform(test[:, :-1])) - test[:, -1]
print(np.sqrt(np.mean(error**2)))
