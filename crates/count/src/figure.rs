//! A figure of the layers: how many states each has, by largest tile.

use std::collections::{BTreeMap, BTreeSet};

/// One layer: the live states with one sum of tiles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// The sum of the tiles.
    pub sum: u32,
    /// The exponent of the largest tile and the number of live states that have it, in any
    /// order. Numbers may be 0.
    pub by_largest: Vec<(u8, u64)>,
}

// The page and the plot on it, in pixels.
const WIDTH: f64 = 900.0;
const HEIGHT: f64 = 520.0;
const LEFT: f64 = 82.0;
const RIGHT: f64 = 782.0;
const TOP: f64 = 52.0;
const BOTTOM: f64 = 420.0;

/// Where the logarithmic axis begins. It is below 1, so that a single state shows.
const FLOOR: f64 = 0.5;

/// From dark violet to yellow: lightness rises in even steps, so that the order of the
/// tiles also shows in grey.
const PALETTE: [u32; 16] = [
    0x331150, 0x332164, 0x2e3275, 0x234384, 0x02558f, 0x03668d, 0x0b758e, 0x0d8591, 0x0e9592,
    0x11a58e, 0x37b485, 0x66bf7a, 0x8fc96f, 0xb5d066, 0xdbd663, 0xfedc67,
];

/// An SVG figure of the number of states per layer on a logarithmic axis, coloured by
/// largest tile.
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
    let axes = Axes::new(&layers);
    let title = escaped(title);
    let middle = (LEFT + RIGHT) / 2.0;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
         width=\"{WIDTH}\" height=\"{HEIGHT}\" role=\"img\" font-size=\"13\" \
         font-family=\"'Latin Modern Roman', 'CMU Serif', 'STIX Two Text', 'Times New Roman', \
         Times, serif\" fill=\"#222\">\n\
         <title>{title}</title>\n\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#fff\"/>\n\
         <text x=\"{middle}\" y=\"30\" font-size=\"18\" text-anchor=\"middle\">{title}</text>\n"
    );
    svg.push_str(&axes.grid());
    if layers.counts.is_empty() {
        svg.push_str(&format!(
            "<text x=\"{middle}\" y=\"{}\" font-size=\"16\" font-style=\"italic\" \
             fill=\"#777\" text-anchor=\"middle\">no layers</text>\n",
            (TOP + BOTTOM) / 2.0
        ));
    } else {
        svg.push_str(&bands(&layers, &axes));
        svg.push_str(&legend(&layers.tiles));
    }
    svg.push_str(&axes.frame());
    svg.push_str(&caption());
    svg.push_str("</svg>\n");
    svg
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
}

/// The scales of both axes.
struct Axes {
    /// The sums at the left and the right end.
    sums: (f64, f64),
    /// The decimal logarithm of the number of states at the top.
    decades: f64,
    /// How far apart layers are.
    step: f64,
}

impl Axes {
    fn new(layers: &Layers) -> Axes {
        let sums: Vec<f64> = layers.counts.keys().map(|&sum| f64::from(sum)).collect();
        let gaps = sums.windows(2).map(|pair| pair[1] - pair[0]);
        let narrowest = gaps.fold(f64::INFINITY, f64::min);
        // A lone layer has room enough for a bar.
        let lone = (sums.first().unwrap_or(&0.0) / 8.0).max(2.0);
        let step = if sums.len() > 1 { narrowest } else { lone };
        let sums = match (sums.first(), sums.last()) {
            // Begin at 0 unless that left most of the figure blank.
            (Some(&first), Some(&last)) if 2.0 * first > last && sums.len() > 1 => {
                (first - step, last + step)
            }
            (_, Some(&last)) => (0.0, last + step),
            _ => (0.0, 100.0),
        };
        let totals = layers.counts.values().filter_map(|counts| counts.last());
        let most = totals.copied().max().unwrap_or(1);
        Axes {
            sums,
            // A little air above the highest layer, and never less than one decade.
            decades: ((most as f64).log10() + 0.2).max(1.1),
            step,
        }
    }

    fn x(&self, sum: f64) -> f64 {
        let (first, last) = self.sums;
        LEFT + (sum - first) / (last - first) * (RIGHT - LEFT)
    }

    fn y(&self, states: f64) -> f64 {
        let floor = FLOOR.log10();
        BOTTOM - (states.log10() - floor) / (self.decades - floor) * (BOTTOM - TOP)
    }

