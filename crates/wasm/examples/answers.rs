//! Writes what the native engine answers, for tests/node.mjs to compare the build for the
//! browser with: `answers DIR` leaves answers.jsonl, weights.network and policy.bin there.
//! With `--time` it prints how fast it searches, to compare with benches/search.mjs.

use std::error::Error;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::Path;
use std::time::Instant;

use serde_json::{Value, json};
use tilebase_expectimax::{
    Advice, Evaluation, ExpectimaxOptions, ExpectimaxSearch, SearchLimit, Smooth,
};
use tilebase_game::{Board, Grid, Move, Rng, Rules, Shape, Spawn, Symmetry, Variant};
use tilebase_network::patterns::WEIGHTS;
use tilebase_network::{NTupleNetwork, STAGES};
use tilebase_table::policy::{PackedPolicy, PolicyEntry};

/// What is thrown in a test never fails it by chance: the seed is fixed.
const SEED: u64 = 2048;

type Answer<T> = Result<T, Box<dyn Error>>;

fn main() -> Answer<()> {
    let dir = std::env::args().nth(1).ok_or("usage: answers DIR")?;
    let dir = Path::new(&dir);
    fs::create_dir_all(dir)?;
    let mut out = BufWriter::new(File::create(dir.join("answers.jsonl"))?);
    let mut rng = Rng::new(SEED);
    for (shape, count) in [
        ("2x2", 600),
        ("2x3", 600),
        ("3x2", 300),
        ("3x3", 1500),
        ("3x4", 1500),
        ("4x4", 2000),
    ] {
        smooth(&mut out, shape.parse()?, count, &mut rng)?;
    }
    fs::write(
        dir.join("weights.network"),
        network(&mut out, 2000, &mut rng)?,
    )?;
    fs::write(dir.join("policy.bin"), policy(&mut out, &mut rng)?)?;
    rules(&mut out, &mut rng)?;
    games(&mut out)?;
    out.flush()?;
    if std::env::args().nth(2).as_deref() == Some("--time") {
        time(&fs::read(dir.join("weights.network"))?)?;
    }
    Ok(())
}

/// A position: of a random game, or with any tiles in any cells. Few are lost: there is
/// little to say about those.
fn position(rules: &Rules, rng: &mut Rng) -> Board {
    let shape = rules.shape();
    loop {
        let board = if rng.below(2) == 0 {
            played(rules, rng)
        } else {
            let (highest, filled) = (2 + rng.below(14), 1 + rng.below(4));
            let mut cell = || match rng.below(4) < filled {
                true => rng.below(highest + 1) as u8,
                false => 0,
            };
            let cells: Vec<u8> = (0..shape.cells()).map(|_| cell()).collect();
            let grid = Grid::from_exponents(shape, &cells);
            grid.and_then(|grid| grid.pack()).unwrap_or_default()
        };
        if board.slides_exactly() && (!rules.is_lost(board) || rng.below(20) == 0) {
            return board;
        }
    }
}

/// Some position of a game by chance.
fn played(rules: &Rules, rng: &mut Rng) -> Board {
    let mut grid = Grid::empty(rules.shape());
    grid.spawn(Spawn::STANDARD, rng);
    grid.spawn(Spawn::STANDARD, rng);
    let mut states = Vec::new();
    loop {
        states.extend(grid.pack());
        let moves: Vec<Move> = grid.legal_moves().iter().collect();
        if moves.is_empty() {
            break;
        }
        grid.slide(moves[rng.below(moves.len() as u32) as usize]);
        grid.spawn(Spawn::STANDARD, rng);
    }
    let at = rng.below(states.len() as u32) as usize;
    states.get(at).copied().unwrap_or_default()
}

/// Ways to look, as a page gives them and as the native engine takes them. Searches for a
/// number of positions begin `from` this number of slides; `usual` is what nothing stands for.
fn ways(from: u8, usual: SearchLimit) -> Vec<(Value, SearchLimit, f64)> {
    let positions = |positions| SearchLimit::Positions {
        min_depth: from,
        positions,
    };
    vec![
        (json!({"depth": 1}), SearchLimit::Depth(1), 0.0),
        (json!({"depth": 2}), SearchLimit::Depth(2), 0.0),
        (json!({"depth": 3}), SearchLimit::Depth(3), 0.0),
        (
            json!({"depth": 3, "pruning_margin": 50}),
            SearchLimit::Depth(3),
            0.0,
        ),
        (
            json!({"depth": 1, "extend_above": 5}),
            SearchLimit::Depth(1),
            0.0,
        ),
        (
            json!({"depth": 4, "cutoff": 0.01}),
            SearchLimit::Depth(4),
            0.01,
        ),
        (json!({"positions": 700}), positions(700), 0.0),
        (
            json!({"positions": 3000, "cutoff": 0.001}),
            positions(3000),
            0.001,
        ),
        (json!({}), usual, 0.0),
    ]
}

