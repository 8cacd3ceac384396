//! Charts as SVG: a title, two axes with a grid, marks, a legend.
//!
//! A [`Chart`] places values on the page; callers add marks, or draw shapes of their own in its
//! coordinates.
//!
//! ```
//! use tilebase_util::chart::{Axis, Chart, Layout, Mark};
//!
//! let seconds = Axis::logarithmic("seconds", 0.01, 100.0);
//! let steps = Axis::from_zero("steps", 420.0);
//! let mut chart = Chart::new("Time and length", Layout::default(), seconds, steps);
//! chart.mark(0.5, 400.0, &Mark::Dot("#0072b2".into()), "tidy: 400 steps");
//! chart.legend("heuristic", [(Mark::Dot("#0072b2".into()), "tidy".into())]);
//! let svg = chart.finish();
//! assert!(svg.starts_with("<svg") && svg.contains("Time and length"));
//! ```

mod axis;
mod text;

pub use axis::{Axis, round_step};
pub use text::{escaped, grouped, raised};

/// Pixels from the left edge of the page to the plot.
const LEFT: f64 = 82.0;
/// Pixels from the top edge of the page to the plot.
const TOP: f64 = 52.0;

/// From dark violet to yellow. Lightness rises in even steps, so that the order also shows in
/// grey.
const PALETTE: [u32; 16] = [
    0x331150, 0x332164, 0x2e3275, 0x234384, 0x02558f, 0x03668d, 0x0b758e, 0x0d8591, 0x0e9592,
    0x11a58e, 0x37b485, 0x66bf7a, 0x8fc96f, 0xb5d066, 0xdbd663, 0xfedc67,
];

/// The colour of item `at` of `items` in a series with an order, as `#rrggbb`.
///
/// ```
/// use tilebase_util::chart::colour;
///
/// assert_eq!([colour(0, 3), colour(2, 3)], ["#331150", "#fedc67"]);
/// ```
pub fn colour(at: usize, items: usize) -> String {
    let place = at as f64 / items.saturating_sub(1).max(1) as f64 * (PALETTE.len() - 1) as f64;
    let low = PALETTE[place.floor() as usize];
    let high = PALETTE[place.ceil() as usize];
    let mix = |shift: u32| {
        let channel = |colour: u32| f64::from(colour >> shift & 0xff);
        (channel(low) + (channel(high) - channel(low)) * place.fract()).round() as u8
    };
    format!("#{:02x}{:02x}{:02x}", mix(16), mix(8), mix(0))
}

/// The size of the page and the margins for a legend and for text below, in pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Layout {
    /// The width of the page.
    pub width: f64,
    /// The height of the page.
    pub height: f64,
    /// The margin on the right, where a legend goes.
    pub right: f64,
    /// The margin at the bottom, where the numbers and the name of the axis go.
    pub bottom: f64,
}

impl Default for Layout {
    fn default() -> Layout {
        Layout {
            width: 900.0,
            height: 480.0,
            right: 118.0,
            bottom: 60.0,
        }
    }
}

/// A mark with its colour.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mark {
    /// A full circle.
    Dot(String),
    /// A circle without a filling.
    Ring(String),
    /// A box, for the legend of bars and areas.
    Box(String),
}

impl Mark {
    /// The mark around a place, with `inside` as its content.
    fn svg(&self, x: f64, y: f64, inside: &str) -> String {
        match self {
            Mark::Dot(colour) => format!(
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\" fill=\"{colour}\" \
                 fill-opacity=\"0.75\">{inside}</circle>\n"
            ),
            Mark::Ring(colour) => format!(
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"5\" fill=\"none\" stroke=\"{colour}\" \
                 stroke-width=\"1.5\">{inside}</circle>\n"
            ),
            Mark::Box(colour) => format!(
                "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"16\" height=\"12\" \
                 fill=\"{colour}\">{inside}</rect>\n",
                x - 8.0,
                y - 6.0
            ),
        }
    }
}

/// A chart that is being drawn.
#[derive(Clone, Debug)]
pub struct Chart {
    title: String,
    layout: Layout,
    x: Axis,
    y: Axis,
    body: String,
}

impl Chart {
    /// A chart with two axes and nothing in it.
    pub fn new(title: &str, layout: Layout, x: Axis, y: Axis) -> Chart {
        Chart {
            title: escaped(title),
            layout,
            x,
            y,
            body: String::new(),
        }
    }

    /// Left and right end of the plot, in pixels.
    pub fn sides(&self) -> (f64, f64) {
        (LEFT, self.layout.width - self.layout.right)
    }

    /// Top and bottom of the plot, in pixels.
    pub fn heights(&self) -> (f64, f64) {
        (TOP, self.layout.height - self.layout.bottom)
    }

