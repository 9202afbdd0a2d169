"""torch_memmap.py TRAIN.npy TEST.npy: a TSK system in PyTorch that is trained from a memory map: 16 rules of Gaussians over all
inputs, 2,000 steps of Adam on 64 rows each, drawn uniformly; z-scores by a first pass."""
import sys

import numpy as np
import torch

BLOCK, RULES, BATCH, STEPS = 100_000, 16, 64, 2000
train, test = np.load(sys.argv[1], mmap_mode="r"), np.load(sys.argv[2])
total, squares = np.zeros(train.shape[1]), np.zeros(train.shape[1])
for i in range(0, len(train), BLOCK):
    block = np.asarray(train[i : i + BLOCK])
    total += block.sum(0)
    squares += np.einsum("ij,ij->j", block, block)
mean = total / len(train)
deviation = np.sqrt(squares / len(train) - mean**2)
inputs = train.shape[1] - 1
random = np.random.default_rng(1)
torch.manual_seed(1)


def scaled(rows):
    rows = torch.from_numpy((rows - mean) / deviation)
    return rows[:, :-1], rows[:, -1]


def draw():
    return scaled(train[np.sort(random.integers(0, len(train), BATCH))])


centre = torch.randn(RULES, inputs, dtype=torch.float64).requires_grad_()
log_sigma = torch.full((RULES, inputs), 1.0, dtype=torch.float64).requires_grad_()
conseq = torch.zeros(inputs + 1, RULES, dtype=torch.float64).requires_grad_()


def output(x):
    d = (x[:, None] - centre) * torch.exp(-log_sigma)
    level = torch.softmax(-0.5 * (d * d).sum(2), 1)
    return (level * (conseq[0] + x @ conseq[1:])).sum(1)


optimiser = torch.optim.Adam([centre, log_sigma, conseq], lr=0.01)
for _ in range(STEPS):
    x, y = draw()
    optimiser.zero_grad()
    loss = ((output(x) - y) ** 2).mean()
    loss.backward()
    optimiser.step()
with torch.no_grad():
    x, y = scaled(test)
    print(float(((output(x) - y) ** 2).mean().sqrt() * deviation[-1]))
