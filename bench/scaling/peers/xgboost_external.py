"""xgboost_external.py TRAIN.npy TEST.npy: 50 rounds of XGBoost's hist in external memory: a data iterator over blocks of a memory map,
whose pages it keeps in files next to TRAIN.npy."""
import os
import sys
import tempfile

import numpy as np
import xgboost

BLOCK = 1_000_000
train, test = np.load(sys.argv[1], mmap_mode="r"), np.load(sys.argv[2])


class Blocks(xgboost.DataIter):
    def __init__(self, folder):
        self.at = 0
        super().__init__(cache_prefix=os.path.join(folder, "cache"))

    def next(self, input_data):
        if self.at >= len(train):
            return 0
        block = np.array(train[self.at : self.at + BLOCK])
        input_data(data=block[:, :-1], label=block[:, -1])
        self.at += BLOCK
        return 1

    def reset(self):
        self.at = 0


with tempfile.TemporaryDirectory(dir=os.path.dirname(sys.argv[1])) as folder:
    rows = xgboost.DMatrix(Blocks(folder))
    model = xgboost.train({"tree_method": "hist", "objective": "reg:squarederror"}, rows, num_boost_round=50)
    error = model.predict(xgboost.DMatrix(test[:, :-1])) - test[:, -1]
    print(np.sqrt(np.mean(error**2)))
    del rows