    /// Where a value of the horizontal axis is, in pixels.
    pub fn x(&self, value: f64) -> f64 {
        let (left, right) = self.sides();
        left + self.x.fraction(value) * (right - left)
    }

    /// Where a value of the vertical axis is, in pixels.
    pub fn y(&self, value: f64) -> f64 {
        let (top, bottom) = self.heights();
        bottom - self.y.fraction(value) * (bottom - top)
    }

    /// Adds SVG elements in pixels of the page.
    pub fn push(&mut self, svg: &str) {
        self.body.push_str(svg);
    }

    /// Adds a mark at a place, with a title that viewers show when pointed at.
    pub fn mark(&mut self, x: f64, y: f64, mark: &Mark, title: &str) {
        let title = format!("<title>{}</title>", escaped(title));
        self.body.push_str(&mark.svg(self.x(x), self.y(y), &title));
    }

    /// Adds a bar from `left` to `right`, as high as `value`, with a title.
    pub fn bar(&mut self, (left, right): (f64, f64), value: f64, colour: &str, title: &str) {
        let (left, right) = (self.x(left), self.x(right));
        let (top, bottom) = (self.y(value), self.heights().1);
        self.body.push_str(&format!(
            "<rect x=\"{left:.2}\" y=\"{top:.2}\" width=\"{:.2}\" height=\"{:.2}\" \
             fill=\"{colour}\"><title>{}</title></rect>\n",
            right - left,
            bottom - top,
            escaped(title)
        ));
    }

    /// Adds a legend on the right: a heading, then one mark and name a line. Names are SVG, see
    /// [`escaped`] and [`raised`].
    pub fn legend(&mut self, heading: &str, entries: impl IntoIterator<Item = (Mark, String)>) {
        let entries: Vec<(Mark, String)> = entries.into_iter().collect();
        let (top, bottom) = self.heights();
        let x = self.sides().1 + 22.0;
        let height = ((bottom - top - 24.0) / entries.len() as f64).min(21.0);
        self.body.push_str(&format!(
            "<text x=\"{x}\" y=\"{}\">{}</text>\n",
            top + 10.0,
            escaped(heading)
        ));
        for (at, (mark, name)) in entries.iter().enumerate() {
            let y = top + 24.0 + height * (at as f64 + 0.5);
            self.body.push_str(&mark.svg(x + 8.0, y, ""));
            self.body.push_str(&format!(
                "<text x=\"{}\" y=\"{:.1}\">{name}</text>\n",
                x + 24.0,
                y + 4.5
            ));
        }
    }

    /// Adds text in the middle of the plot, such as "no data".
    pub fn notice(&mut self, text: &str) {
        let (top, bottom) = self.heights();
        self.body.push_str(&format!(
            "<text x=\"{}\" y=\"{}\" font-size=\"16\" font-style=\"italic\" fill=\"#777\" \
             text-anchor=\"middle\">{}</text>\n",
            self.middle(),
            (top + bottom) / 2.0,
            escaped(text)
        ));
    }

    /// Adds lines of small text below the name of the horizontal axis.
    pub fn caption(&mut self, lines: &[&str]) {
        for (at, line) in lines.iter().enumerate() {
            self.body.push_str(&format!(
                "<text x=\"{}\" y=\"{}\" font-size=\"12\" font-style=\"italic\" fill=\"#555\" \
                 text-anchor=\"middle\">{}</text>\n",
                self.middle(),
                self.heights().1 + 68.0 + 16.0 * at as f64,
                escaped(line)
            ));
        }
    }