    /// Where the layer with this sum is drawn, from left to right.
    fn span(&self, sum: u32) -> (f64, f64) {
        let sum = f64::from(sum);
        let width = self.x(self.step) - self.x(0.0);
        if width < 8.0 {
            // Neighbours must meet exactly, so both ends come from one formula.
            return (self.x(sum - self.step / 2.0), self.x(sum + self.step / 2.0));
        }
        let half = (0.4 * width).min(24.0);
        ((self.x(sum) - half).max(LEFT), self.x(sum) + half)
    }

    /// Round sums, at most nine of them.
    fn ticks(&self) -> impl Iterator<Item = f64> {
        let (first, last) = self.sums;
        let round = (1..=9).flat_map(|zeros| [1.0, 2.0, 5.0].map(|m| m * 10f64.powi(zeros)));
        let step = [2.0, 4.0]
            .into_iter()
            .chain(round)
            .find(|step| (last - first) / step <= 8.0)
            .unwrap_or(last - first);
        let start = (first / step).ceil() as u32;
        (start..)
            .map(move |n| f64::from(n) * step)
            .take_while(move |&sum| sum <= last)
    }

    /// The powers of ten on the vertical axis.
    fn powers(&self) -> impl Iterator<Item = i32> {
        0..=self.decades as i32
    }

    /// The lines behind the layers.
    fn grid(&self) -> String {
        let across = self
            .powers()
            .map(|power| format!("M{LEFT} {:.1}H{RIGHT}", self.y(10f64.powi(power))));
        let down = self
            .ticks()
            .map(|sum| format!("M{:.1} {TOP}V{BOTTOM}", self.x(sum)));
        let lines: String = across.chain(down).collect();
        format!("<path d=\"{lines}\" fill=\"none\" stroke=\"#e4e4e4\" stroke-width=\"0.8\"/>\n")
    }

    /// The frame with ticks, numbers and names.
    fn frame(&self) -> String {
        let mut lines = format!("M{LEFT} {TOP}V{BOTTOM}H{RIGHT}");
        let mut texts = String::new();
        for power in self.powers() {
            let one = 10f64.powi(power);
            let y = self.y(one);
            lines.push_str(&format!("M{LEFT} {y:.1}h-6"));
            texts.push_str(&format!(
                "<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>\n",
                LEFT - 10.0,
                y + 4.5,
                if power < 3 {
                    one.to_string()
                } else {
                    raised("10", power)
                }
            ));
            for part in (2..10).map(|digit| self.y(one * f64::from(digit))) {
                // Ticks between the powers blur where there are many powers.
                if part >= TOP && self.decades < 9.0 {
                    lines.push_str(&format!("M{LEFT} {part:.1}h-3"));
                }
            }
        }
        for sum in self.ticks() {
            let x = self.x(sum);
            lines.push_str(&format!("M{x:.1} {BOTTOM}v6"));
            texts.push_str(&format!(
                "<text x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n",
                BOTTOM + 20.0,
                grouped(sum)
            ));
        }
        let (across, down) = ((LEFT + RIGHT) / 2.0, (TOP + BOTTOM) / 2.0);
        format!(
            "<path d=\"{lines}\" fill=\"none\" stroke=\"#222\" stroke-width=\"0.9\"/>\n{texts}\
             <text x=\"{across}\" y=\"{}\" font-size=\"14\" text-anchor=\"middle\">sum of the \
             tiles</text>\n\
             <text transform=\"translate(26 {down}) rotate(-90)\" font-size=\"14\" \
             text-anchor=\"middle\">states in the layer</text>\n",
            BOTTOM + 42.0
        )
    }
}

