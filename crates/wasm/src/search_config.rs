//! How far a page asks to look.

use js_sys::{Object, Reflect};
use tilebase_expectimax::{ExpectimaxOptions, MAX_DEPTH, NO_EXTENSION, SearchLimit};
use wasm_bindgen::prelude::*;

/// The options of a search as a page gives them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct SearchConfig {
    depth: Option<f64>,
    positions: Option<f64>,
    cutoff: Option<f64>,
    pruning_margin: Option<f64>,
    extend_above: Option<f64>,
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
                "pruning_margin" => looking.pruning_margin = number,
                "extend_above" => looking.extend_above = number,
                _ => {
                    return Err(format!(
                        "unknown option '{name}': use depth, positions, cutoff, pruning_margin or extend_above"
                    ));
                }
            }
        }
        Ok(looking)
    }

    /// How far to look; `None` if nothing was said. Searches for a number of positions
    /// begin `from` this number of slides.
    pub fn effort(&self, from: u8) -> Result<Option<SearchLimit>, String> {
        let whole =
            |number: f64, most: f64| number.fract() == 0.0 && (1.0..=most).contains(&number);
        match (self.depth, self.positions) {
            (Some(_), Some(_)) => {
                Err("both depth and positions are given: one says how far to look".to_owned())
            }
            (Some(depth), None) if whole(depth, f64::from(MAX_DEPTH)) => {
                Ok(Some(SearchLimit::Depth(depth as u8)))
            }
            (Some(depth), None) => Err(format!(
                "depth is {depth}: use a whole number from 1 to {MAX_DEPTH}"
            )),
            (None, Some(enough)) if whole(enough, WHOLE) => Ok(Some(SearchLimit::Positions {
                min_depth: from,
                positions: enough as u64,
            })),
            (None, Some(enough)) => Err(format!(
                "positions is {enough}: use a whole number from 1 to {WHOLE}"
            )),
            (None, None) => Ok(None),
        }
    }

    /// What may be left out.
    pub fn options(&self) -> Result<ExpectimaxOptions, String> {
        if let Some(margin) = self
            .pruning_margin
            .filter(|margin| margin.is_nan() || *margin < 0.0)
        {
            return Err(format!(
                "pruning_margin is {margin}: use a number of points from 0, or Infinity"
            ));
        }
        let most = f64::from(NO_EXTENSION);
        let wrong = |&tiles: &f64| tiles.fract() != 0.0 || !(0.0..=most).contains(&tiles);
        if let Some(tiles) = self.extend_above.filter(wrong) {
            return Err(format!(
                "extend_above is {tiles}: use a whole number from 0 to {NO_EXTENSION}"
            ));
        }
        let mut options = ExpectimaxOptions {
            pruning_margin: self.pruning_margin,
            extend_above: self.extend_above.map(|tiles| tiles as u8),
            ..ExpectimaxOptions::default()
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
            pruning_margin: None,
            extend_above: None,
        };
        let effort = |depth, positions| looking(depth, positions).effort(3);
        assert_eq!(effort(Some(2.0), None), Ok(Some(SearchLimit::Depth(2))));
        let positions = SearchLimit::Positions {
            min_depth: 3,
            positions: 9,
        };
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
    fn extensions_are_numbers_of_tiles() {
        let options = |tiles| {
            let looking = SearchConfig {
                extend_above: Some(tiles),
                ..SearchConfig::default()
            };
            looking.options().map(|options| options.extend_above)
        };
        assert_eq!(options(0.0), Ok(Some(0)));
        assert_eq!(options(16.0), Ok(Some(16)));
        for wrong in [-1.0, 2.5, 17.0, f64::NAN] {
            assert!(options(wrong).is_err(), "{wrong}");
        }
    }
}
