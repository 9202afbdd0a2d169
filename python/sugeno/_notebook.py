"""The display of a fitted estimator in a notebook: rules and membership functions as plain HTML."""
from __future__ import annotations

import json
from html import escape
from typing import Any, Dict, Iterator, List, Tuple

from ._model import Model

_RULES, _INPUTS, _WIDTH, _HEIGHT = 12, 12, 160, 48
_STYLE = ("<style>.sugeno{font-size:90%}.sugeno td,.sugeno th{text-align:left!important;vertical-align:top;padding:2px 8px}"
          ".sugeno svg{display:block;background:rgba(128,128,128,.08)}</style>")


def plain(title: str) -> str:
    return f"<pre>{escape(title)}</pre>"


def _number(value: float) -> str:
    return f"{value:.4g}"


def _condition(c: Dict[str, Any]) -> str:
    if "level" in c:
        return f"{c['input']} is {'' if c.get('is') else 'not '}{c['level']}"
    if "is" in c:
        return f"{c['input']} is {c['is']}"
    if "c" in c:
        return f"{c['input']} is about {_number(c['c'])}"
    return str(c.get("text") or c.get("input") or "")


def _flat(slopes: Dict[str, Any]) -> Iterator[Tuple[str, float]]:
    """Flattens the slopes of categories, which have one per level."""
    for name, slope in slopes.items():
        if isinstance(slope, dict):
            yield from ((f"[{name} is {level}]", value) for level, value in slope.items())
        else:
            yield name, slope


def _formula(then: Dict[str, Any]) -> str:
    terms = sorted(_flat(then.get("slopes", {})), key=lambda t: -abs(t[1]))
    text = f"{then['target']} = {_number(then.get('constant', 0.0))}"
    for name, slope in terms[:6]:
        text += f" {'-' if slope < 0 else '+'} {_number(abs(slope))} {name}"
    return text + (" + …" if len(terms) > 6 else "")


def _rule(rule: Dict[str, Any]) -> str:
    share = f"{100 * rule['share']:.1f} %" if "share" in rule else ""
    conditions = " and ".join(_condition(c) for c in rule.get("if", [])) or "always"
    formula = "; ".join(_formula(t) for t in rule.get("then", []))
    return f"<tr><td>{rule.get('rule', '')}</td><td>{share}</td><td>{escape(conditions)}</td><td>{escape(formula)}</td></tr>"


def _curves(name: str, at: Any, functions: List[Any]) -> str:
    low, high = float(at[0]), float(at[-1])
    span = high - low or 1.0
    paths = []
    for values in functions[:40]:
        points = " ".join(f"{(x - low) / span * _WIDTH:.1f},{_HEIGHT - 2 - v * (_HEIGHT - 4):.1f}" for x, v in zip(at, values))
        paths.append(f'<polyline points="{points}" fill="none" stroke="currentColor" stroke-opacity=".6"/>')
    picture = f'<svg width="{_WIDTH}" height="{_HEIGHT}" role="img">{"".join(paths)}</svg>'
    return f"<tr><td>{escape(name)}</td><td>{picture}</td><td>{_number(low)} … {_number(high)}</td></tr>"


def page(model: Model, title: str) -> str:
    rules = json.loads(model.describe("json")).get("rules", [])
    shown = [_rule(r) for r in rules[:_RULES]]
    curves = list(model.memberships(60).items())
    inputs = [_curves(name, at, functions) for name, (at, functions) in curves[:_INPUTS]]
    more = f"<p>… {len(rules) - _RULES} more rules: <code>print(model.rules())</code></p>" if len(rules) > _RULES else ""
    functions = f"<details><summary>Membership functions</summary><table>{''.join(inputs)}</table></details>" if inputs else ""
    return (f'{_STYLE}<div class="sugeno"><pre>{escape(title)}</pre><table><tr><th>rule</th><th>coverage</th><th>if</th><th>then</th></tr>'
            f"{''.join(shown)}</table>{more}{functions}</div>")