fn smooth(out: &mut impl Write, shape: Shape, count: usize, rng: &mut Rng) -> Answer<()> {
    let rules = Rules::new(shape)?;
    let spawns = [Spawn::STANDARD, Spawn::TWOS, "2:0.35,4:0.65".parse()?];
    let evaluations = spawns.map(|spawn| (spawn, Smooth::new(rules, spawn)));
    let usual = SearchLimit::Positions {
        min_depth: 3,
        positions: 10_000,
    };
    let ways = ways(3, usual);
    for at in 0..count {
        let (spawn, evaluation) = &evaluations[if at % 4 == 0 { at / 4 % 3 } else { 0 }];
        let board = position(&rules, rng);
        advise(
            out,
            &rules,
            *spawn,
            ("smooth", evaluation),
            board,
            &ways[at % ways.len()],
        )?;
    }
    Ok(())
}

/// Returns the weights that it used.
fn network(out: &mut impl Write, count: usize, rng: &mut Rng) -> Answer<Vec<u8>> {
    let rules = Rules::new("4x4".parse()?)?;
    let weights = (0..STAGES * WEIGHTS).map(weight);
    let bytes = NTupleNetwork::from_weights(weights, 0.0, 1.0)?.to_bytes()?;
    let evaluation = NTupleNetwork::from_bytes(&bytes)?;
    let ways = ways(1, SearchLimit::Depth(3));
    for at in 0..count {
        let mut board = position(&rules, rng);
        if at % 3 == 0 && !board.reaches(14) {
            // Some boards of the second stage.
            board = board.with(rng.below(4) as u8, rng.below(4) as u8, 14);
        }
        let way = &ways[at % ways.len()];
        advise(
            out,
            &rules,
            Spawn::STANDARD,
            ("network", &evaluation),
            board,
            way,
        )?;
    }
    Ok(bytes)
}

