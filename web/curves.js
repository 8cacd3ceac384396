// What the chart of a review shows: the chances of the tiles that were at stake, or the value.
import { chance, valueText, whole } from "./numbers.js";

/** Curves of a chart: the tiles whose chances changed by this at least. */
const CURVES = 3;
const DOUBT = 0.1;
const TITLES = { probability: "Chance of winning over the game", points: "Expected further score", moves: "Expected moves to come" };

/** The data of a chart over `total` moves, and its title; `sentence(ply)` tells of a move that was not best. */
export function curves(verdicts, total, sentence) {
  verdicts.reserve(total);
  const { answer } = verdicts;
  const tiles = atStake(verdicts);
  const unit = tiles.length > 0 ? "probability" : answer.unit;
  const series = tiles.length > 0
    ? tiles.map((tile) => ({ name: String(tile), values: verdicts.chances.get(tile) }))
    : [{ name: null, values: verdicts.values }];
  const text = (v) => (unit !== "probability" ? valueText({ value: v, unit }, answer.objective, unit) : answer.exact ? chance(v) : rough(v));
  return {
    title: tiles.length === 1 ? `Chance of ${tiles[0]} over the game` : tiles.length > 1 ? "Chances over the game" : TITLES[unit] ?? "Heuristic score over the game, no unit",
    count: total + 1, series, top: unit === "probability" ? 1 : null,
    tick: (v) => (unit === "probability" ? `${+(100 * v).toPrecision(4)} %` : short(v)),
    say: (ply) => {
      const known = series.filter(({ values }) => !Number.isNaN(values[ply])).map(({ name, values }) => `${name ? `${name}: ` : ""}${text(values[ply])}`);
      const grade = verdicts.grade(ply);
      const slip = grade && !["best", "about_equal"].includes(grade) ? `, then ${sentence(ply)}` : "";
      return `Move ${whole(ply)}: ${known.join(", ") || "not reviewed yet"}${slip}`;
    },
  };
}

/** The tiles whose chances changed most, from the smallest. */
function atStake({ chances, count }) {
  const spread = [...chances].map(([tile, values]) => {
    let [least, most] = [1, 0];
    for (let ply = 0; ply <= count; ply += 1) {
      if (values[ply] < least) least = values[ply];
      if (values[ply] > most) most = values[ply];
    }
    return { tile, wide: most - least };
  });
  // The most that changes is always shown, and what never was in doubt is not.
  const chosen = spread.sort((a, b) => b.wide - a.wide).filter(({ wide }, i) => i === 0 || wide >= DOUBT).slice(0, CURVES);
  return chosen.map(({ tile }) => tile).sort((a, b) => a - b);
}

/** An estimated chance, without digits that say nothing. */
const rough = (p) => (p > 0 && p < 0.001 ? "under 0.1 %" : p < 1 && p > 0.999 ? "over 99.9 %" : `${(100 * p).toFixed(1)} %`);
const short = (v) => (Math.abs(v) >= 1e6 ? `${+(v / 1e6).toPrecision(3)}M` : Math.abs(v) >= 1e4 ? `${+(v / 1e3).toPrecision(3)}k` : String(+v.toPrecision(3)));
