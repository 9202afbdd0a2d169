"""The paper's training step and prediction in NumPy, with a hand-written gradient. Arrays are (..., examples), so that
inner loops run over examples."""
import numpy as np

from peer_protocol import PAPER


class Grid:
    """Two Gaussian MFs an input; theta in the order of sg_model_theta: centres, sigmas, (rule, term)."""

    def __init__(self, theta, inputs, dtype=np.float64):
        self.inputs, self.rules, self.dtype = inputs, 2**inputs, dtype
        self.theta = np.array(theta, dtype)
        mfs = 2 * inputs
        self.centre = self.theta[:mfs].reshape(inputs, 2, 1)
        self.sigma = self.theta[mfs : 2 * mfs].reshape(inputs, 2, 1)
        self.conseq = self.theta[2 * mfs :].reshape(self.rules, inputs + 1)
        self.floor = self.sigma.min()
        # uses[mf, rule]: whether the rule uses the MF; the first input is the slowest index
        bits = np.arange(self.rules)[None, :] >> np.arange(inputs)[::-1, None] & 1
        self.uses = np.stack([bits == 0, bits == 1], 1).reshape(mfs, -1).astype(dtype)
        self.gradient = np.zeros_like(self.theta)
        self.m, self.v, self.k = np.zeros_like(self.theta), np.zeros_like(self.theta), 0

    def firing(self, x):
        """Returns firing levels for x (inputs, examples), and (x - centre) / sigma^2 for the gradient."""
        inverse = 1 / self.sigma
        d = x[:, None] - self.centre
        d *= inverse
        mu = d * d
        mu *= -0.5
        np.exp(mu, out=mu)
        f = mu[0]
        for m in range(1, self.inputs):
            f = (f[:, None] * mu[m]).reshape(-1, x.shape[1])
        d *= inverse
        return f, d

    def output(self, x1):
        """Returns predictions for x1 (1 + inputs, examples)."""
        f, _ = self.firing(x1[1:])
        total = np.add.reduce(f, 0)
        f *= self.conseq @ x1
        y = np.add.reduce(f, 0)
        y /= total
        return y

    def backward(self, x1, t, mask):
        """Computes the gradient of the loss. x1 is (1 + inputs, examples), mask (rules, examples) or None."""
        n, gradient = self.inputs, self.gradient
        f, d = self.firing(x1[1:])
        if mask is not None:
            every = f.copy()
            f *= mask
        total = np.add.reduce(f, 0)
        if mask is not None and total.min() < 1e-30:
            lost = total < 1e-30
            f[:, lost] = every[:, lost]
            total = np.add.reduce(f, 0)
        rule = self.conseq @ x1
        y = np.einsum("ij,ij->j", f, rule)
        y /= total
        f *= (y - t) / total
        slopes = gradient[4 * n :].reshape(self.rules, n + 1)
        np.matmul(f, x1.T, out=slopes)
        slopes[:, 1:] += PAPER["l2"] * self.conseq[:, 1:]
        rule -= y
        rule *= f
        h = (self.uses @ rule).reshape(n, 2, -1)
        h *= d
        np.add.reduce(h, 2, out=gradient[: 2 * n].reshape(n, 2))
        h *= d
        sigmas = gradient[2 * n : 4 * n].reshape(n, 2)
        np.add.reduce(h, 2, out=sigmas)
        sigmas *= self.sigma[:, :, 0]

    def adabound(self):
        p, g, m, v = PAPER, self.gradient, self.m, self.v
        self.k += 1
        t = (1 - p["beta2"]) * self.k
        m *= p["beta1"]
        m += (1 - p["beta1"]) * g
        v *= p["beta2"]
        g *= g
        g *= 1 - p["beta2"]
        v += g
        rate = np.sqrt(v)
        rate *= (1 - p["beta2"] ** self.k) ** -0.5
        rate += p["epsilon"]
        np.divide(p["rate"], rate, out=rate)
        np.minimum(rate, p["final"] * (1 + 1 / t), out=rate)
        np.maximum(rate, p["final"] * (1 - 1 / (t + 1)), out=rate)
        rate *= m
        rate *= 1 / (1 - p["beta1"] ** self.k)
        self.theta -= rate
        np.maximum(self.sigma, self.floor, out=self.sigma)