/// A weight by chance for fillings of small tiles and for one in 64 of the others, so that
/// the file stays small.
fn weight(place: usize) -> f32 {
    let mixed = (place as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let small = (0..6).all(|cell| place >> (4 * cell) & 15 <= 4);
    if small || mixed >> 58 == 0 {
        (mixed as u32 >> 8) as f32 / 1000.0 - 5000.0
    } else {
        0.0
    }
}

fn advise<E: Evaluation>(
    out: &mut impl Write,
    rules: &Rules,
    spawn: Spawn,
    (name, evaluation): (&str, &E),
    board: Board,
    (asked, effort, cutoff): &(Value, SearchLimit, f64),
) -> Answer<()> {
    let options = ExpectimaxOptions {
        cutoff: *cutoff,
        pruning_margin: asked["pruning_margin"].as_f64(),
        extend_above: asked["extend_above"].as_u64().map(|tiles| tiles as u8),
        ..ExpectimaxOptions::default()
    };
    let advice = ExpectimaxSearch::new(*rules, spawn, evaluation, options).advise(board, *effort);
    let line = json!({
        "kind": "advise",
        "shape": rules.shape().to_string(),
        "spawn": spawn.to_string(),
        "evaluation": name,
        "board": board.hex(rules.shape()),
        "options": asked,
        "advice": advice.as_ref().map(written),
    });
    writeln!(out, "{line}")?;
    Ok(())
}

fn written(advice: &Advice) -> Value {
    let moves = advice.moves.iter();
    let moves = moves.map(|scored| json!({"move": scored.m.name(), "value": scored.value}));
    json!({
        "moves": moves.collect::<Vec<Value>>(),
        "depth": advice.depth,
        "visited": advice.positions,
    })
}

/// Returns the policy that it used.
fn policy(out: &mut impl Write, rng: &mut Rng) -> Answer<Vec<u8>> {
    let variant: Variant = "3x3-to-1024".parse()?;
    let rules = Rules::new(variant.shape())?;
    let lines: Vec<PolicyEntry> = (0..2000)
        .map(|_| PolicyEntry {
            board: played(&rules, rng),
            best: Move::ALL[rng.below(4) as usize],
            value: f64::from(rng.below(1 << 30)) / f64::from(1 << 30),
        })
        .collect();
    let bytes = PackedPolicy::new(variant, "win", &lines).to_bytes();
    let policy = PackedPolicy::from_bytes(&bytes)?;
    let symmetries = Symmetry::of(variant.shape());
    for line in &lines {
        // Listed boards in one of their images, and boards that mostly are not listed.
        let image = symmetries[rng.below(symmetries.len() as u32) as usize];
        for board in [rules.image(line.board, image), position(&rules, rng)] {
            let found = policy.look_up(board);
            let line = json!({
                "kind": "policy",
                "variant": variant.to_string(),
                "objective": "win",
                "size": policy.len(),
                "board": board.hex(variant.shape()),
                "best": found.map(|(m, value)| json!({"move": m.name(), "value": value})),
            });
            writeln!(out, "{line}")?;
        }
    }
    Ok(bytes)
}

fn rules(out: &mut impl Write, rng: &mut Rng) -> Answer<()> {
    for shape in ["1x4", "2x2", "3x2", "3x3", "3x4", "4x4"] {
        let shape: Shape = shape.parse()?;
        let (rules, spawn) = (Rules::new(shape)?, Spawn::STANDARD);
        for _ in 0..200 {
            let board = position(&rules, rng);
            let slides = Move::ALL.map(|m| {
                json!({
                    "afterstate": rules.slide(board, m).hex(shape),
                    "score": rules.score(board, m),
                    "legal": rules.is_legal(board, m),
                })
            });
            let spawns = rules.spawns(board, spawn).map(|outcome| {
                json!({
                    "cell": outcome.row * shape.cols() + outcome.col,
                    "tile": 1 << outcome.exponent,
                    "probability": outcome.probability,
                    "board": outcome.board.hex(shape),
                })
            });
            let moves = rules.legal_moves(board);
            let line = json!({
                "kind": "rules",
                "shape": shape.to_string(),
                "board": board.hex(shape),
                "text": board.unpack(shape).to_string(),
                "slides": slides,
                "legal": moves.iter().map(Move::name).collect::<Vec<&str>>(),
                "lost": rules.is_lost(board),
                "spawns": spawns.collect::<Vec<Value>>(),
            });
            writeln!(out, "{line}")?;
        }
    }
    Ok(())
}

/// Whole games: dice, spawns and slides together.
fn games(out: &mut impl Write) -> Answer<()> {
    for (game, shape) in ["2x2", "2x3", "3x3", "3x4", "4x4"]
        .iter()
        .cycle()
        .take(50)
        .enumerate()
    {
        let shape: Shape = shape.parse()?;
        let mut dice = Rng::for_game(SEED, game as u64);
        let mut grid = Grid::empty(shape);
        grid.spawn(Spawn::STANDARD, &mut dice);
        grid.spawn(Spawn::STANDARD, &mut dice);
        let (mut boards, mut score) = (vec![grid.hex()], 0);
        // The first legal move: a choice that both sides can make.
        while let Some(m) = grid.legal_moves().iter().next() {
            score += grid.slide(m).unwrap_or(0);
            grid.spawn(Spawn::STANDARD, &mut dice);
            boards.push(grid.hex());
        }
        let line = json!({
            "kind": "game",
            "shape": shape.to_string(),
            "seed": SEED,
            "game": game,
            "boards": boards,
            "score": u64::try_from(score)?,
        });
        writeln!(out, "{line}")?;
    }
    Ok(())
}

/// Positions that benches/search.mjs makes too: one in the middle of each of these games.
const TIMED_GAMES: u64 = 300;

/// Prints how many searches of depth 3 on 4x4 it makes in a second, the best of five rounds.
fn time(weights: &[u8]) -> Answer<()> {
    let rules = Rules::new("4x4".parse()?)?;
    let middle = |game| -> Option<Board> {
        let mut dice = Rng::for_game(SEED, game);
        let mut grid = Grid::empty(rules.shape());
        let mut boards = Vec::new();
        grid.spawn(Spawn::STANDARD, &mut dice);
        grid.spawn(Spawn::STANDARD, &mut dice);
        while let Some(m) = grid.legal_moves().iter().next() {
            boards.extend(grid.pack());
            grid.slide(m);
            grid.spawn(Spawn::STANDARD, &mut dice);
        }
        boards.get(boards.len() / 2).copied()
    };
    let boards: Vec<Board> = (0..TIMED_GAMES).filter_map(middle).collect();
    let tell = |name: &str, seek: &dyn Fn(Board) -> Option<Advice>| {
        let round = || {
            let began = Instant::now();
            for &board in &boards {
                std::hint::black_box(seek(board));
            }
            began.elapsed().as_secs_f64()
        };
        let best = (0..5).map(|_| round()).fold(f64::INFINITY, f64::min);
        println!(
            "native {name}: {:.0} searches a second",
            boards.len() as f64 / best
        );
    };
    let (spawn, options) = (Spawn::STANDARD, ExpectimaxOptions::default());
    let smooth = Smooth::new(rules, spawn);
    tell("smooth", &|board| {
        ExpectimaxSearch::new(rules, spawn, &smooth, options).advise(board, SearchLimit::Depth(3))
    });
    let network = NTupleNetwork::from_bytes(weights)?;
    tell("network", &|board| {
        ExpectimaxSearch::new(rules, spawn, &network, options).advise(board, SearchLimit::Depth(3))
    });
    Ok(())
}
