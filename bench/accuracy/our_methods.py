"""Our methods: options of `sugeno train`, one line each. As a program: our_methods.py WORD... succeeds if all methods or groups are ours."""
import sys

OURS = {
    "auto": "--preset auto",
    "auto-accurate": "--preset auto --aim accurate",
    "auto-readable": "--preset auto --aim readable",
    "auto-ensemble": "--preset auto-ensemble",
    "additive": "--preset additive",
    "additive-pairs": "--preset additive-pairs",
    "mbgd-rda": "--preset mbgd-rda",
    "fcm-rdpa": "--preset fcm-rdpa",
    "rr": "--preset rr --pca 0",
    "hand": "--preset mbgd-rda --structure cluster --rules 32 --centres kmeans-y --mf gauss-a --target zscore --loss mean --pca 0 "
            "--optim adam --rate .02 --schedule cosine --warmup .02 --average .998 --start ridge --l2 .01 --iters 3000 --batch 64 --drop none",
}

# Changed options of a method: "METHOD:OPTION=VALUE" is METHOD with that option.
ABLATIONS = {
    "hand": ["start=zero", "average=0", "schedule=constant", "scale=quantile", "centres=kmeans", "centres=tree", "firing=mean", "noise=.1",
             "drop=rule,keep=.7"],
    "auto": ["student=no", "effects=", "low-rank=0", "limit=none", "scale=zscore", "noise=0", "drop=none,keep=1",
             "centres=kmeans-y,width=1,firing=product", "rules=32", "rules=16", "rules=8"],
}


def pairs(text):
    """{option: value} of a command line in which every option has one value."""
    words = text.split()
    return dict(zip(words[::2], words[1::2]))


def options_of(method):
    """Returns the words of the command line, or None if the method is not ours."""
    base, _, changes = method.partition(":")
    if base not in OURS:
        return None
    options = pairs(OURS[base])
    for change in filter(None, changes.split(",")):
        name, _, value = change.partition("=")
        options[f"--{name}"] = value
    return [word for pair in options.items() for word in pair]


def ablations(method):
    return [f"{method}:{change}" for change in ABLATIONS[method]]


if __name__ == "__main__":
    sys.exit(not all(word in ("ours", "ablation") or options_of(word) for word in sys.argv[1:]))
