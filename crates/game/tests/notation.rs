//! What the parsers accept, and the exact words with which they refuse.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

use tilebase_game::{Board, Grid, Shape, Spawn, Variant, parse_tile};

fn shape(text: &str) -> Shape {
    text.parse().unwrap()
}

#[test]
fn boards_in_both_notations() {
    let expected = Grid::from_exponents(shape("2x2"), &[0, 1, 3, 2]).unwrap();
    for text in [
        "0x0132",
        "0X0132",
        ".,2/8,4",
        "0,2/8,4",
        " . , 2 / 8 , 4 ",
        "0,2/2^3,2^2",
    ] {
        assert_eq!(Grid::parse(text, None), Ok(expected.clone()), "{text}");
        assert_eq!(
            Grid::parse(text, Some(shape("2x2"))),
            Ok(expected.clone()),
            "{text}"
        );
    }
    let row = Grid::parse("0x0132", Some(shape("1x4"))).unwrap();
    assert_eq!(row.to_string(), ".,2,8,4");
    assert_eq!(Grid::parse("0xF", None).unwrap().to_string(), "32768");
    let large: Grid = "65536,.".parse().unwrap();
    assert_eq!(large.hex(), None);
}

#[test]
fn boards_are_refused_with_reasons() {
    let cases = [
        (
            "",
            None,
            "the board is missing: write it as 0x0132 or as .,2/8,4",
        ),
        (
            "0x01g2",
            None,
            "digit 3 of the board is 'g': use 0-9 and a-f, one digit a cell",
        ),
        (
            "0x013",
            Some("2x2"),
            "the board has 3 hex digits: a 2x2 board has 4, one a cell",
        ),
        (
            "0x013",
            None,
            "the board has 3 hex digits, which do not fill a square: give the shape too",
        ),
        (
            "0x",
            None,
            "the board has 0 hex digits, which do not fill a square: give the shape too",
        ),
        (
            ".,2/7,4",
            None,
            "row 2, column 1 of the board is '7': use a power of two from 2 to 2^100, or . for an empty cell",
        ),
        (
            ".,2/,4",
            None,
            "row 2, column 1 of the board is '': use a power of two from 2 to 2^100, or . for an empty cell",
        ),
        (
            ".,1/2,4",
            None,
            "row 1, column 2 of the board is '1': use a power of two from 2 to 2^100, or . for an empty cell",
        ),
        (
            ".,2^101/2,4",
            None,
            "row 1, column 2 of the board is '2^101': use a power of two from 2 to 2^100, or . for an empty cell",
        ),
        (
            ".,2/8",
            None,
            "row 2 of the board has 1 cells: 2 expected, split by ,",
        ),
        (
            ".,2/8,4",
            Some("3x2"),
            "the board has 2 rows: a 3x2 board has 3, split by /",
        ),
        (
            ".,2/8,4",
            Some("2x3"),
            "row 1 of the board has 2 cells: 3 expected, split by ,",
        ),
    ];
    for (text, given, expected) in cases {
        let error = Grid::parse(text, given.map(shape)).unwrap_err();
        assert_eq!(error.to_string(), expected, "{text}");
    }
    let wide = vec!["."; 33].join(",");
    assert_eq!(
        Grid::parse(&wide, None).unwrap_err().to_string(),
        "the board has 1 rows and 33 columns: at most 32 and 32"
    );
    assert_eq!(
        Board::parse(".,2/65536,4", shape("2x2"))
            .unwrap_err()
            .to_string(),
        "row 2, column 1 of the board is 65536: at most 32768 here"
    );
    assert_eq!(
        Board::parse(".", shape("5x4")).unwrap_err().to_string(),
        "shape 5x4 is too large: at most 4x4"
    );
}

#[test]
fn shapes_are_refused_with_reasons() {
    for (text, expected) in [
        ("4", "invalid shape '4': use rows x columns, such as 4x4"),
        (
            "4X4",
            "invalid shape '4X4': use rows x columns, such as 4x4",
        ),
        (
            "+4x4",
            "invalid shape '+4x4': use rows x columns, such as 4x4",
        ),
        ("x", "invalid shape 'x': use rows x columns, such as 4x4"),
        (
            "0x4",
            "invalid shape '0x4': rows and columns go from 1 to 32",
        ),
        (
            "33x1",
            "invalid shape '33x1': rows and columns go from 1 to 32",
        ),
        (
            "999x999",
            "invalid shape '999x999': rows and columns go from 1 to 32",
        ),
    ] {
        assert_eq!(text.parse::<Shape>().unwrap_err().to_string(), expected);
    }
}

