"""Checks models of games in Storm's exact arithmetic; run by scripts/storm.

Prints one line of JSON for each model: the largest and smallest probability of winning, and
the largest expected score and number of moves until the game is won or lost, each as an exact
fraction and as the nearest number.
"""

import json
import sys
from fractions import Fraction

import stormpy

PROPERTIES = {
    "win": 'Pmax=? [F "win"]',
    "worst": 'Pmin=? [F "win"]',
    "score": 'R{"score"}max=? [F "win" | "lose"]',
    "moves": 'R{"moves"}max=? [F "win" | "lose"]',
}


def check(path):
    model = stormpy.build_model_from_drn[stormpy.Rational](path)
    answer = {
        "model": path,
        "states": model.nr_states,
        "choices": model.nr_choices,
        "transitions": model.nr_transitions,
    }
    (start,) = model.initial_states
    for name, text in PROPERTIES.items():
        result = stormpy.model_checking(
            model, stormpy.parse_property(text), only_initial_states=True
        )
        exact = Fraction(str(result.get_value(start)))
        answer[name] = {"exact": str(exact), "value": float(exact)}
    return answer


if len(sys.argv) < 2:
    sys.exit("storm: no model given: scripts/storm MODEL.drn ...")
for path in sys.argv[1:]:
    print(json.dumps(check(path)), flush=True)
