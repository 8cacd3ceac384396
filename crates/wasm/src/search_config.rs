//! How far a page asks to look.

use js_sys::{Object, Reflect};
use tilebase_expectimax::{DEEPEST, Effort, NO_CROWD, Options};
use wasm_bindgen::prelude::*;

/// The options of a search as a page gives them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct SearchConfig {
    depth: Option<f64>,
    positions: Option<f64>,
    cutoff: Option<f64>,
    margin: Option<f64>,
    crowd: Option<f64>,
}

/// The largest whole number up to which all have a float of their own.
const WHOLE: f64 = 9_007_199_254_740_991.0;

impl SearchConfig {
    /// Reads an object's properties. Unknown ones are refused: they are spelt wrong.
    pub fn read(value: &JsValue) -> Result<SearchConfig, String> {
        let mut looking = SearchConfig::default();
        if value.is_undefined() || value.is_null() {
            return Ok(looking);
        }
        let object = value
            .dyn_ref::<Object>()
            .ok_or("the options are no object: use one such as { depth: 3 }")?;
        for key in Object::keys(object).iter() {
            let name = key.as_string().unwrap_or_default();
            let value = Reflect::get(object, &key).unwrap_or(JsValue::UNDEFINED);
            if value.is_undefined() {
                continue;
            }
            let number = value.as_f64();
            let number = Some(number.ok_or_else(|| format!("option {name} is no number"))?);
            match name.as_str() {
                "depth" => looking.depth = number,
                "positions" => looking.positions = number,
                "cutoff" => looking.cutoff = number,
                "margin" => looking.margin = number,
                "crowd" => looking.crowd = number,
                _ => {
                    return Err(format!(
                        "there is no option '{name}': use depth, positions, cutoff, margin or crowd"
                    ));
                }
            }
        }
        Ok(looking)
    }

    /// How far to look; `None` if nothing was said. Searches for a number of positions
    /// begin `from` so many slides.
    pub fn effort(&self, from: u8) -> Result<Option<Effort>, String> {
        let whole =
            |number: f64, most: f64| number.fract() == 0.0 && (1.0..=most).contains(&number);
        match (self.depth, self.positions) {
            (Some(_), Some(_)) => {
                Err("both depth and positions are given: one says how far to look".to_owned())
            }
            (Some(depth), None) if whole(depth, f64::from(DEEPEST)) => {
                Ok(Some(Effort::Depth(depth as u8)))
            }
            (Some(depth), None) => Err(format!(
                "depth is {depth}: use a whole number from 1 to {DEEPEST}"
            )),
            (None, Some(enough)) if whole(enough, WHOLE) => Ok(Some(Effort::Positions {
                from,
                enough: enough as u64,
            })),
            (None, Some(enough)) => Err(format!(
                "positions is {enough}: use a whole number from 1 to {WHOLE}"
            )),
            (None, None) => Ok(None),
        }
    }

    /// What may be left out.
    pub fn options(&self) -> Result<Options, String> {
        if let Some(margin) = self
            .margin
            .filter(|margin| margin.is_nan() || *margin < 0.0)
        {
            return Err(format!(
                "margin is {margin}: use a number of points from 0, or Infinity"
            ));
        }
        let most = f64::from(NO_CROWD);
        let wrong = |&crowd: &f64| crowd.fract() != 0.0 || !(0.0..=most).contains(&crowd);
        if let Some(crowd) = self.crowd.filter(wrong) {
            return Err(format!(
                "crowd is {crowd}: use a whole number from 0 to {NO_CROWD}"
            ));
        }
        let mut options = Options {
            margin: self.margin,
            crowd: self.crowd.map(|crowd| crowd as u8),
            ..Options::default()
        };
        match self.cutoff {
            Some(cutoff) if !(0.0..1.0).contains(&cutoff) => Err(format!(
                "cutoff is {cutoff}: use a number from 0 up to, not including, 1"
            )),
            cutoff => {
                options.cutoff = cutoff.unwrap_or(options.cutoff);
                Ok(options)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depth_and_positions_are_whole_and_one_of_them() {
        let looking = |depth, positions| SearchConfig {
            depth,
            positions,
            cutoff: None,
            margin: None,
            crowd: None,
        };
        let effort = |depth, positions| looking(depth, positions).effort(3);
        assert_eq!(effort(Some(2.0), None), Ok(Some(Effort::Depth(2))));
        let positions = Effort::Positions { from: 3, enough: 9 };
        assert_eq!(effort(None, Some(9.0)), Ok(Some(positions)));
        assert_eq!(effort(None, None), Ok(None));
        for wrong in [0.0, -1.0, 2.5, 61.0, f64::NAN, f64::INFINITY] {
            assert!(effort(Some(wrong), None).is_err(), "{wrong}");
        }
        assert!(effort(None, Some(f64::INFINITY)).is_err());
        assert!(effort(Some(1.0), Some(1.0)).is_err());
    }

    #[test]
    fn cutoffs_are_probabilities() {
        let options = |cutoff| {
            let looking = SearchConfig {
                cutoff: Some(cutoff),
                ..SearchConfig::default()
            };
            looking.options().map(|options| options.cutoff)
        };
        assert_eq!(options(0.25), Ok(0.25));
        assert!(options(1.0).is_err() && options(-0.1).is_err() && options(f64::NAN).is_err());
    }

    #[test]
    fn crowds_are_numbers_of_tiles() {
        let options = |crowd| {
            let looking = SearchConfig {
                crowd: Some(crowd),
                ..SearchConfig::default()
            };
            looking.options().map(|options| options.crowd)
        };
        assert_eq!(options(0.0), Ok(Some(0)));
        assert_eq!(options(16.0), Ok(Some(16)));
        for wrong in [-1.0, 2.5, 17.0, f64::NAN] {
            assert!(options(wrong).is_err(), "{wrong}");
        }
    }
}
