//! Grades of moves, and the accuracy of a game.

use tilebase_schema::Grade;

/// The grade of a move that loses this share of the best value and is not the best.
pub fn grade(share: f64) -> Grade {
    match share {
        share if share <= 0.005 => Grade::Slight,
        share if share <= 0.02 => Grade::Inaccuracy,
        share if share <= 0.1 => Grade::Mistake,
        _ => Grade::Blunder,
    }
}

/// Whether a move with this grade lost something that matters.
pub fn is_mistake(grade: Option<Grade>) -> bool {
    !matches!(grade, None | Some(Grade::Best | Grade::AboutEqual))
}

/// The share of the best value that a loss is.
pub fn relative_loss(loss: f64, best: f64) -> f64 {
    (loss / best.abs().max(1e-9)).clamp(0.0, 1.0)
}

/// How near a move comes to the best one, in percent.
pub fn move_accuracy(share: f64) -> f64 {
    100.0 * libm::exp(-25.0 * share)
}
