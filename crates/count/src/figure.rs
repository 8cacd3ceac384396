//! A chart of the layers: states of each, by largest tile.

use std::collections::{BTreeMap, BTreeSet};

use tilebase_util::chart::{Axis, Chart, Layout, Mark, colour, raised, round_step};

/// One layer: the live states with one sum of tiles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// The sum of the tiles.
    pub sum: u32,
    /// The exponent of the largest tile and the number of live states that have it, in any
    /// order. Numbers may be 0.
    pub by_largest: Vec<(u8, u64)>,
}

/// Where the logarithmic axis begins. It is below 1, so that a single state shows.
const FLOOR: f64 = 0.5;

/// An SVG chart of the number of states per layer on a logarithmic axis, coloured by largest
/// tile.
///
/// Lengths on such an axis do not add up. The bands are therefore cumulative: the top of a
/// band is the number of states with this largest tile or a smaller one. Layers that are
/// wide enough are bars, narrower ones grow together to one area per tile, which also keeps
/// the file small.
///
/// ```
/// use tilebase_count::{Column, layers_svg};
///
/// let layer = Column { sum: 8, by_largest: vec![(1, 4), (2, 10)] };
/// let svg = layers_svg("The first layers", &[layer]);
/// assert!(svg.starts_with("<svg") && svg.contains("The first layers"));
/// ```
pub fn layers_svg(title: &str, columns: &[Column]) -> String {
    let layers = Layers::new(columns);
    let step = layers.step();
    let mut chart = layers.axes(title);
    if layers.counts.is_empty() {
        chart.notice("no layers");
    } else {
        chart.push(&bands(&layers, &chart, step));
        // The largest tile on top, as in the plot.
        let entries = layers.tiles.iter().enumerate().rev();
        let entries = entries.map(|(at, &exponent)| {
            let mark = Mark::Box(colour(at, layers.tiles.len()));
            (mark, tile_name(exponent))
        });
        chart.legend("largest tile", entries);
    }
    chart.caption(&[
        "The top of each band is the number of states whose largest tile is the band’s tile or \
         a smaller one",
        "(cumulative, because lengths on a logarithmic axis do not add up). The line is the \
         number of all states.",
    ]);
    chart.finish()
}

/// The layers that have states, in order.
struct Layers {
    /// The exponents of the largest tiles that occur, smallest first.
    tiles: Vec<u8>,
    /// For each sum the number of states with each of `tiles`, added up from the first.
    counts: BTreeMap<u32, Vec<u64>>,
}

impl Layers {
    fn new(columns: &[Column]) -> Layers {
        let states = || {
            columns
                .iter()
                .flat_map(|column| column.by_largest.iter().map(|&(e, n)| (column.sum, e, n)))
                .filter(|&(_, _, states)| states > 0)
        };
        let tiles: BTreeSet<u8> = states().map(|(_, exponent, _)| exponent).collect();
        let tiles: Vec<u8> = tiles.into_iter().collect();
        let mut counts = BTreeMap::new();
        for (sum, exponent, states) in states() {
            let layer = counts.entry(sum).or_insert_with(|| vec![0u64; tiles.len()]);
            for (count, &tile) in layer.iter_mut().zip(&tiles) {
                if tile >= exponent {
                    *count = count.saturating_add(states);
                }
            }
        }
        Layers { tiles, counts }
    }

    /// How far apart layers are.
    fn step(&self) -> f64 {
        let sums: Vec<f64> = self.counts.keys().map(|&sum| f64::from(sum)).collect();
        let gaps = sums.windows(2).map(|pair| pair[1] - pair[0]);
        match sums.len() {
            // A lone layer has room enough for a bar.
            0 | 1 => (sums.first().unwrap_or(&0.0) / 8.0).max(2.0),
            _ => gaps.fold(f64::INFINITY, f64::min),
        }
    }

    /// A chart with nothing but its axes.
    fn axes(&self, title: &str) -> Chart {
        let ends = (self.counts.keys().next(), self.counts.keys().last());
        let (low, high) = match ends {
            (Some(&first), Some(&last)) => {
                let (first, last, step) = (f64::from(first), f64::from(last), self.step());
                // Begin at 0 unless that left most of the figure blank.
                let late = 2.0 * first > last && first < last;
                (if late { first - step } else { 0.0 }, last + step)
            }
            _ => (0.0, 100.0),
        };
        let span = high - low;
        let short = [2.0, 4.0].into_iter().find(|step| span / step <= 8.0);
        let step = short.unwrap_or_else(|| round_step(span).max(10.0));
        let totals = self.counts.values().filter_map(|counts| counts.last());
        let most = totals.copied().max().unwrap_or(1) as f64;
        let layout = Layout {
            height: 520.0,
            bottom: 100.0,
            ..Layout::default()
        };
        Chart::new(
            title,
            layout,
            Axis::with_step("sum of the tiles", low, high, step),
            // A little air above the highest layer, and never less than one decade.
            Axis::logarithmic("states in the layer", FLOOR, (1.6 * most).max(12.6)),
        )
    }
}

