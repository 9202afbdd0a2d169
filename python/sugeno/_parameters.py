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
            a named set of option values (see Presets); other options have precedence; default auto
        structure:
            grid: all combinations of the MFs of the inputs; cluster: rules with MFs of their own; linear: one rule
            without conditions; auto: cluster if --rules is given, else grid (auto, grid, cluster, linear); default auto
        mf:
            shape of the membership functions (gauss-a trains 1/sigma) (gauss, gauss-a, gbell, tri, trap, gauss2); default
            gauss
        mfs:
            grid: number of MFs per input, or one number for each input; default 2
        rules:
            cluster: number of rules (0: 16). auto: maximum number of rules (0: 64). auto-ensemble: maximum per rule base;
            if given, no boosted trees are used; default 0
        centres:
            cluster: initial rules from k-means of the inputs, k-means of inputs and target, fuzzy c-means, or the leaves
            of a regression tree (kmeans, kmeans-y, fcm, tree); default kmeans
        width:
            initial width of MFs, in standard deviations of the input (fcm: of the cluster; tree: in half-widths of the
            leaf); default 1
        low_rank:
            cluster: number of low-rank terms per rule, which make rules oblique instead of axis-aligned; useful with many
            rows (gauss, gauss-a); default 0
        firing:
            firing level of a rule: the product of its memberships, or their geometric mean (HTSK, with the mean number of
            conditions per rule), which suits many inputs (product, mean); default product
        scale:
            transform of the inputs. quantile: conditions see normal scores of ranks, consequents see z-scores. none: no
            transform of inputs and target (zscore, quantile, none); default zscore
        target:
            transform of the target (use -t for its column) (none, center, zscore); default center
        effects:
            add target-encoded copies of these numeric inputs (all: of every one): a table from the values of an input to
            the mean residual of ridge regression, estimated out of fold. Useful if values recur, not for unseen values
        limit:
            clamp inputs outside the training data: none: no clamping; range: to the training range; tails: to the range
            without the outermost 0.5 % on each side. auto chooses between the first two (none, range, tails); default
            none
        clip:
            limit predictions to the range of the target in the training rows, extended on both sides by F times its
            width; default none
        pca:
            reduce more than N inputs to N principal components (0: never; the default is 0 with --scale quantile);
            default 5
        consequents:
            fit consequents by gradient steps, or by least squares over all rows after every step (gradient, lse); default
            gradient
        start:
            initial consequents, towards which --l2 and --refit shrink: zero (with fuzzy c-means, biases start at the mean
            target of the cluster), or ridge regression on all rows (zero, ridge); default zero
        iters:
            number of training iterations; default 500
        batch:
            rows per mini-batch, drawn anew in every iteration (0: all rows); default 64
        sampling:
            uniform: batches of random rows, as in the paper. blocks: batches from shuffled windows of 64 random blocks of
            1,024 rows, for disks with slow random access (uniform, blocks); default uniform
        loss:
            sum or mean of the squared errors in a batch (sum, mean); default sum
        optim:
            the optimiser (jang, sgd, adam, adabound, adabelief); default adabound
        rate:
            learning rate alpha; default 0.01
        schedule:
            learning rate after the warm-up: constant, or decreasing to 0 along half a cosine (constant, cosine); default
            constant
        warmup:
            fraction of the iterations in which the learning rate rises from 0; default 0
        average:
            use an exponential moving average of the iterates with this decay as the model (0: the last iterate); default
            0
        power:
            Powerball: every component g of a gradient becomes sign(g) |g|^P; default 1
        final_rate:
            adabound: final learning rate to which its bounds converge (0: --rate); default 0
        rate_up:
            jang: factor of the learning rate after four consecutive decreases of the loss; default 1.1
        rate_down:
            jang: factor of the learning rate after up, down, up, down (1: never decreased); default 0.9
        beta1:
            adam, adabound, adabelief: decay of the first moment; default 0.9
        beta2:
            adam, adabound, adabelief: decay of the second moment; default 0.999
        epsilon:
            adam, adabound, adabelief: term that keeps the denominator positive; default 1e-8
        l2:
            L2 regularisation of the slopes of the consequents; default 0.05
        balance:
            uniform regularisation: LAMBDA times the squared differences between the mean normalised firing levels in a
            batch and 1 / rules; a step takes three times as long (0: none); default 0
        refit:
            refit the consequents by least squares over all rows after the last step, with this L2 penalty (0: no refit);
            default 0
        drop:
            what is dropped at random for each row of a batch (none, rule, mf, membership); default rule
        keep:
            probability of keeping a rule, MF or membership (P in the paper); default 0.5
        noise:
            random noise added to the inputs of a batch, in standard deviations; default 0
        huber:
            Huber loss: errors above D, in transformed units, count linearly (0: squared loss); default 0
        sigma_floor:
            minimum width of MFs, as a factor of the smallest initial width (gauss-a: no minimum); default 1
        valid_fraction:
            fraction of the rows held out to select the best iterate; default 0
        patience:
            stop after K iterations without a better validation RMSE (0: never); default 0
        intervals:
            calibrate prediction intervals by cross-validation with N folds, which trains N more times. 0: auto uses its
            own validation, other presets have no intervals; default 0
        precision:
            precision of the kernels: f64, or f32, which is faster and less exact (f64, f32); default f64
        budget:
            auto: CPU time that the search plans to use, on one core of a typical machine; a minimum of work is always
            done (0: as needed, at most two minutes, eight for auto-ensemble). The work is planned and not timed, so
            results are reproducible; default 0
        student:
            auto: whether the final model may be distilled from the ensemble of the best models and boosted trees; no: the
            best single model (yes, no); default yes
        seed:
            random seed; default 0
        targets:
            columns to predict (default: the last column)
        ignore:
            columns to ignore
        categorical:
            columns to read as categories, even if they look like numbers, dates or identifiers
        numeric:
            columns to read as numbers, even if one only counts the rows; text in them is an error
        weights:
            column of row weights (at least 0)
        group:
            cv and validation of auto: rows with the same value in this column are held out together; it is not an input
        missing:
            cells that denote missing values, in addition to empty ones; default NA,N/A,NaN,?,null,None,<null>
        header:
            whether the first line contains column names (auto, yes, no); default auto
        delimiter:
            column separator (auto, comma, semicolon, tab); default auto
        threads:
            number of threads (0: one per core); does not affect results; default 0
        memory:
            memory for rows and temporary data, in addition to the model; rows that do not fit stay on disk; does not
            affect results; default 256MB
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
