//! Figures of a run: iterations and seconds of each sweep line.

use crate::bdd::report::{Report, SweepLine};

// The page and the plot on it, in pixels.
const WIDTH: f64 = 900.0;
const HEIGHT: f64 = 420.0;
const LEFT: f64 = 80.0;
const RIGHT: f64 = 880.0;
const TOP: f64 = 52.0;
const BOTTOM: f64 = 330.0;

/// More names than this do not fit below the axis.
const MOST_NAMES: usize = 48;

/// An SVG figure of the iterations that each sweep line took, in the order in which the
/// lines were done.
pub fn iterations_svg(report: &Report) -> String {
    let title = format!("{}: iterations per sweep line", report.contest);
    bars(&title, "iterations", report, |line| line.iterations as f64)
}

/// An SVG figure of the seconds that each sweep line took, in the order in which the lines
/// were done.
pub fn seconds_svg(report: &Report) -> String {
    let title = format!("{}: seconds per sweep line", report.contest);
    bars(&title, "seconds", report, |line| line.seconds)
}

fn bars(title: &str, unit: &str, report: &Report, height: impl Fn(&SweepLine) -> f64) -> String {
    // Lines without a single won board say nothing but take room.
    let lines: Vec<&SweepLine> = report
        .sweep_lines
        .iter()
        .filter(|line| line.states > 0 || line.iterations > 1)
        .collect();
    let most = lines.iter().map(|line| height(line)).fold(0.0, f64::max);
    let step = tick(most);
    let top = if step > 0.0 {
        (most / step).ceil() * step
    } else {
        1.0
    };
    let y = |value: f64| BOTTOM - value / top * (BOTTOM - TOP);
    let middle = (LEFT + RIGHT) / 2.0;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
         width=\"{WIDTH}\" height=\"{HEIGHT}\" role=\"img\" font-size=\"12\" \
         font-family=\"'Latin Modern Roman', 'CMU Serif', 'STIX Two Text', 'Times New Roman', \
         Times, serif\" fill=\"#222\">\n<title>{title}</title>\n\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#fff\"/>\n\
         <text x=\"{middle}\" y=\"30\" font-size=\"17\" text-anchor=\"middle\">{title}</text>\n"
    );
    let mut value = 0.0;
    while value <= top * 1.0001 && step > 0.0 {
        let at = y(value);
        svg.push_str(&format!(
            "<path d=\"M{LEFT} {at:.1}H{RIGHT}\" stroke=\"#ddd\"/>\n\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>\n",
            LEFT - 6.0,
            at + 4.0,
            number(value)
        ));
        value += step;
    }
    let width = (RIGHT - LEFT) / lines.len().max(1) as f64;
    let every = lines.len().div_ceil(MOST_NAMES).max(1);
    for (at, line) in lines.iter().enumerate() {
        let (x, from) = (LEFT + at as f64 * width, y(height(line)));
        let name = &line.line;
        svg.push_str(&format!(
            "<rect x=\"{:.2}\" y=\"{from:.2}\" width=\"{:.2}\" height=\"{:.2}\" \
             fill=\"#02558f\"><title>{name}: {} {unit}</title></rect>\n",
            x + 0.1 * width,
            0.8 * width,
            BOTTOM - from,
            number(height(line))
        ));
        if at % every == 0 {
            let (x, y) = (x + width / 2.0 + 4.0, BOTTOM + 8.0);
            svg.push_str(&format!(
                "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"11\" text-anchor=\"end\" \
                 transform=\"rotate(-90 {x:.1} {y:.1})\">{name}</text>\n"
            ));
        }
    }
    svg.push_str(&format!(
        "<path d=\"M{LEFT} {TOP}V{BOTTOM}H{RIGHT}\" fill=\"none\" stroke=\"#222\"/>\n\
         <text x=\"{middle}\" y=\"{:.1}\" text-anchor=\"middle\">sweep line, in the order in \
         which they are done</text>\n\
         <text x=\"18\" y=\"{middle_y:.1}\" text-anchor=\"middle\" \
         transform=\"rotate(-90 18 {middle_y:.1})\">{unit}</text>\n</svg>\n",
        HEIGHT - 14.0,
        middle_y = (TOP + BOTTOM) / 2.0,
    ));
    svg
}

/// A round distance of ticks, of which about five reach to `most`.
fn tick(most: f64) -> f64 {
    if most <= 0.0 {
        return 0.0;
    }
    let power = 10f64.powf((most / 5.0).log10().floor());
    let round = [1.0, 2.0, 5.0, 10.0].map(|m| m * power);
    round
        .into_iter()
        .find(|step| most / step <= 6.0)
        .unwrap_or(10.0 * power)
}

/// A number with at most four digits after the point.
fn number(value: f64) -> String {
    let text = format!("{value:.4}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use crate::{Contest, Drops};
    use tilebase_util::progress::Silent;

    use super::*;
    use crate::bdd::{Options, Sweep, solve};

    fn report(sweep: Sweep) -> Report {
        let contest = Contest::new("2x2".parse().unwrap(), 4, Drops::Twos).unwrap();
        solve(
            &contest,
            &Options {
                sweep,
                ..Options::default()
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
        let empty = Report {
            sweep_lines: Vec::new(),
            ..report(Sweep::Sum)
        };
        assert!(roxmltree::Document::parse(&seconds_svg(&empty)).is_ok());
    }

    #[test]
    fn ticks_are_round() {
        assert_eq!(
            [tick(0.0), tick(4.0), tick(27.0), tick(0.3)].map(number),
            ["0", "1", "5", "0.05"]
        );
    }
}