class Training:
    """Steps on batches of a shuffled order, which is cheaper than our independent sampling."""

    def __init__(self, grid, x, t):
        self.grid, self.t = grid, t.astype(grid.dtype)
        self.x1 = np.vstack([np.ones(len(x)), x.T]).astype(grid.dtype)
        self.random = np.random.Generator(np.random.SFC64(1))
        self.mask = np.empty((grid.rules, PAPER["batch"]), np.float32)
        self.order, self.at = self.random.permutation(len(x)), 0

    def step(self):
        n = PAPER["batch"]
        if self.at + n > len(self.order):
            self.order, self.at = self.random.permutation(len(self.order)), 0
        rows = self.order[self.at : self.at + n]
        self.at += n
        self.random.random(dtype=np.float32, out=self.mask)
        self.grid.backward(self.x1[:, rows], self.t[rows], self.mask < PAPER["keep"])
        self.grid.adabound()


class Chunks:
    """Predicts many rows in chunks that fit in the cache."""

    def __init__(self, grid, x, chunk):
        x1 = np.vstack([np.ones(len(x)), x.T]).astype(grid.dtype)
        self.grid, self.out = grid, np.empty(len(x), grid.dtype)
        self.parts = [np.ascontiguousarray(x1[:, i : i + chunk]) for i in range(0, len(x), chunk)]

    def run(self):
        at = 0
        for part in self.parts:
            self.out[at : at + part.shape[1]] = self.grid.output(part)
            at += part.shape[1]
        return self.out


class BlasChunks:
    """A faster version: both MFs of an input are divided by the first, so that one exp an input and half of the
    products are enough. Exponents are quadratic in x, so BLAS computes them, and the sums over rules."""

    def __init__(self, grid, x, chunk):
        self.grid, self.x, self.chunk = grid, x.astype(grid.dtype), chunk
        self.out = np.empty(len(x), grid.dtype)
        self.f = np.ones((grid.rules, chunk), grid.dtype)
        self.powers = np.ones((2 * grid.inputs + 1, chunk), grid.dtype)  # 1, x, x^2

    def prepare(self):
        n, g = self.grid.inputs, self.grid
        inverse, c, each = g.sigma[:, :, 0] ** -2, g.centre[:, :, 0], np.arange(n)
        self.exponent = np.zeros((n, 2 * n + 1), g.dtype)
        self.exponent[:, 0] = -0.5 * np.diff(c * c * inverse)[:, 0]
        self.exponent[each, 1 + each] = np.diff(c * inverse)[:, 0]
        self.exponent[each, 1 + n + each] = -0.5 * np.diff(inverse)[:, 0]
        self.sums = np.vstack([g.conseq.T, np.ones(g.rules, g.dtype)])
        self.limit = np.log(np.finfo(g.dtype).max) / n - 1

    def some(self, x):
        n, f, powers = self.grid.inputs, self.f[:, : len(x)], self.powers[:, : len(x)]
        powers[1 : n + 1] = x.T
        np.square(powers[1 : n + 1], out=powers[n + 1 :])
        u = self.exponent @ powers
        np.clip(u, -self.limit, self.limit, out=u)
        np.exp(u, out=u)
        for m in range(n):  # the last input is the fastest index of the rules
            np.multiply(f[: 1 << m], u[n - 1 - m], out=f[1 << m : 2 << m])
        sums = self.sums @ f
        sums[:-1] *= powers[: n + 1]
        return np.add.reduce(sums[:-1], 0) / sums[-1]

    def run(self):
        self.prepare()
        for i in range(0, len(self.x), self.chunk):
            self.out[i : i + self.chunk] = self.some(self.x[i : i + self.chunk])
        return self.out
