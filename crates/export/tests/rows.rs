//! Exports against what a probe of each state says.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::path::Path;

use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::{Field, Row as Record};
use tilebase_export::{
    Column, ExportError, for_each_part, model, policy, write_csv, write_parquet,
};
use tilebase_game::{Board, Move, Variant, tile_value};
use tilebase_model::{ModelError, Reduction};
use tilebase_solve::{SolveOptions, solve, strip};
use tilebase_table::{Objective, Probe, Status, Table, TableError};
use tilebase_util::progress::Silent;

const OBJECTIVES: [Objective; 5] = [
    Objective::Win,
    Objective::Discounted(0.9),
    Objective::Score,
    Objective::Moves,
    Objective::Survival,
];

/// Square, wide, high, in a line, and with all start states full.
const GAMES: [&str; 7] = [
    "2x2-to-16",
    "2x3-to-32",
    "3x2-to-64",
    "1x4-to-16",
    "3x3-to-16",
    "2x4-to-16",
    "2x2-to-8-start-4",
];

fn solved(dir: &Path, game: &str, objective: Objective) -> Table {
    let variant: Variant = game.parse().unwrap();
    solve(&variant, objective, dir, &SolveOptions::default(), &Silent).unwrap();
    Table::open(dir).unwrap()
}

fn every_table(check: impl Fn(&Table)) {
    for game in GAMES {
        for objective in OBJECTIVES {
            let dir = tempfile::tempdir().unwrap();
            check(&solved(dir.path(), game, objective));
        }
    }
    // The whole game: nothing is won.
    for objective in [Objective::Score, Objective::Survival] {
        let dir = tempfile::tempdir().unwrap();
        check(&solved(dir.path(), "2x2", objective));
    }
}

#[test]
fn rows_are_what_probes_say() {
    every_table(|table| {
        let mut rows = Vec::new();
        let number = for_each_part(table, &Silent, <[_]>::to_vec, |part| {
            rows.extend(part);
            Ok(())
        });
        assert_eq!(number.unwrap(), table.manifest().states());
        assert_eq!(rows.len() as u64, table.manifest().states());
        assert!(rows.is_sorted_by_key(|row| row.board.sum()));
        for row in &rows {
            let answer = table.probe(row.board).unwrap();
            assert_eq!(answer.status, Status::Live, "{row:?}");
            assert_eq!(answer.value, Some(row.value), "{row:?}");
            assert_eq!(answer.best(), row.best, "{row:?}");
            for m in Move::ALL {
                let line = answer.moves.iter().find(|line| line.direction == m);
                assert_eq!(line.map(|line| line.value), row.moves[m.index()].map(Some));
            }
        }
        // No state is there twice.
        let mut boards: Vec<Board> = rows.iter().map(|row| row.board).collect();
        boards.sort();
        boards.dedup();
        assert_eq!(boards.len(), rows.len());
    });
}

