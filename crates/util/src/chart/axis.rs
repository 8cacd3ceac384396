//! Axes: from values to places, and round numbers for the ticks.

use super::text::{escaped, grouped, raised};

/// More names than this do not fit beside each other.
const MOST_NAMES: usize = 48;

/// One axis of a chart. Values outside its range are drawn at its ends.
#[derive(Clone, Debug)]
pub struct Axis {
    name: String,
    low: f64,
    high: f64,
    scale: Scale,
    ticks: Vec<(f64, String)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scale {
    Linear,
    Logarithmic,
    Categories,
}

impl Axis {
    /// An axis from one value to another, with ticks at round numbers.
    pub fn linear(name: &str, low: f64, high: f64) -> Axis {
        Axis::with_step(name, low, high, round_step(high - low))
    }

    /// An axis from zero to a round number not below `most`.
    pub fn from_zero(name: &str, most: f64) -> Axis {
        let step = round_step(most);
        let high = if step > 0.0 {
            (most / step).ceil() * step
        } else {
            1.0
        };
        Axis::with_step(name, 0.0, high, step)
    }

    /// An axis with ticks at the multiples of `step`; none for 0.
    pub fn with_step(name: &str, low: f64, high: f64, step: f64) -> Axis {
        let mut ticks = Vec::new();
        if step > 0.0 {
            // A little more than the range: sums of steps are not exact.
            let (first, last) = ((low / step - 1e-6).ceil(), (high / step + 1e-6).floor());
            let mut at = first;
            while at <= last {
                ticks.push((at * step, grouped(at * step)));
                at += 1.0;
            }
        }
        Axis {
            name: escaped(name),
            low,
            high,
            scale: Scale::Linear,
            ticks,
        }
    }

    /// A logarithmic axis between two values above 0, with ticks at the powers of ten.
    pub fn logarithmic(name: &str, low: f64, high: f64) -> Axis {
        let (first, last) = (low.log10() - 1e-9, high.log10() + 1e-9);
        let label = |power: i32| match power {
            -2..3 => grouped(10f64.powi(power)),
            _ => raised("10", power),
        };
        Axis {
            name: escaped(name),
            low,
            high,
            scale: Scale::Logarithmic,
            ticks: (first.ceil() as i32..=last.floor() as i32)
                .map(|power| (10f64.powi(power), label(power)))
                .collect(),
        }
    }

    /// An axis of names. Name `n` takes the values from `n` to `n + 1`.
    pub fn categories(name: &str, names: &[impl AsRef<str>]) -> Axis {
        let every = names.len().div_ceil(MOST_NAMES).max(1);
        let names_at = names.iter().enumerate().step_by(every);
        Axis {
            name: escaped(name),
            low: 0.0,
            high: names.len().max(1) as f64,
            scale: Scale::Categories,
            ticks: names_at
                .map(|(at, name)| (at as f64 + 0.5, escaped(name.as_ref())))
                .collect(),
        }
    }

    /// The name, as SVG.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Values with labels, as SVG.
    pub(super) fn ticks(&self) -> &[(f64, String)] {
        &self.ticks
    }

    /// The ticks that lines of the grid go through.
    pub(super) fn grid_ticks(&self) -> &[(f64, String)] {
        match self.scale {
            Scale::Categories => &[],
            _ => &self.ticks,
        }
    }

    /// Values between the powers of ten, unless there are so many powers that they would blur.
    pub(super) fn minor_ticks(&self) -> Vec<f64> {
        if self.scale != Scale::Logarithmic || self.ticks.len() > 9 {
            return Vec::new();
        }
        let powers = self.ticks.iter().map(|(power, _)| power);
        let all = powers.flat_map(|power| (2..10).map(move |digit| power * f64::from(digit)));
        all.filter(|&value| value <= self.high).collect()
    }

    /// Whether the labels are names that are written upwards.
    pub(super) fn upright_labels(&self) -> bool {
        self.scale == Scale::Categories
    }

    /// How far from the low to the high end a value lies, from 0 to 1.
    pub(super) fn fraction(&self, value: f64) -> f64 {
        let value = value.clamp(self.low, self.high);
        let (at, whole) = match self.scale {
            Scale::Logarithmic => ((value / self.low).log10(), (self.high / self.low).log10()),
            _ => (value - self.low, self.high - self.low),
        };
        if whole > 0.0 { at / whole } else { 0.0 }
    }
}

/// A round distance of ticks, at most six of which fit into `span`; 0 for an empty span.
///
/// ```
/// use tilebase_util::chart::round_step;
///
/// assert_eq!([4.0, 27.0, 300.0].map(round_step), [1.0, 5.0, 50.0]);
/// ```
pub fn round_step(span: f64) -> f64 {
    if span <= 0.0 {
        return 0.0;
    }
    let power = 10f64.powf((span / 5.0).log10().floor());
    let round = [1.0, 2.0, 5.0, 10.0].map(|m| m * power);
    round
        .into_iter()
        .find(|step| span / step <= 6.0)
        .unwrap_or(10.0 * power)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(axis: &Axis) -> Vec<&str> {
        axis.ticks().iter().map(|(_, label)| &label[..]).collect()
    }

    #[test]
    fn ticks_are_round() {
        let steps = [0.0, 4.0, 27.0, 0.3].map(|most| grouped(round_step(most)));
        assert_eq!(steps, ["0", "1", "5", "0.05"]);
        assert_eq!(
            labels(&Axis::linear("", 1.0, 3.0)),
            ["1", "1.5", "2", "2.5", "3"]
        );
        assert_eq!(labels(&Axis::from_zero("", 2_700.0)).last(), Some(&"3,000"));
        assert_eq!(labels(&Axis::from_zero("", 0.3)).len(), 7);
    }

    #[test]
    fn powers_of_ten_are_written_out_while_short() {
        assert_eq!(
            labels(&Axis::logarithmic("", 0.01, 100.0)),
            ["0.01", "0.1", "1", "10", "100"]
        );
        let labels_of_large = Axis::logarithmic("", 0.5, 2e4);
        assert_eq!(labels(&labels_of_large).len(), 5);
        assert!(labels(&labels_of_large)[4].starts_with("10<tspan"));
        // 2 to 9 below each of 10, 100, 1,000 and 10,000, and 20,000.
        assert_eq!(labels_of_large.minor_ticks().len(), 33);
    }

    #[test]
    fn long_lists_of_names_are_cut_down() {
        let names: Vec<String> = (0..100).map(|n| n.to_string()).collect();
        let axis = Axis::categories("", &names);
        assert_eq!(axis.ticks().len(), 34);
        assert_eq!(axis.ticks()[1], (3.5, "3".to_owned()));
        assert!(axis.grid_ticks().is_empty());
    }
}
