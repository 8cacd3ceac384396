//! The comparison as a picture: how long a search took, and how much longer than the lower bound
//! its plan is.

use tilebase_util::chart::{Axis, Chart, Layout, Mark};

use crate::comparison::ComparisonRow;
use crate::heuristic::Heuristic;

/// Seconds at the left and at the right.
const SECONDS: (f64, f64) = (1e-5, 1e2);

/// Plans this many times as long as the bound are at the top.
const MOST: f64 = 3.0;

/// A colour that most people can tell from the others.
fn colour(heuristic: Heuristic) -> &'static str {
    match heuristic {
        Heuristic::MaxTileWeight => "#882255",
        Heuristic::NextMax => "#0072b2",
        Heuristic::AdjacentPropagation => "#009e73",
        Heuristic::AdjacentLine => "#e69f00",
        Heuristic::Sum => "#999999",
        Heuristic::Merge => "#56b4e9",
        Heuristic::Smoothness => "#d55e00",
    }
}

/// An SVG figure of a comparison: full dots for ours, rings for the published figures.
pub fn comparison_svg(rows: &[ComparisonRow]) -> String {
    let mut chart = Chart::new(
        "Slides and seconds of plans, ours and published",
        Layout {
            right: 250.0,
            ..Layout::default()
        },
        Axis::logarithmic("seconds", SECONDS.0, SECONDS.1),
        Axis::linear("slides, as a multiple of the lower bound", 1.0, MOST),
    );
    for row in rows {
        let name = format!(
            "{} to {}, {}",
            row.task.shape(),
            tilebase_game::tile_value(row.task.goal()),
            row.heuristic
        );
        let bound = row.task.lower_bound() as f64;
        let colour = colour(row.heuristic).to_owned();
        if let Some(published) = row.published
            && let Some(steps) = published.steps
        {
            let seconds = published.seconds;
            let title = format!("{name}, published: {steps} slides in {seconds} s");
            let times = f64::from(steps) / bound;
            chart.mark(seconds, times, &Mark::Ring(colour.clone()), &title);
        }
        if row.outcome.reached {
            let (steps, seconds) = (row.outcome.plan.steps(), row.seconds);
            let title = format!("{name}: {steps} slides in {seconds:.5} s");
            chart.mark(seconds, steps as f64 / bound, &Mark::Dot(colour), &title);
        }
    }
    let heuristics = Heuristic::ALL.into_iter();
    let colours = heuristics.map(|heuristic| {
        let mark = Mark::Dot(colour(heuristic).to_owned());
        (mark, heuristic.to_string())
    });
    let kinds = [
        (Mark::Dot("#222".to_owned()), "ours".to_owned()),
        (Mark::Ring("#222".to_owned()), "published".to_owned()),
    ];
    chart.legend("heuristic", colours.chain(kinds));
    chart.finish()
}

#[cfg(test)]
mod tests {
    use tilebase_util::progress::Silent;

    use super::*;
    use crate::comparison::{COMPARED, PUBLISHED, compare};

    #[test]
    fn every_figure_has_its_mark() {
        let rows = compare(4, &Silent).unwrap().unwrap();
        assert_eq!(rows.len(), COMPARED.len() * Heuristic::ALL.len());
        let marked = rows.iter().filter(|row| row.published.is_some()).count();
        assert_eq!(marked, PUBLISHED.len());
        let svg = comparison_svg(&rows);
        let document = roxmltree::Document::parse(&svg).unwrap();
        let marks = document.descendants();
        let marks = marks.filter(|node| node.has_tag_name("circle")).count();
        // One published figure has no slides.
        assert_eq!(
            marks,
            rows.len() + PUBLISHED.len() - 1 + Heuristic::ALL.len() + 2
        );
        assert!(!svg.contains("NaN") && !svg.contains("inf"));
    }
}