/// What a probe says of a column, as a number or as text.
fn expected_cell(table: &Table, answer: &Probe, column: Column) -> ExpectedCell {
    let value = answer.value.unwrap();
    let line = |m| answer.moves.iter().find(move |line| line.direction == m);
    let shape = table.variant().shape();
    match column {
        Column::Board => ExpectedCell::Text(Some(answer.board.hex(shape))),
        Column::Number => ExpectedCell::Whole(answer.board.number(shape)),
        Column::Sum => ExpectedCell::Whole(answer.board.sum().into()),
        Column::Largest => ExpectedCell::Whole(tile_value(answer.board.max_exponent()) as u64),
        Column::Value => ExpectedCell::Real(value.value),
        Column::Win => ExpectedCell::Real(value.win.map(|chance| chance.p())),
        Column::Complement => ExpectedCell::Real(value.win.map(|chance| chance.q())),
        Column::Category => {
            let target = table.variant().target();
            ExpectedCell::Text(target.map(|_| value.category.name().to_owned()))
        }
        Column::Best => ExpectedCell::Text(Some(answer.best().to_string())),
        Column::BestBits => ExpectedCell::Whole(answer.best().bits().into()),
        Column::Move(m) => ExpectedCell::Real(line(m).and_then(|line| line.value.unwrap().value)),
        Column::MoveWin(m) => {
            let win = |line: &tilebase_table::ProbedMove| line.value.unwrap().win.unwrap().p();
            ExpectedCell::Real(line(m).map(win))
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
enum ExpectedCell {
    Text(Option<String>),
    Whole(u64),
    Real(Option<f64>),
}

fn board_of(text: &str, table: &Table) -> Probe {
    let board = Board::parse(text, table.variant().shape()).unwrap();
    table.probe(board).unwrap()
}

#[test]
fn csv_is_what_probes_say() {
    every_table(|table| {
        let mut text = Vec::new();
        let rows = write_csv(table, &mut text, &Silent).unwrap();
        let text = String::from_utf8(text).unwrap();
        let mut lines = text.lines();
        let columns = Column::of(table.objective(), false);
        let names: Vec<String> = columns.iter().map(|column| column.name()).collect();
        assert_eq!(lines.next().unwrap(), names.join(","));
        let mut seen = 0;
        for line in lines {
            let fields: Vec<&str> = line.split(',').collect();
            assert_eq!(fields.len(), columns.len(), "{line}");
            let answer = board_of(fields[0], table);
            for (&field, &column) in fields.iter().zip(&columns) {
                let some = (!field.is_empty()).then_some(field);
                let read = match expected_cell(table, &answer, column) {
                    ExpectedCell::Text(_) => ExpectedCell::Text(some.map(str::to_owned)),
                    ExpectedCell::Whole(_) => ExpectedCell::Whole(field.parse().unwrap()),
                    // To the last bit.
                    ExpectedCell::Real(_) => {
                        ExpectedCell::Real(some.map(|text| text.parse().unwrap()))
                    }
                };
                assert_eq!(
                    read,
                    expected_cell(table, &answer, column),
                    "{line}: {column:?}"
                );
            }
            seen += 1;
        }
        assert_eq!(seen, rows);
        assert_eq!(seen, table.manifest().states());
    });
}

#[test]
fn parquet_is_what_probes_say() {
    every_table(|table| {
        let mut file = Vec::new();
        let rows = write_parquet(table, &mut file, &Silent).unwrap();
        let reader = SerializedFileReader::new(bytes::Bytes::from(file)).unwrap();
        let metadata = reader.metadata().file_metadata();
        assert_eq!(metadata.num_rows() as u64, rows);
        assert_eq!(rows, table.manifest().states());
        let columns = Column::of(table.objective(), true);
        for record in reader.get_row_iter(None).unwrap() {
            let record: Record = record.unwrap();
            let fields: Vec<(&String, &Field)> = record.get_column_iter().collect();
            let Field::Str(board) = fields[0].1 else {
                unreachable!("{record}");
            };
            let answer = board_of(board, table);
            for (&(name, field), &column) in fields.iter().zip(&columns) {
                assert_eq!(*name, column.name());
                let read = match (field, expected_cell(table, &answer, column)) {
                    (Field::Str(text), _) => ExpectedCell::Text(Some(text.clone())),
                    (Field::ULong(number), _) => ExpectedCell::Whole(*number),
                    (Field::UInt(number), _) => ExpectedCell::Whole((*number).into()),
                    (Field::Double(number), _) => ExpectedCell::Real(Some(*number)),
                    (Field::Null, ExpectedCell::Text(_)) => ExpectedCell::Text(None),
                    (Field::Null, ExpectedCell::Real(_)) => ExpectedCell::Real(None),
                    other => unreachable!("{other:?}"),
                };
                assert_eq!(
                    read,
                    expected_cell(table, &answer, column),
                    "{record}: {column:?}"
                );
            }
        }
    });
}

#[test]
fn files_say_what_they_are() {
    let dir = tempfile::tempdir().unwrap();
    let table = solved(dir.path(), "2x3-to-32", Objective::Discounted(0.75));
    let mut file = Vec::new();
    write_parquet(&table, &mut file, &Silent).unwrap();
    let reader = SerializedFileReader::new(bytes::Bytes::from(file)).unwrap();
    let metadata = reader.metadata().file_metadata();
    let entry = |name: &str| {
        let pairs = metadata.key_value_metadata().unwrap();
        let pair = pairs
            .iter()
            .find(|pair| pair.key == format!("tilebase.{name}"));
        pair.unwrap().value.clone().unwrap()
    };
    assert_eq!(entry("variant"), "2x3-to-32");
    assert_eq!(entry("objective"), "win");
    assert_eq!(entry("discount"), "0.75");
    assert_eq!(entry("version"), env!("CARGO_PKG_VERSION"));
    let bound: f64 = entry("relative_error_bound").parse().unwrap();
    assert_eq!(bound, table.manifest().relative_error_bound);
    assert!(bound > 0.0);
    let by = format!("tilebase {}", env!("CARGO_PKG_VERSION"));
    assert_eq!(metadata.created_by(), Some(by.as_str()));
}

#[test]
fn threads_make_no_difference() {
    let dir = tempfile::tempdir().unwrap();
    let table = solved(dir.path(), "3x3-to-32", Objective::Win);
    let written = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.unwrap().install(|| {
            let (mut text, mut file) = (Vec::new(), Vec::new());
            write_csv(&table, &mut text, &Silent).unwrap();
            write_parquet(&table, &mut file, &Silent).unwrap();
            (text, file)
        })
    };
    assert!(written(1) == written(3));
}

#[test]
fn tables_with_moves_only_have_no_rows() {
    let dir = tempfile::tempdir().unwrap();
    let table = solved(&dir.path().join("full"), "2x2-to-16", Objective::Win);
    let slim = dir.path().join("slim");
    strip(&table, &slim, &Silent).unwrap();
    let slim = Table::open(&slim).unwrap();
    let mut out = Vec::new();
    let listed = model(&slim, Reduction::Actions, 100).unwrap();
    for error in [
        write_csv(&slim, &mut out, &Silent).unwrap_err(),
        write_parquet(&slim, &mut out, &Silent).unwrap_err(),
        policy(&slim, &listed).unwrap_err(),
    ] {
        let moves_only = matches!(error, ExportError::Table(TableError::MovesOnly(_)));
        assert!(moves_only, "{error}");
    }
    assert!(out.is_empty());
}

#[test]
fn models_have_the_values_of_the_table() {
    for (game, objective) in [
        ("2x2-to-32", Objective::Win),
        ("2x3-to-32", Objective::Score),
        ("2x3-to-32", Objective::Discounted(0.9)),
        ("3x2-to-32", Objective::Survival),
    ] {
        let dir = tempfile::tempdir().unwrap();
        let table = solved(dir.path(), game, objective);
        for reduction in [Reduction::None, Reduction::States, Reduction::Actions] {
            let model = model(&table, reduction, 100_000).unwrap();
            let here = policy(&table, &model).unwrap();
            // An independent method: value iteration over the listed model.
            let there = tilebase_model::solve(&model, objective);
            assert_eq!(here.len(), there.len());
            for (here, there) in here.iter().zip(&there) {
                assert!((here.value - there.value).abs() <= 1e-12 * there.value);
                assert_eq!(here.best, there.best, "{game} {here:?}");
            }
        }
        let error = model(&table, Reduction::Actions, 10).unwrap_err();
        assert!(matches!(
            error,
            ExportError::Model(ModelError::Limit { limit: 10, .. })
        ));
        let error = model(&table, Reduction::None, table.manifest().states() as usize);
        assert!(matches!(
            error,
            Err(ExportError::Model(ModelError::Limit { .. }))
        ));
    }
}

#[test]
fn hopeless_states_take_for_ever() {
    let dir = tempfile::tempdir().unwrap();
    let table = solved(dir.path(), "1x4-to-16", Objective::Moves);
    let model = model(&table, Reduction::Actions, 100).unwrap();
    let lines = policy(&table, &model).unwrap();
    assert!(lines.iter().any(|line| line.value == f64::INFINITY));
    assert!(lines.iter().all(|line| line.value > 0.0));
}
