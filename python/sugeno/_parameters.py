"""The keywords of SugenoRegressor. Made by python/parameters.py of the library's table of options: change that."""
from __future__ import annotations

from typing import Any, Callable, Optional, Sequence, Union


class Parameters:
    def __init__(
        self,
        *,
        preset: Optional[str] = "auto",
        structure: Optional[str] = None,
        mf: Optional[str] = None,
        mfs: Union[int, str, Sequence[int], None] = None,
        rules: Optional[int] = None,
        centres: Optional[str] = None,
        width: Union[float, str, None] = None,
        low_rank: Optional[int] = None,
        firing: Optional[str] = None,
        scale: Optional[str] = None,
        target: Optional[str] = None,
        effects: Union[str, Sequence[str], None] = None,
        limit: Optional[str] = None,
        clip: Union[float, str, None] = None,
        pca: Optional[int] = None,
        consequents: Optional[str] = None,
        start: Optional[str] = None,
        iters: Optional[int] = None,
        batch: Optional[int] = None,
        sampling: Optional[str] = None,
        loss: Optional[str] = None,
        optim: Optional[str] = None,
        rate: Union[float, str, None] = None,
        schedule: Optional[str] = None,
        warmup: Union[float, str, None] = None,
        average: Union[float, str, None] = None,
        power: Union[float, str, None] = None,
        final_rate: Union[float, str, None] = None,
        rate_up: Union[float, str, None] = None,
        rate_down: Union[float, str, None] = None,
        beta1: Union[float, str, None] = None,
        beta2: Union[float, str, None] = None,
        epsilon: Union[float, str, None] = None,
        l2: Union[float, str, None] = None,
        balance: Union[float, str, None] = None,
        refit: Union[float, str, None] = None,
        drop: Optional[str] = None,
        keep: Union[float, str, None] = None,
        noise: Union[float, str, None] = None,
        huber: Union[float, str, None] = None,
        sigma_floor: Union[float, str, None] = None,
        valid_fraction: Union[float, str, None] = None,
        patience: Optional[int] = None,
        intervals: Optional[int] = None,
        precision: Optional[str] = None,
        budget: Union[float, str, None] = None,
        student: Union[bool, str, None] = None,
        seed: Optional[int] = None,
        targets: Union[str, Sequence[str], None] = None,
        ignore: Union[str, Sequence[str], None] = None,
        categorical: Union[str, Sequence[str], None] = None,
        numeric: Union[str, Sequence[str], None] = None,
        weights: Union[str, Sequence[str], None] = None,
        group: Union[str, Sequence[str], None] = None,
        missing: Union[str, Sequence[str], None] = None,
        header: Optional[str] = None,
        delimiter: Optional[str] = None,
        threads: Optional[int] = None,
        memory: Union[int, str, None] = None,
        random_state: Any = None,
        verbose: Union[bool, int] = False,
        callbacks: Union[Callable[[Any], Any], Sequence[Callable[[Any], Any]], None] = None,
    ) -> None:
        """What is None is left to the preset, and under `auto` to its search.

        preset:
            a row of the table of presets; options given beside it win; default auto
        structure:
            grid: all combinations of the inputs' MFs; cluster: rules that own their MFs; linear: one rule without
            conditions; auto: cluster where --rules is given, else grid (auto, grid, cluster, linear); default auto
        mf:
            shape of the membership functions (gauss-a trains 1/sigma) (gauss, gauss-a, gbell, tri, trap, gauss2); default
            gauss
        mfs:
            grid: MFs of every input, or one number for each; default 2
        rules:
            cluster: number of rules (0: 16); auto: the most of them (0: 64; auto-ensemble: of each of its rule bases, and
            given it has no boosted boxes); default 0
        centres:
            cluster: where rules start: clusters of the inputs, of inputs and target together, fuzzy ones, boxes of a
            regression tree (kmeans, kmeans-y, fcm, tree); default kmeans
        width:
            initial width of MFs, in standard deviations of the input (fcm: in its cluster; tree: in halves of the box);
            default 1
        low_rank:
            cluster: combinations of the inputs that a rule asks for besides its conditions, so that it need not lie along
            the axes; for many rows (gauss, gauss-a); default 0
        firing:
            how strongly a rule fires: the product of its memberships, or their geometric mean (HTSK; over the mean number
            of conditions of a rule), which suits many inputs (product, mean); default product
        scale:
            transform of the inputs; quantile: conditions see ranks, as normal scores, and consequents z-scores; none
            takes the file's values as they are, the target's too (zscore, quantile, none); default zscore
        target:
            transform of the target (its column is named with -t) (none, center, zscore); default center
        effects:
            more inputs, one for each of these of numbers (all: each of them): a table from its values to what they add to
            ridge regression, found on other rows; suits inputs with hidden groups, not values that were never seen
        limit:
            what an input beyond the training rows counts as: what it is; the end of their range; the end without the
            outermost 0.5 % on either side; auto chooses between the first two (none, range, tails); default none
        clip:
            keep predictions within the range of the target in the training rows, widened on both sides by F of its width;
            default none
        pca:
            reduce more than N inputs to N principal components (0: never; with --scale quantile it is 0 unless given);
            default 5
        consequents:
            how consequents are found: gradient steps, or least squares over all rows after every step (gradient, lse);
            default gradient
        start:
            consequents before the first step, and what --l2 and --refit pull to: 0 (biases of fuzzy clusters begin with
            their targets' means), or ridge regression on all rows (zero, ridge); default zero
        iters:
            training iterations; default 500
        batch:
            rows of a mini-batch, drawn afresh in every iteration (0: all rows); default 64
        sampling:
            uniform: batches of any rows, as in the paper; blocks: for disks where that is slow, of shuffled windows of 64
            random blocks of 1,024 rows (uniform, blocks); default uniform
        loss:
            squared error summed over the batch, or its mean (sum, mean); default sum
        optim:
            how a gradient becomes a step (jang, sgd, adam, adabound, adabelief); default adabound
        rate:
            learning rate alpha; default 0.01
        schedule:
            how the rate goes on after the warm-up: as it is, or down to 0 along half a cosine (constant, cosine); default
            constant
        warmup:
            part of the iterations in which the rate rises from 0; default 0
        average:
            the model is a running mean of the iterates, the older ones less and less by this factor (0: the last
            iterate); default 0
        power:
            Powerball: every number g of a gradient becomes sign(g) |g|^P; default 1
        final_rate:
            adabound: the rate that its bounds close in on (0: the same as --rate); default 0
        rate_up:
            jang: factor of the rate after four decreases of the loss in a row; default 1.1
        rate_down:
            jang: factor of the rate after up, down, up, down (1: never lowered); default 0.9
        beta1:
            adam, adabound, adabelief: decay of the first moment; default 0.9
        beta2:
            adam, adabound, adabelief: decay of the second moment; default 0.999
        epsilon:
            adam, adabound, adabelief: keeps the division finite; default 1e-8
        l2:
            regularisation of the consequents' slopes; default 0.05
        balance:
            regularisation of rules that fire more or less than others: LAMBDA times the squares of what their mean
            normalised firing level in a batch is off 1 / rules; a step takes three times as long (0: none); default 0
        refit:
            after the last step, consequents anew by least squares over all rows, regularised so (0: as they are); default
            0
        drop:
            what is dropped at random for each row of a batch (none, rule, mf, membership); default rule
        keep:
            probability that something is kept (the paper's P); default 0.5
        noise:
            random noise on the inputs of each row of a batch, in their standard deviations; default 0
        huber:
            errors above D, in the units that are trained, count linearly (0: squared, all of them); default 0
        sigma_floor:
            no MF gets narrower than F times the narrowest initial one (gauss-a: no floor); default 1
        valid_fraction:
            part of the rows set aside to choose the best iterate; default 0
        patience:
            stop after K iterations without a better validation RMSE (0: never); default 0
        intervals:
            train N times more, each time without one of N parts of the rows, to learn how far predictions are off
            (predict --interval); 0: auto takes what its own validation says, all others have none; default 0
        precision:
            arithmetic of the kernels: double, or float, which is faster and less exact (f64, f32); default f64
        budget:
            auto: tries no more than takes about as long on one core of a usual machine, unless less is not possible (0:
            what is worth it, at most two minutes, eight for auto-ensemble); planned work, not the clock, is cut, so that
            results stay the same; default 0
        student:
            auto: whether a committee may teach what is trained in the end; no: the best single training, on the rows as
            they are, and no boosted boxes, which only teach (yes, no); default yes
        seed:
            seed of all random numbers; default 0
        targets:
            what to predict (default: the last column)
        ignore:
            columns to leave out
        categorical:
            columns of categories, also where they look like numbers, dates or identifiers
        numeric:
            columns of numbers, also where one just counts the rows; a word in them is an error
        weights:
            column of row weights, at least 0
        group:
            cv, and the validation of auto: rows with the same number or word in this column are left out together; it is
            no input
        missing:
            cells that are missing values, besides empty ones; default NA,N/A,NaN,?,null,None,<null>
        header:
            whether the first line holds column names (auto, yes, no); default auto
        delimiter:
            what separates columns (auto, comma, semicolon, tab); default auto
        threads:
            threads (0: one for each core); results do not depend on it; default 0
        memory:
            memory for rows and work, besides the model; rows that do not fit stay on the disk; results do not depend on
            it; default 256MB
        random_state:
            another name of `seed`: a number, or a RandomState or Generator to draw it from; None: `seed` counts
        verbose:
            1: a progress bar (tqdm's where it is installed), and what the library says; False: neither
        callbacks:
            one, or several: called with a `Progress` while it trains; what is true ends the training, and the best model
            so far is kept
        """
        self.preset = preset
        self.structure = structure
        self.mf = mf
        self.mfs = mfs
        self.rules = rules
        self.centres = centres
        self.width = width
        self.low_rank = low_rank
        self.firing = firing
        self.scale = scale
        self.target = target
        self.effects = effects
        self.limit = limit
        self.clip = clip
        self.pca = pca
        self.consequents = consequents
        self.start = start
        self.iters = iters
        self.batch = batch
        self.sampling = sampling
        self.loss = loss
        self.optim = optim
        self.rate = rate
        self.schedule = schedule
        self.warmup = warmup
        self.average = average
        self.power = power
        self.final_rate = final_rate
        self.rate_up = rate_up
        self.rate_down = rate_down
        self.beta1 = beta1
        self.beta2 = beta2
        self.epsilon = epsilon
        self.l2 = l2
        self.balance = balance
        self.refit = refit
        self.drop = drop
        self.keep = keep
        self.noise = noise
        self.huber = huber
        self.sigma_floor = sigma_floor
        self.valid_fraction = valid_fraction
        self.patience = patience
        self.intervals = intervals
        self.precision = precision
        self.budget = budget
        self.student = student
        self.seed = seed
        self.targets = targets
        self.ignore = ignore
        self.categorical = categorical
        self.numeric = numeric
        self.weights = weights
        self.group = group
        self.missing = missing
        self.header = header
        self.delimiter = delimiter
        self.threads = threads
        self.memory = memory
        self.random_state = random_state
        self.verbose = verbose
        self.callbacks = callbacks


Parameters.__init__.__qualname__ = "SugenoRegressor.__init__"  # for sentences about wrong keywords