/// Where the layer with this sum is drawn, from left to right.
fn span(chart: &Chart, step: f64, sum: u32) -> (f64, f64) {
    let sum = f64::from(sum);
    let width = chart.x(sum + step) - chart.x(sum);
    if width < 8.0 {
        // Neighbours must meet exactly, so both ends come from one formula.
        return (chart.x(sum - step / 2.0), chart.x(sum + step / 2.0));
    }
    let half = (0.4 * width).min(24.0);
    (
        (chart.x(sum) - half).max(chart.sides().0),
        chart.x(sum) + half,
    )
}

/// A tile by its value.
fn tile_name(exponent: u8) -> String {
    match exponent {
        // Up to 131072, the largest tile on a 4x4 board.
        ..=17 => (1 << exponent).to_string(),
        _ => raised("2", i32::from(exponent)),
    }
}

/// The coloured bands with a line on top.
fn bands(layers: &Layers, chart: &Chart, step: f64) -> String {
    let mut paths = String::new();
    // From the back to the front: what is seen of each band is what the next leaves free.
    for at in (0..layers.tiles.len()).rev() {
        let boxes = layers.counts.iter().filter_map(|(&sum, counts)| {
            // Without states of its own the band would hide behind the next exactly, and
            // shine through at the edges.
            let below = at.checked_sub(1).map_or(0, |below| counts[below]);
            (counts[at] > below).then(|| (span(chart, step, sum), chart.y(counts[at] as f64)))
        });
        paths.push_str(&format!(
            "<path fill=\"{}\" d=\"{}\"/>\n",
            colour(at, layers.tiles.len()),
            steps(boxes, Some(chart.heights().1))
        ));
    }
    let tops = layers.counts.iter().filter_map(|(&sum, counts)| {
        let total = *counts.last()?;
        Some((span(chart, step, sum), chart.y(total as f64)))
    });
    // Tenths of a pixel: whole numbers are precise enough and short.
    format!(
        "<g transform=\"scale(.1)\">\n{paths}<path fill=\"none\" stroke=\"#222\" \
         stroke-width=\"6\" d=\"{}\"/>\n</g>\n",
        steps(tops, None)
    )
}