#[test]
fn spawn_rules_are_read_and_refused_with_reasons() {
    assert_eq!("2:0.9,4:0.1".parse(), Ok(Spawn::STANDARD));
    assert_eq!("4:.1,2:.90".parse(), Ok(Spawn::STANDARD));
    assert_eq!("2:1".parse(), Ok(Spawn::TWOS));
    assert_eq!("2:1.0,4:0".parse(), Ok(Spawn::TWOS));
    assert_eq!("4:1".parse(), Ok(Spawn::FOURS));
    assert_eq!(Spawn::STANDARD.to_string(), "2:0.9,4:0.1");
    assert_eq!(Spawn::TWOS.to_string(), "2:1");
    for (text, expected) in [
        (
            "",
            "invalid spawn rule '': use TILE:PROBABILITY, such as 2:0.9,4:0.1 or 2:1",
        ),
        (
            "2",
            "invalid spawn rule '2': use TILE:PROBABILITY, such as 2:0.9,4:0.1 or 2:1",
        ),
        ("8:1", "tile '8' cannot spawn: only 2 and 4 can"),
        (
            "2:x",
            "invalid probability 'x': use a decimal from 0 to 1 with at most 9 places",
        ),
        (
            "2:2",
            "invalid probability '2': use a decimal from 0 to 1 with at most 9 places",
        ),
        (
            "2:-1",
            "invalid probability '-1': use a decimal from 0 to 1 with at most 9 places",
        ),
        (
            "2:.",
            "invalid probability '.': use a decimal from 0 to 1 with at most 9 places",
        ),
        ("2:0.5,2:0.5", "tile 2 is given twice"),
        (
            "2:0.9",
            "the probabilities add up to 0.9: they must add up to 1",
        ),
        (
            "2:0.9,4:0.2",
            "the probabilities add up to 1.1: they must add up to 1",
        ),
    ] {
        assert_eq!(text.parse::<Spawn>().unwrap_err().to_string(), expected);
    }
}

#[test]
fn variants_are_read_and_refused_with_reasons() {
    for name in [
        "4x4",
        "3x3-to-512",
        "2x2-to-32-spawn-2:1-start-1",
        "3x4-start-3",
        "5x5-to-4096-spawn-2:0.5,4:0.5",
    ] {
        assert_eq!(name.parse::<Variant>().unwrap().to_string(), name);
    }
    assert_eq!(
        "3x3-to-2^9".parse::<Variant>().unwrap().to_string(),
        "3x3-to-512"
    );
    for (text, expected) in [
        ("", "invalid shape '': use rows x columns, such as 4x4"),
        (
            "3x3-to-500",
            "invalid tile '500': use a power of two from 2 to 2^100",
        ),
        (
            "3x3-to-4",
            "target 4 is out of range: use a power of two from 8 to 2^100",
        ),
        (
            "3x3-start-0",
            "0 start tiles do not fit a 3x3 board: use 1 to 9",
        ),
        ("1x1", "2 start tiles do not fit a 1x1 board: use 1 to 1"),
        (
            "3x3-start-x",
            "invalid variant name at 'x': use SHAPE[-to-TILE][-formation-NAME][-spawn-RULE][-start-TILES]",
        ),
        (
            "3x3-to",
            "invalid variant name at 'to': use SHAPE[-to-TILE][-formation-NAME][-spawn-RULE][-start-TILES]",
        ),
        (
            "3x3-start-2-to-8",
            "invalid variant name at 'to-8': use SHAPE[-to-TILE][-formation-NAME][-spawn-RULE][-start-TILES]",
        ),
        (
            "3x3-spawn-2:2",
            "invalid probability '2': use a decimal from 0 to 1 with at most 9 places",
        ),
    ] {
        assert_eq!(text.parse::<Variant>().unwrap_err().to_string(), expected);
    }
}

#[test]
fn tiles_are_powers_of_two() {
    assert_eq!(parse_tile("2"), Ok(1));
    assert_eq!(parse_tile("131072"), Ok(17));
    assert_eq!(parse_tile("1267650600228229401496703205376"), Ok(100));
    for text in [
        "",
        "0",
        "1",
        "3",
        "-2",
        "+2",
        "2^0",
        "2^101",
        "2^",
        "2.0",
        "99999999999999999999999999999999999999999",
    ] {
        let error = parse_tile(text).unwrap_err().to_string();
        assert_eq!(
            error,
            format!("invalid tile '{text}': use a power of two from 2 to 2^100")
        );
    }
}

/// A pair of 32768 tiles has no packed sum: it stays apart and the board says so.
#[test]
fn packed_boards_warn_before_they_overflow() {
    let four = shape("1x4");
    let rules = tilebase_game::Rules::new(four).unwrap();
    let pair = Board::parse("0xff10", four).unwrap();
    assert!(!pair.slides_exactly());
    assert_eq!(rules.slide(pair, tilebase_game::Move::Left), pair);
    assert!(Board::parse("0xfe10", four).unwrap().slides_exactly());
}
