"""How much there is to read in a model: the conditions of its rules + its distinct terms + its nonzero numbers. A cell of a curve or table
counts once, as its number. As a program: reading_cost.py MODEL.json... prints the cost of each.

cost(model) is for our model files; accuracy.md.in defines the cost of the peers, which peers.py counts."""
import json
import sys


def nonzero(values):
    """The number of nonzero numbers in nested lists."""
    if isinstance(values, list):
        return sum(map(nonzero, values))
    return int(values not in (0, None))


def block_terms(block):
    """The distinct MFs that rules use, each as its kind, its view, its input and its parameters."""
    used = {i for rule in block["rules"] for i in rule["if"] if i >= 0}
    return {(block["mf"], block.get("sees"), *((k, v) for k, v in sorted(block["mfs"][i].items()) if k != "before")) for i in used}


def block_cost(block):
    """Conditions and numbers."""
    return sum(sum(i >= 0 for i in rule["if"]) + nonzero(rule["then"]) + nonzero(rule.get("tilt", [])) for rule in block["rules"])


def effect_cost(effect):
    """A target-encoded input is a table: its bins and values are terms, each with a number."""
    numbers = effect["bins"] + effect.get("effects", [])
    return len(numbers) + nonzero(numbers)


def flat(values):
    return [x for v in values for x in flat(v)] if isinstance(values, list) else [values]


def cells(then):
    """The cells that are not 0, of [target][cell] or [target][cell of one][cell of the other]: a cell is one number, whatever the number of targets."""
    return sum(any(numbers) for numbers in zip(*map(flat, then)))


def additive_cost(model):
    """Knots or levels are terms; values, also that of a missing input, and cells of pairs are numbers; the mean is one number."""
    curves, pairs = model.get("curves", []), model.get("pairs", [])
    terms = sum(len(c["then"][0]) for c in curves)
    numbers = sum(cells(c["then"]) + any(c.get("missing", [])) for c in curves) + sum(cells(p["then"]) for p in pairs)
    return terms + numbers + bool(curves)


def components_cost(model):
    """The loadings of principal components."""
    return sum(nonzero(step["components"]) for step in model.get("antecedents_see", []) if step["step"] == "pca")


def cost(model):
    blocks = model.get("blocks", [])
    terms = set().union(*map(block_terms, blocks))
    return (len(terms) + sum(map(block_cost, blocks)) + sum(map(effect_cost, model.get("effects", []))) + additive_cost(model)
            + components_cost(model))


if __name__ == "__main__":
    for path in sys.argv[1:]:
        with open(path) as file:
            print(cost(json.load(file)))
