"""2048 as environments of Gymnasium, and in the manner of other packages.

Ids are `tilebase/2048-v0`, the shapes `tilebase/2x2-v0` to `tilebase/4x4-v0`, targets such as
`tilebase/3x3-to-512-v0`, formations such as `tilebase/L3-to-512-v0`, and games with other start
tiles and spawn rules such as `tilebase/2048-one-start-tile-v0` and `tilebase/2048-twos-v0`. The
parameter `variant` takes any variant there is, registered or not.

>>> import gymnasium, tilebase
>>> env = gymnasium.make("tilebase/2048-v0", variant="3x4-to-1024")
>>> env.observation_space.shape
(3, 4)
>>> envs = gymnasium.make_vec("tilebase/2048-v0", num_envs=1024)
>>> envs.observation_space.shape
(1024, 4, 4)
"""

from __future__ import annotations

from collections.abc import Iterator

import gymnasium

from .adapters import JumanjiStyle, PgxState, PgxStyle, SpielState
from .orders import ORDERS, ActionOrder, VectorActionOrder, from_order, to_order
from .single import Env2048
from .vector import VectorEnv2048
from .wrappers import OneHot, VectorOneHot

__all__ = [
    "ORDERS",
    "ActionOrder",
    "Env2048",
    "JumanjiStyle",
    "OneHot",
    "PgxState",
    "PgxStyle",
    "SpielState",
    "VectorActionOrder",
    "VectorEnv2048",
    "VectorOneHot",
    "from_order",
    "register",
    "registered",
    "to_order",
]

SIDES = (2, 3, 4)

TARGETS = {
    "2x2": (8, 16, 32),
    "2x3": (16, 32, 64),
    "2x4": (32, 64, 128),
    "3x2": (16, 32, 64),
    "3x3": (128, 256, 512, 1024),
    "3x4": (512, 1024, 2048),
    "4x2": (32, 64, 128),
    "4x3": (512, 1024, 2048),
    "4x4": (512, 1024, 2048, 4096, 8192, 16384, 32768, 65536),
}

FORMATIONS = (
    *("L3", "L3t", "442", "442t", "t", "4421", "LL", "4431", "444", "4432", "4441"),
    *("free8", "free9", "free10"),
)

FORMATION_TARGETS = (128, 256, 512)


OTHERS = {
    "2048-one-start-tile": "4x4-start-1",
    "2048-three-start-tiles": "4x4-start-3",
    "2048-twos": "4x4-spawn-2:1",
    "2048-fours": "4x4-spawn-4:1",
    "2048-even-spawns": "4x4-spawn-2:0.5,4:0.5",
    "3x3-one-start-tile": "3x3-start-1",
    "3x3-twos": "3x3-spawn-2:1",
}
"""Games with other start tiles or spawn rules."""


def registered() -> Iterator[tuple[str, str]]:
    """All ids that `register` registers, with their variants.

    >>> ids = dict(registered())
    >>> ids["tilebase/2048-v0"], ids["tilebase/L3-to-512-v0"]
    ('4x4', '4x4-to-512-formation-L3')
    """
    yield "tilebase/2048-v0", "4x4"
    for rows in SIDES:
        for cols in SIDES:
            yield f"tilebase/{rows}x{cols}-v0", f"{rows}x{cols}"
    for shape, targets in TARGETS.items():
        for target in targets:
            yield f"tilebase/{shape}-to-{target}-v0", f"{shape}-to-{target}"
    for name in FORMATIONS:
        for target in FORMATION_TARGETS:
            variant = f"4x4-to-{target}-formation-{name}"
            yield f"tilebase/{name}-to-{target}-v0", variant
    for name, variant in OTHERS.items():
        yield f"tilebase/{name}-v0", variant


def register() -> None:
    """Tells Gymnasium the ids. `import tilebase` does it; a second time does nothing.

    >>> register()
    >>> "tilebase/3x3-to-512-v0" in gymnasium.registry
    True
    """
    for name, variant in registered():
        if name not in gymnasium.registry:
            gymnasium.register(
                id=name,
                entry_point="tilebase.envs.single:Env2048",
                vector_entry_point="tilebase.envs.vector:VectorEnv2048",
                kwargs={"variant": variant},
            )
