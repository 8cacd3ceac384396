//! Values, losses and outlooks as people read them.

use std::fmt::Write;

use tilebase_schema::{Grade, Outlook, Unit, Value};

use crate::output::{percent, percent_of, significant};

/// A number of a unit, such as `12.3 %` or `1,230 points`.
pub fn number(number: f64, unit: Option<Unit>) -> String {
    match unit {
        Some(Unit::Probability) => percent(number),
        Some(Unit::Points) => format!("{} points", significant(number)),
        Some(Unit::Moves) => format!("{} moves", significant(number)),
        None => significant(number),
    }
}

/// A value with its standard error, such as `12.3 % ± 0.4 %`.
pub fn value(value: &Value, unit: Option<Unit>) -> String {
    match (value.value, value.complement, unit) {
        (Some(found), Some(complement), Some(Unit::Probability)) if value.uncertainty.is_none() => {
            percent_of(found, complement)
        }
        (Some(found), _, unit) => with_error(found, value.uncertainty, unit),
        (None, ..) => "unknown".to_owned(),
    }
}

/// A number with its standard error, which has two digits at most.
pub fn with_error(found: f64, error: Option<f64>, unit: Option<Unit>) -> String {
    match error.filter(|&error| error > 0.0) {
        Some(error) => format!("{} ± {}", number(found, unit), rough(error, unit)),
        None => number(found, unit),
    }
}

fn rough(error: f64, unit: Option<Unit>) -> String {
    // One digit says how large an error is.
    let scale = 10f64.powf(error.abs().log10().floor());
    let error = (error / scale).round() * scale;
    let text = match unit {
        Some(Unit::Probability) => {
            let percent = 100.0 * error;
            let places = (-percent.log10().floor()).max(0.0) as usize;
            return format!("{percent:.places$} %");
        }
        _ => significant(error),
    };
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}

/// The chances of the next large tiles and the further score, a line each.
pub fn outlook(outlook: &Outlook) -> String {
    let mut text = String::new();
    let errors = outlook.chances_uncertainty.as_ref();
    for (tile, &chance) in outlook.chances.iter().flatten() {
        let error = errors.and_then(|errors| errors.get(tile)).copied();
        let chance = with_error(chance, error, Some(Unit::Probability));
        // Writing to a string cannot fail.
        let _ = writeln!(text, "  chance of {tile}: {chance}");
    }
    if let Some(score) = outlook.further_score {
        let score = with_error(score, outlook.further_score_uncertainty, Some(Unit::Points));
        let _ = writeln!(text, "  further score: {score}");
    }
    text
}

/// A grade in words.
pub fn grade(grade: Grade) -> &'static str {
    match grade {
        Grade::Best => "best",
        Grade::AboutEqual => "about equal",
        Grade::Slight => "slight loss",
        Grade::Inaccuracy => "inaccuracy",
        Grade::Mistake => "mistake",
        Grade::Blunder => "blunder",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_have_one_digit() {
        let chance = Some(Unit::Probability);
        for (found, error, unit, expected) in [
            (0.9812, 0.0042, chance, "98.1 % ± 0.4 %"),
            (0.5, 0.123, chance, "50.0 % ± 10 %"),
            (1.0, 0.0, chance, "100 %"),
            (12_345.0, 678.0, Some(Unit::Points), "12,300 points ± 700"),
            (3.25, 0.51, None, "3.25 ± 0.5"),
        ] {
            assert_eq!(with_error(found, Some(error), unit), expected);
        }
    }
}
