"""PyTorch as a peer of bench: the training step with autograd, and prediction without."""
import sys

try:
    import torch
except ImportError as missing:
    sys.exit(print(f"absent {missing}"))
from peer_protocol import PAPER, agree, load, note, serve, timed, turns

CASE, INPUTS, RULES = "grid-5x2", 5, 32
torch.set_num_threads(1)
x, t, y, theta = load(f"{CASE}/x", INPUTS), load(f"{CASE}/t"), load(f"{CASE}/y"), load(f"{CASE}/theta")
offers = {}


# uses[rule, mf]: whether the rule uses the MF; the first input is the slowest index of the rules.
bits = torch.arange(RULES)[:, None] >> torch.arange(INPUTS).flip(0) & 1
uses = torch.stack([bits == 0, bits == 1], 2).reshape(RULES, -1)


class Grid:
    def __init__(self, theta, dtype):
        self.theta = torch.tensor(theta, dtype=dtype)
        n = 2 * INPUTS
        # Leaves that share the memory of theta: autograd sees three, the optimiser one.
        self.centre = self.theta[:n].view(INPUTS, 2, 1).detach().requires_grad_()
        self.sigma = self.theta[n : 2 * n].view(INPUTS, 2, 1).detach().requires_grad_()
        self.conseq = self.theta[2 * n :].view(RULES, INPUTS + 1).detach().requires_grad_()
        self.leaves = [self.centre, self.sigma, self.conseq]
        self.uses = uses.to(dtype)
        self.floor = float(self.sigma.min())
        self.m, self.v, self.k = torch.zeros_like(self.theta), torch.zeros_like(self.theta), 0

    def output(self, x1, mask=None):
        """Products of memberships as sums of their logarithms: one matrix product, fewer nodes for autograd."""
        d = (x1[1:, None] - self.centre) / self.sigma
        f = torch.exp(self.uses @ (d * d).view(2 * INPUTS, -1).mul(-0.5))
        if mask is not None:
            every, f = f, f * mask
        total = f.sum(0)
        if mask is not None and total.detach().min() < 1e-30:
            f = torch.where(total < 1e-30, every, f)
            total = f.sum(0)
        return (f * (self.conseq @ x1)).sum(0) / total

    def step(self, x1, t, mask):
        error = self.output(x1, mask) - t
        gradient = torch.autograd.grad(0.5 * torch.dot(error, error), self.leaves)
        with torch.no_grad():  # regularization: cheaper without autograd
            gradient[2][:, 1:].add_(self.conseq[:, 1:], alpha=PAPER["l2"])
        self.adabound(torch.cat([g.view(-1) for g in gradient]))

    @torch.no_grad()
    def adabound(self, g):
        p = PAPER
        self.k += 1
        t = (1 - p["beta2"]) * self.k
        self.m.mul_(p["beta1"]).add_(g, alpha=1 - p["beta1"])
        self.v.mul_(p["beta2"]).addcmul_(g, g, value=1 - p["beta2"])
        rate = self.v.sqrt().mul_((1 - p["beta2"] ** self.k) ** -0.5).add_(p["epsilon"]).reciprocal_()
        rate.mul_(p["rate"]).clamp_(p["final"] * (1 - 1 / (t + 1)), p["final"] * (1 + 1 / t))
        self.theta.addcmul_(rate, self.m, value=-1 / (1 - p["beta1"] ** self.k))
        self.theta[2 * INPUTS : 4 * INPUTS].clamp_(min=self.floor)


def with_ones(x, dtype):
    return torch.cat([torch.ones(1, len(x)), torch.tensor(x.T)]).to(dtype).contiguous()


def check_step():
    grid = Grid(load(f"{CASE}/check_start"), torch.float64)
    x1 = with_ones(load(f"{CASE}/check_x", INPUTS), torch.float64)
    targets = torch.tensor(load(f"{CASE}/check_t"))
    for _ in range(20):
        grid.step(x1, targets, None)
    agree("torch step", grid.theta.numpy(), load(f"{CASE}/check_end"), 1e-9)


def offer_step(precision, dtype):
    grid, x1, targets = Grid(theta, dtype), with_ones(x, dtype), torch.tensor(t, dtype=dtype)
    state = {"order": torch.randperm(len(x)), "at": 0}

    def step():
        n = PAPER["batch"]
        if state["at"] + n > len(x):
            state["order"], state["at"] = torch.randperm(len(x)), 0
        rows = state["order"][state["at"] : state["at"] + n]
        state["at"] += n
        mask = torch.rand(RULES, n) < PAPER["keep"]
        grid.step(x1[:, rows], targets[rows], mask)

    offers[f"torch step {CASE} {precision}"] = lambda: timed(step, 64)


def offer_prediction(precision, dtype, tolerance):
    grid, x1, out = Grid(theta, dtype), with_ones(x, dtype), torch.empty(len(x), dtype=dtype)

    @torch.no_grad()
    def predict(parts):
        at = 0
        for part in parts:
            n = part.shape[1]
            out[at : at + n] = grid.output(part)
            at += n
        return out

    chunks = [[part.contiguous() for part in x1.split(n, 1)] for n in (128, 256, 512, 1024, 2048, 4096)]
    agree("torch prediction", predict(chunks[0]).numpy(), y, tolerance)
    offers[f"torch predict {CASE} {precision}"] = turns([lambda parts=parts: predict(parts) for parts in chunks], len(x))
    single = x1[:, :1].contiguous()
    offers[f"torch row {CASE} {precision}"] = lambda: timed(lambda: predict([single]), 1)


check_step()
for precision, dtype, tolerance in ("f64", torch.float64, 1e-9), ("f32", torch.float32, 1e-4):
    offer_step(precision, dtype)
    offer_prediction(precision, dtype, tolerance)
note("torch", torch.__version__)
serve(offers)
