//! Counts and values: formations that can be followed by hand, and games without walls, which
//! are known.

use super::*;

#[track_caller]
fn starts_at(solution: &Solution, objective: Objective, [mean, min, max]: [f64; 3]) {
    let start = solution.start(objective).unwrap();
    near(start.mean, mean);
    near(start.min, min);
    near(start.max, max);
}

/// One wall on three cells; 8 on either end wins.
#[test]
fn a_line_of_three_by_hand() {
    let formation = Formation {
        walls: 1,
        goals: cells(&[(0, 0), (0, 2)]),
        ..plain(1, 3, 3)
    };
    let layers = formation.reachable();
    assert_eq!(
        layers.keys().copied().collect::<Vec<_>>(),
        [4, 6, 8, 10, 12]
    );
    assert_eq!(hexes(&layers[&4].live), set(&["0xf11", "0x11f"]));
    assert_eq!(hexes(&layers[&4].lost), set(&["0x1f1"]));
    let after = set(&["0xf20", "0x0f2", "0x2f0", "0x02f"]);
    assert_eq!(hexes(&layers[&4].afterstates), after);
    assert_eq!(layers[&6].lost.len(), 6);
    assert_eq!(hexes(&layers[&8].live), set(&["0xf22", "0x22f"]));
    assert_eq!(hexes(&layers[&8].afterstates), set(&["0xf30", "0x03f"]));
    assert_eq!(hexes(&layers[&12].lost), set(&["0xf32", "0x23f"]));

    assert_eq!(formation.symmetries().len(), 2);
    let counts: Vec<[usize; 3]> = formation
        .census(&layers)
        .values()
        .map(|count| [count.live, count.lost, count.afterstates])
        .collect();
    assert_eq!(
        counts,
        [[1, 1, 2], [0, 3, 0], [1, 1, 1], [0, 1, 0], [0, 1, 0]]
    );

    // From f11, left leaves f20; only a 4, one time in ten, then makes f22, which wins.
    let solution = formation.solve(&layers);
    let open = solution.states[&board(&formation, "f11")];
    near(open.win, 0.1);
    near(open.loss, 0.9);
    near(open.score, 4.8);
    near(open.survival, 1.1);
    near(open.moves_if_won, 0.2);
    assert_eq!(open.category, Category::Open);
    let value = |hex| solution.states[&board(&formation, hex)];
    let next = Value {
        score: 8.0,
        survival: 1.0,
        moves_if_won: 1.0,
        ..Value::WON
    };
    assert_eq!(value("f22"), next);
    assert_eq!(value("2f2"), Value::LOST);
    let after = |hex| solution.afterstates[&board(&formation, hex)].category;
    assert_eq!(after("f20"), Category::Open);
    assert_eq!(after("0f2"), Category::SureLoss);

    // Two thirds of the starts have equal tiles side by side: 0.81 of them 2s, 0.01 4s.
    let part = 2.0 / 3.0;
    starts_at(&solution, Objective::Win, [part * 0.091, 0.0, 1.0]);
    let score = part * (0.81 * 4.8 + 0.01 * 8.0);
    starts_at(&solution, Objective::Score, [score, 0.0, 8.0]);
    let survival = part * (0.81 * 1.1 + 0.01);
    starts_at(&solution, Objective::Survival, [survival, 0.0, 1.1]);
    starts_at(&solution, Objective::Moves, [0.172 / 0.091, 1.0, 2.0]);
}

/// A wall in the corner of 2x2 leaves three cells in a bent line; a 4 beside it wins.
#[test]
fn a_corner_by_hand() {
    let formation = Formation {
        walls: 1,
        masks: vec![cells(&[(0, 0)])],
        goals: cells(&[(0, 1)]),
        twos: 1.0,
        ..plain(2, 2, 2)
    };
    let solution = formation.solve(&formation.reachable());
    let start = solution.start_value().unwrap();
    assert_eq!((start.loss, start.category), (0.0, Category::SureWin));
    near(start.win, 1.0);
    // f101 wins at once; f011 and f110 become f111 first.
    starts_at(&solution, Objective::Moves, [5.0 / 3.0, 1.0, 2.0]);
    assert_eq!(solution.states[&board(&formation, "f101")].win, 1.0);
}

/// A full row of walls that must stay is an edge of the board.
#[test]
fn a_row_of_walls_is_an_edge() {
    let small = plain(1, 3, 3);
    let walled = Formation {
        walls: 3,
        masks: vec![cells(&[(1, 0), (1, 1), (1, 2)])],
        goals: small.goals.clone(),
        ..plain(2, 3, 3)
    };
    let (layers, walled_layers) = (small.reachable(), walled.reachable());
    assert_eq!(small.census(&layers), walled.census(&walled_layers));
    let (solution, other) = (small.solve(&layers), walled.solve(&walled_layers));
    assert_eq!(solution.states.len(), other.states.len());
    for (state, value) in &solution.states {
        assert_eq!(
            other.states[&board(&walled, &(state.hex() + "fff"))],
            *value
        );
    }
    assert_eq!(solution.start_value(), other.start_value());
}

/// Without walls and with goals everywhere, these are the games that `tilebase solve` solves.
#[test]
fn games_without_walls_are_as_known() {
    let known = [
        (
            plain(2, 2, 4),
            [35, 23, 14, 0],
            0.03748874625,
            [0.96251125375, 0.96148375, 0.972775],
            [47.2547207592, 41.022612, 47.98509592],
            [8.263879262720778, 6.628973812032589, 8.445540996945425],
            [8.155179405, 6.5484, 8.3372905],
        ),
        (
            plain(2, 3, 5),
            [2757, 1691, 1345, 2],
            0.00010323657533661636,
            [0.9998967634246634, 0.9998795495965744, 0.9999010167181],
            [149.35933145679826, 142.61721574385172, 150.0962889802439],
            [16.769724014345183, 15.134030907312818, 16.951970423882965],
            [22.101615374375413, 20.479902069127007, 22.283994442574112],
        ),
    ];
    for (game, counts, loss, win, score, moves, survival) in known {
        let layers = game.reachable();
        let solution = game.solve(&layers);
        let live = || layers.values().flat_map(|layer| &layer.live);
        let certain = |category| {
            let is = |state: &&Board| solution.states[*state].category == category;
            game.classes(live().filter(is)).len()
        };
        let census = game.census(&layers);
        let found = [
            census.values().map(|count| count.live).sum(),
            census.values().map(|count| count.afterstates).sum(),
            certain(Category::SureWin),
            certain(Category::SureLoss),
        ];
        assert_eq!(found, counts);
        near(solution.start_value().unwrap().loss, loss);
        starts_at(&solution, Objective::Win, win);
        starts_at(&solution, Objective::Score, score);
        starts_at(&solution, Objective::Moves, moves);
        starts_at(&solution, Objective::Survival, survival);
        // What is certain by logic is certain by numbers, and nothing else is.
        for value in solution.states.values() {
            assert_eq!(value.loss == 0.0, value.category == Category::SureWin);
            assert_eq!(value.win == 0.0, value.category == Category::SureLoss);
            near(value.win + value.loss, 1.0);
        }
    }
}