/// The coloured bands with a line on top.
fn bands(layers: &Layers, axes: &Axes) -> String {
    let mut paths = String::new();
    // From the back to the front: what is seen of each band is what the next leaves free.
    for at in (0..layers.tiles.len()).rev() {
        let boxes = layers.counts.iter().filter_map(|(&sum, counts)| {
            // Without states of its own the band would hide behind the next exactly, and
            // shine through at the edges.
            let below = at.checked_sub(1).map_or(0, |below| counts[below]);
            (counts[at] > below).then(|| (axes.span(sum), axes.y(counts[at] as f64)))
        });
        paths.push_str(&format!(
            "<path fill=\"{}\" d=\"{}\"/>\n",
            colour(at, layers.tiles.len()),
            steps(boxes, Some(BOTTOM))
        ));
    }
    let tops = layers.counts.iter().filter_map(|(&sum, counts)| {
        let total = *counts.last()?;
        Some((axes.span(sum), axes.y(total as f64)))
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

/// The tiles and their colours beside the plot, the largest on top as in the plot.
fn legend(tiles: &[u8]) -> String {
    let x = RIGHT + 22.0;
    let mut svg = format!("<text x=\"{x}\" y=\"{}\">largest tile</text>\n", TOP + 10.0);
    let height = ((BOTTOM - TOP - 24.0) / tiles.len() as f64).min(20.0);
    for (row, (at, &exponent)) in tiles.iter().enumerate().rev().enumerate() {
        let y = TOP + 24.0 + height * row as f64;
        let tile = match exponent {
            // Up to 131072, the largest tile on a 4x4 board.
            ..=17 => (1 << exponent).to_string(),
            _ => raised("2", i32::from(exponent)),
        };
        svg.push_str(&format!(
            "<rect x=\"{x}\" y=\"{y:.1}\" width=\"16\" height=\"{:.1}\" fill=\"{}\"/>\
             <text x=\"{}\" y=\"{:.1}\">{tile}</text>\n",
            0.7 * height,
            colour(at, tiles.len()),
            x + 24.0,
            y + 0.35 * height + 4.5,
        ));
    }
    svg
}

/// How to read the figure.
fn caption() -> String {
    let lines = [
        "The top of each band is the number of states whose largest tile is the band’s tile or \
         a smaller one",
        "(cumulative, because lengths on a logarithmic axis do not add up). The line is the \
         number of all states.",
    ];
    let mut svg = String::new();
    for (y, line) in [BOTTOM + 68.0, BOTTOM + 84.0].iter().zip(lines) {
        svg.push_str(&format!(
            "<text x=\"{}\" y=\"{y}\" font-size=\"12\" font-style=\"italic\" fill=\"#555\" \
             text-anchor=\"middle\">{line}</text>\n",
            (LEFT + RIGHT) / 2.0
        ));
    }
    svg
}

/// The colour of tile `at` of `tiles`, which share the palette evenly.
fn colour(at: usize, tiles: usize) -> String {
    let place = at as f64 / tiles.saturating_sub(1).max(1) as f64 * (PALETTE.len() - 1) as f64;
    let low = PALETTE[place.floor() as usize];
    let high = PALETTE[place.ceil() as usize];
    let mix = |shift: u32| {
        let part = |colour: u32| f64::from(colour >> shift & 0xff);
        (part(low) + (part(high) - part(low)) * place.fract()).round() as u8
    };
    format!("#{:02x}{:02x}{:02x}", mix(16), mix(8), mix(0))
}

/// A power, with an exponent that all viewers raise (not all know `baseline-shift`).
fn raised(base: &str, exponent: i32) -> String {
    format!("{base}<tspan dy=\"-5\" font-size=\"9.5\">{exponent}</tspan>")
}

/// A whole number with commas between thousands.
fn grouped(number: f64) -> String {
    let digits = format!("{number:.0}");
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Text as XML. Control characters, which XML does not allow, become spaces.
fn escaped(text: &str) -> String {
    let mut xml = String::new();
    for c in text.chars() {
        match c {
            '&' => xml.push_str("&amp;"),
            '<' => xml.push_str("&lt;"),
            '>' => xml.push_str("&gt;"),
            '"' => xml.push_str("&quot;"),
            '\u{fffe}' | '\u{ffff}' => xml.push(' '),
            c if c.is_control() => xml.push(' '),
            c => xml.push(c),
        }
    }
    xml
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
        let axes = Axes::new(&layers);
        assert!(axes.y(1.0) < BOTTOM - 5.0);
        assert!(axes.y(1e12) > TOP);
        // Neither is a lone layer too narrow, wherever it lies.
        for sum in [0, 4, 100, 65_536, u32::MAX] {
            let (left, right) = Axes::new(&Layers::new(&[column(sum, &[(1, 1)])])).span(sum);
            assert!(
                left >= LEFT && right <= RIGHT && right - left >= 8.0,
                "{sum}"
            );
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

    #[test]
    fn numbers_are_grouped() {
        assert_eq!(grouped(0.0), "0");
        assert_eq!(grouped(500.0), "500");
        assert_eq!(grouped(131_072.0), "131,072");
    }
}
