//! The columns of an export.

use tilebase_game::{Move, MoveSet, Rules, Shape, tile_value};
use tilebase_table::{Objective, Table, Value, ValueKind};

use crate::rows::Row;

/// A column of an export.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    /// The board in hex notation.
    Board,
    /// The number that the board's hex digits form.
    Number,
    /// The sum of the tiles: the layer.
    Sum,
    /// The largest tile.
    Largest,
    /// The value of the state.
    Value,
    /// The probability of winning.
    Win,
    /// The probability of not winning.
    Complement,
    /// What is certain.
    Category,
    /// The letters of the best moves.
    Best,
    /// The best moves as bits.
    BestBits,
    /// The value of a move.
    Move(Move),
    /// The probability of winning after a move.
    MoveWin(Move),
}

/// A value in a row and a column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Cell {
    /// A board's number, written as hex digits.
    Hex(u64),
    /// A number of eight bytes.
    Large(u64),
    /// A number of four bytes.
    Small(u32),
    /// A number with a fraction, if there is one.
    Real(Option<f64>),
    /// One of few words, if there is one.
    Word(Option<&'static str>),
}

/// Sets of moves as text, by their bits.
const LETTERS: [&str; 16] = [
    "", "L", "R", "LR", "U", "LU", "RU", "LRU", "D", "LD", "RD", "LRD", "UD", "LUD", "RUD", "LRUD",
];

impl Column {
    /// The columns for an objective: all of them, or without the numbers that duplicate a text.
    pub fn of(objective: Objective, numbers: bool) -> Vec<Column> {
        use Column::*;
        let mut columns = vec![Board, Number, Sum, Largest, Value];
        let kind = objective.value_kind();
        match kind {
            ValueKind::WinProbability => columns.push(Complement),
            ValueKind::FastestWin => columns.extend([Win, Complement]),
            ValueKind::ExpectedReturn => {}
        }
        columns.extend([Category, Best, BestBits]);
        columns.extend(tilebase_game::Move::ALL.map(Move));
        if kind == ValueKind::FastestWin {
            // A number of moves says little without the probability of winning.
            columns.extend(tilebase_game::Move::ALL.map(MoveWin));
        }
        columns.retain(|column| numbers || !matches!(column, Number | BestBits));
        columns
    }

    /// The name.
    pub fn name(self) -> String {
        match self {
            Column::Board => "board".to_owned(),
            Column::Number => "number".to_owned(),
            Column::Sum => "sum".to_owned(),
            Column::Largest => "largest".to_owned(),
            Column::Value => "value".to_owned(),
            Column::Win => "win".to_owned(),
            Column::Complement => "complement".to_owned(),
            Column::Category => "category".to_owned(),
            Column::Best => "best".to_owned(),
            Column::BestBits => "best_bits".to_owned(),
            Column::Move(m) => m.name().to_owned(),
            Column::MoveWin(m) => format!("{m}_win"),
        }
    }
}

/// What cells depend on besides their rows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cells {
    pub(crate) shape: Shape,
    rules: Rules,
    /// Without a target every game is lost in the end, so there is no category.
    has_target: bool,
}

impl Cells {
    /// For the rows of a table.
    pub(crate) fn new(table: &Table) -> Cells {
        Cells {
            shape: table.variant().shape(),
            rules: *table.rules(),
            has_target: table.variant().target().is_some(),
        }
    }

    /// The value in a row and a column.
    pub(crate) fn cell(self, row: &Row, column: Column) -> Cell {
        let win = |value: Value| value.win.map(|chance| chance.p());
        match column {
            Column::Board => Cell::Hex(row.board.number(self.shape)),
            Column::Number => Cell::Large(row.board.number(self.shape)),
            Column::Sum => Cell::Small(self.rules.sum(row.board)),
            Column::Largest => Cell::Small(tile_value(self.rules.max_exponent(row.board)) as u32),
            Column::Value => Cell::Real(row.value.value),
            Column::Win => Cell::Real(win(row.value)),
            Column::Complement => Cell::Real(row.value.win.map(|chance| chance.q())),
            Column::Category => Cell::Word(self.has_target.then(|| row.value.category.name())),
            Column::Best => Cell::Word(Some(letters(row.best))),
            Column::BestBits => Cell::Small(row.best.bits().into()),
            Column::Move(m) => Cell::Real(row.moves[m.index()].and_then(|value| value.value)),
            Column::MoveWin(m) => Cell::Real(row.moves[m.index()].and_then(win)),
        }
    }
}

fn letters(set: MoveSet) -> &'static str {
    LETTERS[usize::from(set.bits() & 15)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_those_of_the_set() {
        for bits in 0..16 {
            let set = MoveSet::from_bits(bits);
            assert_eq!(letters(set), set.to_string());
        }
    }

    #[test]
    fn columns_follow_the_objective() {
        let names = |objective, numbers| {
            let columns = Column::of(objective, numbers);
            columns
                .into_iter()
                .map(Column::name)
                .collect::<Vec<_>>()
                .join(" ")
        };
        assert_eq!(
            names(Objective::Win, true),
            "board number sum largest value complement category best best_bits left right up down"
        );
        assert_eq!(
            names(Objective::Score, false),
            "board sum largest value category best left right up down"
        );
        assert_eq!(
            names(Objective::Moves, false),
            "board sum largest value win complement category best left right up down \
             left_win right_win up_win down_win"
        );
    }
}
