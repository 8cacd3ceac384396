//! Contests with walls against solved games: what Slider forces is a sure win against chance.

use tilebase_game::{Category, Formation, Objective, Shape};
use tilebase_prove::{Contest, DropTiles, LayersOptions, Winner, solve_layers};
use tilebase_solve::{SolveOptions, solve_in_memory};
use tilebase_util::progress::Silent;

fn compare(shape: &str, formation: impl Fn(Shape) -> Formation) {
    let shape: Shape = shape.parse().unwrap();
    let formation = formation(shape);
    for drops in [DropTiles::Twos, DropTiles::Both] {
        for target in 3..=6 {
            let contest = Contest::new(shape, target, drops).unwrap();
            let contest = contest.with_formation(formation).unwrap();
            let report = solve_layers(&contest, &LayersOptions::default(), &Silent).unwrap();
            if target > contest.largest_exponent() {
                assert_eq!(report.winner, Winner::Dropper);
                continue;
            }
            let variant = contest.variant().unwrap();
            let options = SolveOptions::default();
            let table = solve_in_memory(&variant, Objective::Win, &options, &Silent).unwrap();
            let start = table.manifest().start.unwrap();
            let sure = start.category() == Category::SureWin;
            assert_eq!(report.winner == Winner::Slider, sure, "{contest}");
            let entries = table.layers();
            let found: Vec<_> = entries.map(|l| (l.sum, l.states, l.sure_wins)).collect();
            let layers = report.layers.iter();
            let expected: Vec<_> = layers.map(|l| (l.sum, l.states, l.winning)).collect();
            assert_eq!(found, expected, "{contest}");
        }
    }
}

#[test]
fn what_slider_forces_is_a_sure_win() {
    compare("3x3", |shape| Formation::named("free6", shape).unwrap());
    compare("2x4", |shape| Formation::named("free5", shape).unwrap());
    let keep = |walls, mask: &'static str, goal| {
        move |shape| Formation::parse(shape, walls, &[mask], goal).unwrap()
    };
    compare("3x3", keep(2, "ff", None));
    compare("3x3", keep(3, "f", None));
    compare("2x3", keep(1, "f", Some("ff0")));
}
