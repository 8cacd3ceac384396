use tilebase_expectimax::*;
use tilebase_game::*;
use std::time::Instant;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let games: u64 = args[1].parse().unwrap();
    let bits: u32 = args[2].parse().unwrap();
    let shape: Shape = "4x4".parse().unwrap();
    let rules = Rules::new(shape).unwrap();
    let smooth = Smooth::new(rules, Spawn::STANDARD);
    let mut search = Search::new(rules, Spawn::STANDARD, &smooth, Options { cutoff: 0.0, memory_bits: bits });
    let t = Instant::now();
    let (mut moves, mut total, mut depths, mut pos) = (0u64, 0u64, 0u64, 0u64);
    for g in 0..games {
        let mut rng = Rng::for_game(1, 2*g);
        let mut grid = Grid::empty(shape);
        grid.spawn(Spawn::STANDARD, &mut rng); grid.spawn(Spawn::STANDARD, &mut rng);
        let mut score = 0;
        while let Some(a) = search.advise(grid.pack().unwrap(), Effort::Positions { from: 3, enough: 10_000 }) {
            score += grid.slide(a.moves[0].m).unwrap() as u64;
            grid.spawn(Spawn::STANDARD, &mut rng);
            moves += 1; depths += a.depth as u64; pos += a.positions;
        }
        total += score;
        println!("{score} {}", grid.max_exponent());
    }
    let s = t.elapsed().as_secs_f64();
    println!("mean {} {:.0} moves/s {:.1} M slides/s, depth {:.2}, positions {:.0}", total / games, moves as f64 / s, search.slides() as f64 / s / 1e6, depths as f64 / moves as f64, pos as f64 / moves as f64);
}
