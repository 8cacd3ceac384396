"""The checks of play: slides, spawns, illegal actions, masks, ends, seeds."""

from __future__ import annotations

from . import positions, rules
from .record import Record, Transition
from .report import Finding
from .rules import DIRECTIONS, text_of


def describe(record: Record, step: Transition) -> str:
    """One step in one line."""
    direction = DIRECTIONS[record.order[step.action]]
    after = step.error or ("(not shown)" if step.after is None else text_of(step.after))
    end = ", end of the game" if step.terminated else ""
    return f"{text_of(step.before)} {direction} -> {after}, reward {step.reward:g}{end}"


def new_tiles(record: Record, step: Transition) -> list[int] | None:
    """The cells of new tiles after a slide that is right; None if it is wrong or not shown."""
    slid, _ = rules.slide(step.before, record.order[step.action])
    if step.after is None or any(tile not in (0, now) for tile, now in zip(slid, step.after)):
        return None
    return [cell for cell in range(16) if slid[cell] == 0 and step.after[cell] != 0]


def is_large(step: Transition) -> bool:
    """Positions with tiles beyond 32768 have checks of their own."""
    return max(step.before) > 15 or step.before == positions.MAKES_65536


def order(record: Record) -> Finding:
    names = ", ".join(DIRECTIONS[direction] for direction in record.order)
    share = f"explains {record.agreement:.2%} of the first {len(record.explored):,} actions that moved something"
    if record.agreement < 0.5 or record.agreement == record.runner_up:
        return Finding("order of actions", "fail", f"no order of the four slides fits; the best one {share}")
    evidence = f"{names}: {share}, the next best order {record.runner_up:.1%}"
    return Finding("order of actions", "pass", evidence)


def slides(record: Record) -> Finding:
    name = "slides and merges"
    steps = [s for s in record.slides if not is_large(s) and (s.after is not None or s.error is not None)]
    wrong = [step for step in steps if new_tiles(record, step) is None]
    how = "from games and from all lines of 2, 4 and 8 set up" if record.crafted else "from games"
    if wrong:
        return Finding(
            name, "fail", f"{len(wrong):,} of {len(steps):,} legal slides went wrong", describe(record, wrong[0])
        )
    return Finding(name, "pass", f"{len(steps):,} legal slides {how}, all as by the rules")


def _spawn(record: Record, name: str, steps: list[Transition], where: str) -> Finding:
    if not steps:
        return Finding(name, "not tested", f"no legal slide {where} was seen")
    counts = [new_tiles(record, step) for step in steps]
    right = [(step, cells) for step, cells in zip(steps, counts) if cells is not None]
    none = [step for step, cells in right if not cells]
    many = [step for step, cells in right if len(cells) > 1]
    other = [s for s, cells in right if len(cells) == 1 and s.after is not None and s.after[cells[0]] > 2]
    if none or many or other:
        wrong = (none + many + other)[0]
        evidence = f"of {len(right):,} legal slides {where} {len(none):,} added no tile, {len(many):,} more than"
        evidence += f" one, {len(other):,} a tile that is neither 2 nor 4"
        return Finding(name, "fail", evidence, describe(record, wrong))
    return Finding(name, "pass", f"exactly one new 2 or 4 after each of {len(right):,} legal slides {where}")


def spawn(record: Record) -> Finding:
    steps = [step for step in record.slides if not is_large(step) and 0 in step.before]
    return _spawn(record, "spawn after a slide", steps, "on a board with room")


def spawn_full(record: Record) -> Finding:
    steps = [step for step in record.slides if not is_large(step) and 0 not in step.before]
    return _spawn(record, "spawn after a merge on a full board", steps, "on a full board")


def illegal(record: Record) -> Finding:
    name = "illegal actions"
    steps = [step for step in record.idle if not is_large(step)]
    if not steps:
        return Finding(name, "not tested", "no action without effect was tried")
    refused = [step for step in steps if step.error is not None]
    ended = [step for step in steps if step.terminated or (step.after is None and step.error is None)]
    changed = [s for s in steps if s.after is not None and s.after != s.before and not s.terminated]
    rewards = sorted({step.reward for step in steps if step.error is None})
    shown = ", ".join(f"{reward:g}" for reward in rewards[:3]) + (", ..." if len(rewards) > 3 else "")
    total = f"{len(steps):,} actions that change nothing"
    if changed:
        evidence = f"after {len(changed):,} of {total} the board was another one (rewards {shown})"
        return Finding(name, "fail", evidence, describe(record, changed[0]))
    if refused:
        return Finding(name, "differs", f"refused with an error, {len(refused):,} of {total}: {refused[0].error}")
    if ended:
        evidence = f"{len(ended):,} of {total} ended the game, reward {shown}"
        return Finding(name, "differs", evidence, describe(record, ended[0]))
    if rewards != [0.0]:
        return Finding(name, "differs", f"the board stays as it is, with reward {shown}, in all of {total}")
    return Finding(name, "pass", f"the board stays as it is and the reward is 0 in all of {total}")


