//! Formations of single positions.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use super::*;
use tilebase_util::progress::Silent;

fn found(formations: &Formations, board: &str, solving: Solving) -> Vec<FormationPosition> {
    let mut found = Vec::new();
    let grid: Grid = board.parse().unwrap();
    formations.add(
        &mut found,
        &grid,
        Spawn::STANDARD,
        solving,
        &Stop::default(),
    );
    found
}

#[test]
fn moves_are_those_of_the_position() {
    let formations = Formations::default();
    let board = "2048,1024,512,2/256,128,64,16/.,8,.,4/.,4,.,.";
    let grid: Grid = board.parse().unwrap();
    let found = found(&formations, board, Solving::OnTheSpot);
    let l3 = found
        .iter()
        .find(|f| f.variant == "4x4-to-32-formation-L3")
        .unwrap();
    assert_eq!(l3.tiles, ".,.,4,./4,.,8,./16,#,#,#/2,#,#,#");
    assert_eq!(
        l3.meaning,
        "chance to make a 32 on the ten free cells while the six large tiles stay as they are"
    );
    assert!(l3.value.value.unwrap() > 0.9);
    assert_eq!(l3.value.source, Some(Source::Exact));
    // Slides of the position that would move a large tile are left out, and the others do there
    // what they do here.
    assert!(!l3.moves.is_empty());
    for m in &l3.moves {
        let direction: tilebase_game::Move = m.direction.name().parse().unwrap();
        let (after, score) = grid.after(direction).unwrap();
        let walled = WalledPosition::new(&after, 6).unwrap();
        assert_eq!(m.afterstate, walled.board.hex(grid.shape()));
        assert_eq!(m.score, score);
    }
    let losses: Vec<f64> = l3.moves.iter().map(|m| m.loss.unwrap()).collect();
    assert!(losses.is_sorted());
}

#[test]
fn the_next_positions_are_known_already() {
    let formations = Formations::default();
    let board = "2048,1024,512,2/256,128,64,16/.,8,.,4/.,4,.,.";
    assert!(found(&formations, board, Solving::Before).is_empty());
    assert!(!found(&formations, board, Solving::OnTheSpot).is_empty());
    let next = "2048,1024,512,2/256,128,64,16/.,.,8,4/2,.,.,4";
    let before = found(&formations, next, Solving::Before);
    let fresh = found(&Formations::default(), next, Solving::OnTheSpot);
    assert_eq!(before.len(), fresh.len());
    assert_eq!(before[0].value, fresh[0].value);
}

#[test]
fn nothing_is_solved_where_nothing_fits() {
    let formations = Formations::default();
    for board in [
        "2,2,4,8/.,.,.,./.,.,.,./.,.,.,.",
        "2048,1024,512,./256,128,128,./.,.,2,./.,.,.,.",
        "2048,1024,512/256,128,64/.,.,2",
        "1024,512,64,2/.,128,32,4/.,.,16,8/.,.,2,2",
    ] {
        assert!(
            found(&formations, board, Solving::OnTheSpot).is_empty(),
            "{board}"
        );
    }
}

#[test]
fn small_formations_are_solved_as_a_whole() {
    let board = "2048,1024,512,2/256,128,64,16/.,8,.,4/.,4,.,.";
    let found = found(&Formations::default(), board, Solving::Whole(&Silent));
    let l3 = found.iter().find(|f| f.variant.contains("L3")).unwrap();
    // The largest target that the walls allow.
    assert_eq!(l3.variant, "4x4-to-64-formation-L3");
    assert_eq!(l3.value.source, Some(Source::Exact));
    assert!(l3.value.value.unwrap() > 0.9999);
    for id in on_demand() {
        assert!(
            is_solved_whole(&crate::table_id::TableId::parse(&id).unwrap()),
            "{id}"
        );
    }
    let larger = crate::table_id::TableId::parse("4x4-to-512-formation-L3-win").unwrap();
    assert!(!is_solved_whole(&larger));
}