/// A path along the tops of boxes, in tenths of a pixel. Boxes that touch are joined. With
/// a floor the path goes around the area down to it.
fn steps(boxes: impl Iterator<Item = ((f64, f64), f64)>, floor: Option<f64>) -> String {
    let tenths = |pixels: f64| (10.0 * pixels).round() as i64;
    let floor = floor.map(tenths);
    let mut path = String::new();
    let mut end = None;
    let close = |end: Option<(i64, i64)>| match (end, floor) {
        (Some((_, y)), Some(floor)) => format!("v{}z", floor - y),
        _ => String::new(),
    };
    for ((left, right), top) in boxes {
        let (left, right, top) = (tenths(left), tenths(right), tenths(top));
        match end {
            Some((x, y)) if x == left => {
                if y != top {
                    path.push_str(&format!("v{}", top - y));
                }
            }
            _ => {
                path.push_str(&close(end));
                match floor {
                    Some(floor) => path.push_str(&format!("M{left} {floor}v{}", top - floor)),
                    None => path.push_str(&format!("M{left} {top}")),
                }
            }
        }
        path.push_str(&format!("h{}", right - left));
        end = Some((right, top));
    }
    path.push_str(&close(end));
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Layers as in a game: the number of states rises and falls, larger tiles come later.
    fn game(layers: u32, tiles: u8, most: f64) -> Vec<Column> {
        let columns = (0..layers).map(|at| {
            let done = f64::from(at) / f64::from(layers);
            let by_largest = (1..=tiles).map(|exponent| {
                let middle = 0.9 * f64::from(exponent) / f64::from(tiles);
                let power = most.log10() * (1.0 - 12.0 * (done - middle).powi(2));
                let noise = f64::from(at * 7919 % 101) / 500.0;
                (exponent, 10f64.powf(power + noise) as u64)
            });
            Column {
                sum: 4 + 2 * at,
                by_largest: by_largest.collect(),
            }
        });
        columns.collect()
    }

    fn column(sum: u32, by_largest: &[(u8, u64)]) -> Column {
        Column {
            sum,
            by_largest: by_largest.to_vec(),
        }
    }

    /// Every tag is closed in order, and no number went wrong.
    fn check(svg: &str) {
        let mut open = Vec::new();
        for tag in svg.split('<').skip(1) {
            let (tag, _) = tag.split_once('>').unwrap();
            let name = tag.split([' ', '/']).find(|part| !part.is_empty()).unwrap();
            if tag.starts_with('/') {
                assert_eq!(open.pop(), Some(name));
            } else if !tag.ends_with('/') {
                open.push(name);
            }
            assert!(tag.matches('"').count().is_multiple_of(2), "{tag}");
        }
        assert!(open.is_empty(), "{open:?} stay open");
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
        assert!(!svg.contains("NaN") && !svg.contains("inf"));
    }

    #[test]
    fn a_figure_of_every_size_is_well_formed() {
        for columns in [
            game(0, 0, 1.0),
            game(1, 1, 1.0),
            game(2, 3, 50.0),
            game(30, 5, 200.0),
            game(500, 10, 1e7),
            game(3_000, 17, 1e12),
            vec![column(0, &[(1, 1)])],
            vec![column(4, &[(1, 0), (2, 0)]), column(6, &[])],
            vec![
                column(4, &[(1, 1)]),
                column(u32::MAX, &[(255, u64::MAX); 3]),
            ],
            vec![column(65_536, &[(100, 7)]), column(65_538, &[(99, 1)])],
            (1..=100).map(|e| column(4, &[(e, 3)])).collect(),
        ] {
            check(&layers_svg("layers", &columns));
        }
    }

    #[test]
    fn without_states_there_are_only_axes() {
        for columns in [vec![], vec![column(4, &[(1, 0)])]] {
            let svg = layers_svg("nothing", &columns);
            assert!(svg.contains("no layers") && svg.contains("sum of the tiles"));
            assert!(!svg.contains("largest tile</text>"));
        }
    }

    #[test]
    fn the_legend_names_every_tile_with_states() {
        let svg = layers_svg("3x3", &game(500, 10, 1e7));
        for exponent in 1..=10 {
            assert!(svg.contains(&format!(">{}</text>", 1 << exponent)));
        }
        let svg = layers_svg("", &[column(40, &[(4, 5), (3, 0), (20, 1)])]);
        assert!(svg.contains(">16</text>") && svg.contains(">2<tspan"));
        assert!(!svg.contains(">8</text>"));
    }

    #[test]
    fn the_title_is_escaped() {
        let svg = layers_svg("3x3 < 4x4 & \"so\" > on\u{7}", &[]);
        check(&svg);
        assert!(svg.contains("<title>3x3 &lt; 4x4 &amp; &quot;so&quot; &gt; on </title>"));
    }

    #[test]
    fn many_layers_make_a_small_file() {
        let svg = layers_svg("many", &game(3_000, 10, 1e12));
        assert!(svg.len() < 500_000, "{} bytes", svg.len());
        // One path for each tile, and the grid, the frame and the line on top.
        assert_eq!(svg.matches("<path").count(), 13);
    }

    #[test]
    fn one_state_is_visible() {
        let layers = Layers::new(&[column(4, &[(1, 1)]), column(6, &[(2, 1_000_000_000_000)])]);
        let chart = layers.axes("");
        let (top, bottom) = chart.heights();
        assert!(chart.y(1.0) < bottom - 5.0);
        assert!(chart.y(1e12) > top);
        // Neither is a lone layer too narrow, wherever it lies.
        for sum in [0, 4, 100, 65_536, u32::MAX] {
            let layers = Layers::new(&[column(sum, &[(1, 1)])]);
            let chart = layers.axes("");
            let ((left, right), sides) = (span(&chart, layers.step(), sum), chart.sides());
            let inside = left >= sides.0 && right <= sides.1;
            assert!(inside && right - left >= 8.0, "{sum}");
        }
    }

    #[test]
    fn bands_add_up_from_the_smallest_tile() {
        let layers = Layers::new(&[column(8, &[(3, 5), (1, 2), (2, 0)]), column(8, &[(3, 1)])]);
        assert_eq!(layers.tiles, [1, 3]);
        assert_eq!(layers.counts[&8], [2, 8]);
    }

    #[test]
    fn steps_join_what_touches() {
        let boxes = [((0.0, 1.0), 4.0), ((1.0, 2.0), 3.0), ((3.0, 4.0), 3.0)];
        assert_eq!(
            steps(boxes.into_iter(), Some(5.0)),
            "M0 50v-10h10v-10h10v20zM30 50v-20h10v20z"
        );
        assert_eq!(steps(boxes.into_iter(), None), "M0 40h10v-10h10M30 30h10");
    }
}
