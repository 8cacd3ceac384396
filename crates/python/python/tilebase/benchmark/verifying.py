"""Whether a result file is what it claims."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from tilebase.rules import Rules

from . import exact, games, statistics
from .exact import EXACT_GAMES
from .games import VARIANT
from .policies import PolicyFile
from .results import Result, ResultError, Tell, is_complete

#: Numbers agree if they differ by no more than this, relatively or absolutely.
RELATIVE, ABSOLUTE = 1e-9, 1e-12


@dataclass
class Verdict:
    """What was checked, and what was wrong."""

    checked: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        return not self.wrong

    def __str__(self) -> str:
        lines = [f"ok: {text}" for text in self.checked] + [f"WRONG: {text}" for text in self.wrong]
        return "\n".join(lines)

    def compare(self, what: str, claimed: Any, found: Any, absolute: float = ABSOLUTE) -> bool:
        """Notes a difference."""
        if not same(claimed, found, absolute):
            self.wrong.append(f"{what}: the file says {_short(claimed)}, it is {_short(found)}")
            return False
        return True


def verify(result: Result, policy: str | Path | None = None, tell: Tell = lambda text: None) -> Verdict:
    """Replays the record by the rules, computes all figures again, and solves the exact games again. With the
    policy, also plays and evaluates it again.
    """
    verdict = Verdict()
    try:
        _verify_record(result.content, verdict, tell)
        _verify_optimal(result.content, verdict, tell)
        if policy is not None:
            _verify_policy(result.content, PolicyFile(Path(policy)), verdict, tell)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, OverflowError) as error:
        raise ResultError(f"the result file is damaged: {type(error).__name__}: {error}") from error
    return verdict


def _verify_record(content: dict[str, Any], verdict: Verdict, tell: Tell) -> None:
    part, record = content["games"], content["games"]["record"]
    count = int(part["count"])
    moves = np.asarray(record["moves"], dtype=np.int64)
    before = len(verdict.wrong)
    verdict.compare("the variant", part["variant"], VARIANT)
    verdict.compare("the first seed", part["first_seed"], games.FIRST_SEED)
    verdict.compare("the number of games", count, len(moves))
    listed = {game["variant"] for game in content["exact"]}
    verdict.compare("complete", content["complete"], is_complete(count, listed))
    if len(moves) == 0 or (moves < 0).any():
        verdict.wrong.append("the numbers of moves make no sense")
        return
    actions = games.unpack(record["actions"], int(moves.sum()))
    if actions is None:
        verdict.wrong.append(f"the record does not have {int(moves.sum()):,} actions")
        return
    tell("replaying the record")
    played, trouble = games.replay(moves, actions)
    if trouble is not None:
        verdict.wrong.append(trouble)
        return
    for name in ("score", "largest"):
        claimed, found = np.asarray(record[name]), getattr(played, name)
        if claimed.shape != found.shape:
            verdict.wrong.append(f"{name} has {claimed.size:,} entries for {len(found):,} games")
        elif (claimed != found).any():
            game = int((claimed != found).argmax())
            verdict.wrong.append(f"{name} of game {game}: the file says {claimed[game]}, it is {found[game]}")
    for name, figures in statistics.summary(played.score, played.moves, played.largest).items():
        verdict.compare(name, part[name], figures)
    if len(verdict.wrong) == before:
        verdict.checked.append(f"{count:,} games replayed, {int(moves.sum()):,} moves: scores, tiles and statistics")


def _verify_optimal(content: dict[str, Any], verdict: Verdict, tell: Tell) -> None:
    for game in content["exact"]:
        variant = game["variant"]
        if variant not in EXACT_GAMES:
            verdict.wrong.append(f"{variant} is no exact game of the protocol")
            continue
        if not game["supported"]:
            continue
        tell(f"{variant}: solving")
        table = exact.solved(variant)
        good = verdict.compare(f"{variant}: optimal", game["optimal"], table.start_value)
        good &= verdict.compare(f"{variant}: states", game["states"], table.states)
        good &= verdict.compare(f"{variant}: regret", game["regret"], game["optimal"] - game["value"])
        if good:
            verdict.checked.append(f"{variant} solved again: optimal value {table.start_value:.6f}")


def _verify_policy(content: dict[str, Any], file: PolicyFile, verdict: Verdict, tell: Tell) -> None:
    claimed = {content["policy"]["name"]: content["policy"]["sha256"], **content["policy"]["files"]}
    hashes = file.hashes()
    # A file may have another name here.
    renamed = dict(zip([content["policy"]["name"], *list(hashes)[1:]], hashes.values(), strict=True))
    if renamed != claimed:
        verdict.wrong.append(f"{file.path} is not the policy of the result: its SHA-256 differs")
        return
    verdict.checked.append(f"{file.path} is the policy of the result, by its SHA-256")
    _play_again(content["games"], file, verdict, tell)
    for game in content["exact"]:
        found = exact.evaluate(file, game["variant"], bool(game.get("symmetric")), tell)
        found.pop("seconds", None)
        # However small, the value itself must be right.
        good = [
            verdict.compare(f"{game['variant']}: {key}", game.get(key), found[key], 0.0 if key == "value" else ABSOLUTE)
            for key in found
        ]
        if all(good):
            verdict.checked.append(f"{game['variant']} evaluated again")


def _play_again(part: dict[str, Any], file: PolicyFile, verdict: Verdict, tell: Tell) -> None:
    count = int(part["count"])
    player = file.player(Rules(VARIANT))
    if player is None:
        verdict.wrong.append(f"the policy does not play {VARIANT}")
        return
    played = games.play(player, count, lambda done, moves: tell(f"{VARIANT}: {done:,} of {count:,} games again"))
    good = verdict.compare("illegal", part["illegal"], player.illegal)
    if games.pack(played.actions) != part["record"]["actions"]:
        different = int((played.score != np.asarray(part["record"]["score"])).sum())
        verdict.wrong.append(
            f"the policy plays other moves: {different:,} of {count:,} scores differ; "
            "a policy must be a function of the board, and floating point may differ between machines"
        )
    elif good:
        verdict.checked.append(f"{count:,} games played again, move by move the same")


def same(claimed: Any, found: Any, absolute: float = ABSOLUTE) -> bool:
    """Whether two values are the same, numbers up to rounding."""
    if isinstance(found, dict):
        return isinstance(claimed, dict) and claimed.keys() == found.keys() and all(
            same(claimed[key], value, absolute) for key, value in found.items()
        )
    if isinstance(found, (list, tuple)):
        return isinstance(claimed, list) and len(claimed) == len(found) and all(
            same(one, other, absolute) for one, other in zip(claimed, found)
        )
    if isinstance(found, float) and isinstance(claimed, (int, float)):
        return math.isclose(claimed, found, rel_tol=RELATIVE, abs_tol=absolute)
    return bool(claimed == found)


def _short(value: Any) -> str:
    text = str(value)
    return text if len(text) <= 80 else text[:77] + "..."