def mask(record: Record) -> Finding:
    name = "action mask"
    if not record.masks:
        return Finding(name, "not tested", "no mask of legal actions is offered")
    wrong = []
    for board, offered in record.masks:
        allowed = rules.legal(board)
        right = tuple(allowed[direction] for direction in record.order)
        if any(right) and offered != right:
            wrong.append((board, offered, right))
    if not wrong:
        return Finding(name, "pass", f"right in all of {len(record.masks):,} positions")
    board, offered, right = wrong[0]
    missing = sum(any(r and not o for o, r in zip(o_, r_)) for _, o_, r_ in wrong)
    evidence = f"wrong in {len(wrong):,} of {len(record.masks):,} positions: {missing:,} lack a legal slide, "
    evidence += f"{len(wrong) - missing:,} only allow too much"
    empty = sum(not any(o_) for _, o_, _ in wrong)
    if empty:
        evidence += f"; {empty:,} allow nothing although the game goes on"
    told = ",".join(DIRECTIONS[d] for d, flag in zip(record.order, offered) if flag) or "nothing"
    return Finding(name, "fail", evidence, f"{text_of(board)}: the mask allows {told}")


def stuck(record: Record) -> Finding:
    name = "ends when stuck"
    steps = [s for s in record.explored + record.played + record.crafted if not is_large(s)]
    ends = []
    for step in steps:
        if step.after is not None and rules.stuck(step.after):
            ends.append(step)
        elif step.error is None:
            slid, _ = rules.slide(step.before, record.order[step.action])
            if slid != step.before and rules.chance_of_stuck(slid)[1]:
                ends.append(step)
    missed = [step for step in ends if not step.terminated]
    if not ends:
        return Finding(name, "not tested", f"no stuck position in {len(steps):,} steps")
    if missed:
        evidence = f"{len(missed):,} of {len(ends):,} stuck positions did not end the game"
        return Finding(name, "fail", evidence, describe(record, missed[0]))
    return Finding(name, "pass", f"all {len(ends):,} stuck positions ended the game")


def _justified(record: Record, step: Transition) -> bool:
    if step.after is not None:
        return rules.stuck(step.after)
    return rules.chance_of_stuck(rules.slide(step.before, record.order[step.action])[0])[0]


def goes_on(record: Record) -> Finding:
    name = "goes on until stuck"
    milestones = {board for pair in positions.MILESTONES.values() for board in pair}
    steps = [step for step in record.slides if step.before not in milestones]
    ends = [step for step in steps if step.terminated]
    early = [step for step in ends if not _justified(record, step)]
    cut = sum(step.truncated and not step.terminated for step in steps)
    note = f"; {cut:,} games were cut off by a limit" if cut else ""
    if early:
        evidence = f"{len(early):,} of {len(ends):,} ends came although a slide was possible{note}"
        return Finding(name, "fail", evidence, describe(record, early[0]))
    return Finding(name, "pass", f"no end before the position was stuck in {len(steps):,} slides{note}")


def large(record: Record, exponent: int) -> Finding:
    """Can this tile be made and does the game go on with it?"""
    name = f"{1 << exponent} is made and the game goes on"
    if not record.settable:
        return Finding(name, "not tested", "positions cannot be set up")
    makes, holds = positions.MILESTONES[exponent]
    steps = [step for step in record.crafted if step.before in (makes, holds)]
    if not steps:
        return Finding(name, "not tested", f"the position could not be set up: {record.set_error}")
    made = [step for step in steps if step.before == makes]
    for step in steps:
        if step.error is not None:
            return Finding(name, "fail", f"the step raised {step.error}", describe(record, step))
        if step.terminated:
            verb = "making it" if step in made else "a slide with it on the board"
            return Finding(name, "fail", f"{verb} ended the game", describe(record, step))
        cells = new_tiles(record, step)
        if cells is None or len(cells) != 1:
            return Finding(name, "fail", "the board is another one than by the rules", describe(record, step))
    rewards = ", ".join(sorted({f"{step.reward:g}" for step in made}))
    return Finding(name, "pass", f"{len(steps)} slides that make or hold it are right; reward for making it: {rewards}")


def seeds(record: Record) -> Finding:
    name = "same seed, same game"
    different = [index for index, (first, second) in enumerate(record.repeats) if first != second]
    games = [tuple(first) for first, _ in record.repeats]
    if different:
        evidence = f"{len(different)} of {len(record.repeats)} games with the same seed and actions came out differently"
        return Finding(name, "fail", evidence)
    if len(games) > 1 and len({game[0] for game in games}) == 1:
        return Finding(name, "fail", f"all of {len(games)} seeds give the same start")
    length = sum(len(game) for game in games)
    return Finding(name, "pass", f"{len(games)} games of {length} boards in all came out the same twice")
