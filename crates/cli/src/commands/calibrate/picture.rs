//! The reliability diagram.

use tilebase_schema::CalibrationAnswer;
use tilebase_util::chart::{Axis, Chart, Layout, Mark, colour};

/// Bins of fewer games say too little to be drawn.
const LEAST_GAMES: u64 = 5;

/// Forecasts of chances against what happened, as SVG: dots on the diagonal are right.
pub fn reliability(answer: &CalibrationAnswer) -> String {
    let axis = |label| Axis::from_zero(label, 1.0);
    let mut chart = Chart::new(
        "Chances of tiles: forecast and observed",
        Layout::default(),
        axis("forecast"),
        axis("observed"),
    );
    let (x, y) = ([chart.x(0.0), chart.x(1.0)], [chart.y(0.0), chart.y(1.0)]);
    chart.push(&format!(
        "<path d=\"M{:.1} {:.1}L{:.1} {:.1}\" stroke=\"#888\" stroke-dasharray=\"4 4\"/>",
        x[0], y[0], x[1], y[1]
    ));
    let tiles: Vec<_> = answer
        .tiles
        .iter()
        .filter(|tile| tile.tile >= 2048)
        .collect();
    let mark = |at| Mark::Dot(colour(at, tiles.len()));
    for (at, tile) in tiles.iter().enumerate() {
        for bin in tile.bins.iter().filter(|bin| bin.games >= LEAST_GAMES) {
            let title = format!(
                "{}: forecast {:.3}, observed {:.3}, {} positions of {} games",
                tile.tile, bin.forecast, bin.observed, bin.samples, bin.games
            );
            chart.mark(bin.forecast, bin.observed, &mark(at), &title);
        }
    }
    let entries = tiles.iter().enumerate();
    chart.legend(
        "tile",
        entries.map(|(at, tile)| (mark(at), tile.tile.to_string())),
    );
    chart.finish()
}
