//! The comparison as a picture: how long a search took, and how much longer than the lower bound
//! its plan is.

use crate::heuristic::Heuristic;
use crate::table::Row;

// The page and the plot on it, in pixels.
const WIDTH: f64 = 900.0;
const HEIGHT: f64 = 480.0;
const LEFT: f64 = 80.0;
const RIGHT: f64 = 650.0;
const TOP: f64 = 52.0;
const BOTTOM: f64 = 420.0;

/// Seconds at the left and at the right, as powers of ten.
const DECADES: (i32, i32) = (-5, 2);

/// Plans that are so many times as long as the bound are at the top.
const MOST: f64 = 3.0;

/// A colour that can be told from the others by most people.
fn colour(heuristic: Heuristic) -> &'static str {
    match heuristic {
        Heuristic::MaxTileWeight => "#882255",
        Heuristic::NextMax => "#0072b2",
        Heuristic::AdjacentPropagation => "#009e73",
        Heuristic::AdjacentLine => "#e69f00",
        Heuristic::Sum => "#999999",
        Heuristic::Merge => "#56b4e9",
        Heuristic::Tidy => "#d55e00",
    }
}

/// An SVG figure of a comparison: full dots for ours, rings for the published figures.
pub fn comparison_svg(rows: &[Row]) -> String {
    let title = "Slides and seconds of plans, ours and published";
    let middle = (LEFT + RIGHT) / 2.0;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
         width=\"{WIDTH}\" height=\"{HEIGHT}\" role=\"img\" font-size=\"12\" \
         font-family=\"'Latin Modern Roman', 'CMU Serif', 'STIX Two Text', 'Times New Roman', \
         Times, serif\" fill=\"#222\">\n<title>{title}</title>\n\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#fff\"/>\n\
         <text x=\"{middle}\" y=\"30\" font-size=\"17\" text-anchor=\"middle\">{title}</text>\n"
    );
    axes(&mut svg, middle);
    for row in rows {
        let name = format!(
            "{} to {}, {}",
            row.task.shape(),
            tilebase_game::tile_value(row.task.goal()),
            row.heuristic
        );
        let bound = row.task.lower_bound() as f64;
        let fill = colour(row.heuristic);
        if let Some(published) = row.published
            && let Some(steps) = published.steps
        {
            let (x, y) = (across(published.seconds), up(f64::from(steps) / bound));
            svg.push_str(&format!(
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"5\" fill=\"none\" stroke=\"{fill}\" \
                 stroke-width=\"1.5\"><title>{name}, published: {steps} slides in {} s</title>\
                 </circle>\n",
                published.seconds
            ));
        }
        if row.outcome.reached {
            let steps = row.outcome.plan.steps();
            let (x, y) = (across(row.seconds), up(steps as f64 / bound));
            svg.push_str(&format!(
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\" fill=\"{fill}\" \
                 fill-opacity=\"0.75\"><title>{name}: {steps} slides in {:.5} s</title>\
                 </circle>\n",
                row.seconds
            ));
        }
    }
    legend(&mut svg);
    svg.push_str("</svg>\n");
    svg
}

/// Where so many seconds are.
fn across(seconds: f64) -> f64 {
    let (first, last) = DECADES;
    let decades = seconds.max(1e-9).log10().clamp(first.into(), last.into()) - f64::from(first);
    LEFT + decades / f64::from(last - first) * (RIGHT - LEFT)
}

/// Where a multiple of the bound is.
fn up(times: f64) -> f64 {
    BOTTOM - (times.min(MOST) - 1.0) / (MOST - 1.0) * (BOTTOM - TOP)
}

fn axes(svg: &mut String, middle: f64) {
    for decade in DECADES.0..=DECADES.1 {
        let x = across(10f64.powi(decade));
        let label = match decade {
            0.. => format!("{}", 10i32.pow(decade.unsigned_abs())),
            _ => format!("0.{:0>1$}", 1, decade.unsigned_abs() as usize),
        };
        svg.push_str(&format!(
            "<path d=\"M{x:.1} {TOP}V{BOTTOM}\" stroke=\"#ddd\"/>\n\
             <text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{label}</text>\n",
            BOTTOM + 18.0
        ));
    }
    for tenth in (10..=30).step_by(5) {
        let times = f64::from(tenth) / 10.0;
        let y = up(times);
        svg.push_str(&format!(
            "<path d=\"M{LEFT} {y:.1}H{RIGHT}\" stroke=\"#ddd\"/>\n\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{times:.1}</text>\n",
            LEFT - 6.0,
            y + 4.0
        ));
    }
    svg.push_str(&format!(
        "<path d=\"M{LEFT} {TOP}V{BOTTOM}H{RIGHT}\" fill=\"none\" stroke=\"#222\"/>\n\
         <text x=\"{middle}\" y=\"{:.1}\" text-anchor=\"middle\">seconds</text>\n\
         <text x=\"24\" y=\"{y:.1}\" text-anchor=\"middle\" transform=\"rotate(-90 24 {y:.1})\">\
         slides, as a multiple of the lower bound</text>\n",
        BOTTOM + 42.0,
        y = (TOP + BOTTOM) / 2.0,
    ));
}

fn legend(svg: &mut String) {
    let x = RIGHT + 30.0;
    for (heuristic, line) in Heuristic::ALL.into_iter().zip(0..) {
        let y = TOP + 20.0 + 22.0 * f64::from(line);
        svg.push_str(&format!(
            "<circle cx=\"{x}\" cy=\"{:.1}\" r=\"4\" fill=\"{}\"/>\n\
             <text x=\"{:.1}\" y=\"{y:.1}\">{heuristic}</text>\n",
            y - 4.0,
            colour(heuristic),
            x + 14.0
        ));
    }
    for (word, fill, line) in [("ours", "#222", 8), ("published", "none", 9)] {
        let y = TOP + 20.0 + 22.0 * f64::from(line);
        svg.push_str(&format!(
            "<circle cx=\"{x}\" cy=\"{:.1}\" r=\"4.5\" fill=\"{fill}\" stroke=\"#222\"/>\n\
             <text x=\"{:.1}\" y=\"{y:.1}\">{word}</text>\n",
            y - 4.0,
            x + 14.0
        ));
    }
}

#[cfg(test)]
mod tests {
    use tilebase_util::progress::Silent;

    use super::*;
    use crate::table::{CELLS, PUBLISHED, compare};

    #[test]
    fn every_figure_has_its_mark() {
        let rows = compare(4, &Silent).unwrap().unwrap();
        assert_eq!(rows.len(), CELLS.len() * Heuristic::ALL.len());
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
