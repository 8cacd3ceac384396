//! Figures of a run: iterations and seconds of each sweep line.

use tilebase_util::chart::{Axis, Chart, Layout, grouped};

use crate::bdd::report::{BddReport, SweepLine};

/// An SVG figure of the iterations that each sweep line took, in the order in which the
/// lines were done.
pub fn iterations_svg(report: &BddReport) -> String {
    let title = format!("{}: iterations per sweep line", report.contest);
    bars(&title, "iterations", report, |line| line.iterations as f64)
}

/// An SVG figure of the seconds that each sweep line took, in the order in which the lines
/// were done.
pub fn seconds_svg(report: &BddReport) -> String {
    let title = format!("{}: seconds per sweep line", report.contest);
    bars(&title, "seconds", report, |line| line.seconds)
}

fn bars(title: &str, unit: &str, report: &BddReport, height: impl Fn(&SweepLine) -> f64) -> String {
    // Lines without a won board say nothing but take room.
    let lines: Vec<&SweepLine> = report
        .sweep_lines
        .iter()
        .filter(|line| line.states > 0 || line.iterations > 1)
        .collect();
    let names: Vec<&str> = lines.iter().map(|line| &line.line[..]).collect();
    let most = lines.iter().map(|line| height(line)).fold(0.0, f64::max);
    let mut chart = Chart::new(
        title,
        Layout {
            height: 420.0,
            right: 20.0,
            bottom: 90.0,
            ..Layout::default()
        },
        Axis::categories("sweep line, in the order in which they are done", &names),
        Axis::from_zero(unit, most),
    );
    for (at, (line, name)) in lines.iter().zip(&names).enumerate() {
        let sides = (at as f64 + 0.1, at as f64 + 0.9);
        let title = format!("{name}: {} {unit}", grouped(height(line)));
        chart.bar(sides, height(line), "#02558f", &title);
    }
    chart.finish()
}

#[cfg(test)]
mod tests {
    use crate::{Contest, DropTiles};
    use tilebase_util::progress::Silent;

    use super::*;
    use crate::bdd::{BddOptions, Sweep, solve};

    fn report(sweep: Sweep) -> BddReport {
        let contest = Contest::new("2x2".parse().unwrap(), 4, DropTiles::Twos).unwrap();
        solve(
            &contest,
            &BddOptions {
                sweep,
                ..BddOptions::default()
            },
            &Silent,
        )
        .unwrap()
    }

    #[test]
    fn figures_have_a_bar_for_each_line() {
        for &sweep in Sweep::ALL {
            let report = report(sweep);
            for svg in [iterations_svg(&report), seconds_svg(&report)] {
                let document = roxmltree::Document::parse(&svg).unwrap();
                let bars = document
                    .descendants()
                    .filter(|node| node.has_tag_name("rect"))
                    .count()
                    - 1;
                assert!(
                    (1..=report.lines).contains(&bars),
                    "{bars} of {}",
                    report.lines
                );
                assert!(!svg.contains("NaN") && !svg.contains("inf"));
            }
        }
    }

    #[test]
    fn names_and_numbers_can_be_read() {
        let svg = iterations_svg(&report(Sweep::Largest));
        let document = roxmltree::Document::parse(&svg).unwrap();
        let texts: Vec<&str> = document
            .descendants()
            .filter_map(|node| node.text())
            .collect();
        assert!(texts.contains(&"2x2-to-16-drops-2: iterations per sweep line"));
        assert!(texts.contains(&"(3,1)"), "{texts:?}");
    }

    #[test]
    fn without_lines_there_are_only_axes() {
        let empty = BddReport {
            sweep_lines: Vec::new(),
            ..report(Sweep::Sum)
        };
        assert!(roxmltree::Document::parse(&seconds_svg(&empty)).is_ok());
    }
}