    /// The whole picture.
    pub fn finish(&self) -> String {
        let (title, middle, body) = (&self.title, self.middle(), &self.body);
        let Layout { width, height, .. } = self.layout;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
             width=\"{width}\" height=\"{height}\" role=\"img\" font-size=\"13\" \
             font-family=\"'Latin Modern Roman', 'CMU Serif', 'STIX Two Text', \
             'Times New Roman', Times, serif\" fill=\"#222\">\n\
             <title>{title}</title>\n\
             <rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n\
             <text x=\"{middle}\" y=\"30\" font-size=\"18\" text-anchor=\"middle\">{title}\
             </text>\n{}{body}{}</svg>\n",
            self.grid(),
            self.frame()
        )
    }

    fn middle(&self) -> f64 {
        let (left, right) = self.sides();
        (left + right) / 2.0
    }

    /// The lines behind the marks.
    fn grid(&self) -> String {
        let ((left, right), (top, bottom)) = (self.sides(), self.heights());
        let mut lines = String::new();
        for (value, _) in self.y.grid_ticks() {
            lines.push_str(&format!("M{left} {:.1}H{right}", self.y(*value)));
        }
        for (value, _) in self.x.grid_ticks() {
            lines.push_str(&format!("M{:.1} {top}V{bottom}", self.x(*value)));
        }
        format!("<path d=\"{lines}\" fill=\"none\" stroke=\"#e4e4e4\" stroke-width=\"0.8\"/>\n")
    }

    /// The two axes with ticks, numbers and names.
    fn frame(&self) -> String {
        let ((left, right), (top, bottom)) = (self.sides(), self.heights());
        let mut lines = format!("M{left} {top}V{bottom}H{right}");
        let mut texts = String::new();
        for (value, label) in self.y.ticks() {
            let y = self.y(*value);
            lines.push_str(&format!("M{left} {y:.1}h-6"));
            texts.push_str(&format!(
                "<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{label}</text>\n",
                left - 10.0,
                y + 4.5
            ));
        }
        for value in self.y.minor_ticks() {
            lines.push_str(&format!("M{left} {:.1}h-3", self.y(value)));
        }
        for (value, label) in self.x.ticks() {
            let x = self.x(*value);
            if self.x.upright_labels() {
                let (x, y) = (x + 4.0, bottom + 8.0);
                texts.push_str(&format!(
                    "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"11\" text-anchor=\"end\" \
                     transform=\"rotate(-90 {x:.1} {y:.1})\">{label}</text>\n"
                ));
            } else {
                lines.push_str(&format!("M{x:.1} {bottom}v6"));
                texts.push_str(&format!(
                    "<text x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\">{label}</text>\n",
                    bottom + 20.0
                ));
            }
        }
        // Names that stand upright leave less room: the axis' name goes to the edge.
        let below = match self.x.upright_labels() {
            true => self.layout.height - 14.0,
            false => bottom + 42.0,
        };
        format!(
            "<path d=\"{lines}\" fill=\"none\" stroke=\"#222\" stroke-width=\"0.9\"/>\n{texts}\
             <text x=\"{}\" y=\"{below}\" font-size=\"14\" text-anchor=\"middle\">{}</text>\n\
             <text transform=\"translate(26 {}) rotate(-90)\" font-size=\"14\" \
             text-anchor=\"middle\">{}</text>\n",
            self.middle(),
            self.x.name(),
            (top + bottom) / 2.0,
            self.y.name()
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(svg: &str) -> roxmltree::Document<'_> {
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        roxmltree::Document::parse(svg).unwrap()
    }

    fn count(svg: &str, tag: &str) -> usize {
        let nodes = parsed(svg);
        let nodes = nodes.descendants();
        nodes.filter(|node| node.has_tag_name(tag)).count()
    }

    #[test]
    fn every_mark_and_bar_is_drawn() {
        let x = Axis::linear("x & y", 0.0, 10.0);
        let mut chart = Chart::new("a < b", Layout::default(), x, Axis::from_zero("n", 5.0));
        chart.mark(1.0, 2.0, &Mark::Dot("red".into()), "<one>");
        chart.mark(2.0, 2.0, &Mark::Ring("red".into()), "two");
        chart.bar((3.0, 4.0), 5.0, "blue", "three");
        chart.legend("all", [(Mark::Box("blue".into()), raised("2", 20))]);
        chart.caption(&["how to read it"]);
        let svg = chart.finish();
        assert_eq!(count(&svg, "circle"), 2);
        // The page, the bar, and the legend's box.
        assert_eq!(count(&svg, "rect"), 3);
        // The grid and the frame.
        assert_eq!(count(&svg, "path"), 2);
    }

    #[test]
    fn nothing_at_all_is_still_a_chart() {
        for x in [
            Axis::categories("none", &[] as &[&str]),
            Axis::linear("point", 3.0, 3.0),
            Axis::logarithmic("point", 1.0, 1.0),
        ] {
            let mut chart = Chart::new("", Layout::default(), x, Axis::from_zero("n", 0.0));
            chart.notice("no data");
            chart.legend("none", []);
            assert!(count(&chart.finish(), "text") > 3);
        }
    }

    #[test]
    fn values_stay_on_the_page() {
        let (x, y) = (
            Axis::logarithmic("x", 0.01, 10.0),
            Axis::linear("y", 1.0, 3.0),
        );
        let chart = Chart::new("", Layout::default(), x, y);
        let ((left, right), (top, bottom)) = (chart.sides(), chart.heights());
        assert_eq!([chart.x(0.01), chart.x(10.0)], [left, right]);
        assert_eq!([chart.y(1.0), chart.y(3.0)], [bottom, top]);
        assert_eq!([chart.x(0.0), chart.y(7.0)], [left, top]);
    }
}
