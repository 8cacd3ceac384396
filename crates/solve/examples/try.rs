//! x
use tilebase_solve::*;
fn main() {
    let mut a = std::env::args().skip(1);
    let variant = a.next().unwrap().parse().unwrap();
    let name = a.next().unwrap();
    let o =
        tilebase_table::Objective::from_name(&name, a.next().map(|d| d.parse().unwrap())).unwrap();
    let dir = std::path::PathBuf::from(std::env::var("D").unwrap_or("/tmp/try".into()));
    let _ = std::fs::remove_dir_all(&dir);
    let t = std::time::Instant::now();
    let t = std::time::Instant::now();
    let t = std::time::Instant::now();
    let m = solve(
        &variant,
        o,
        &dir,
        &Options {
            threads: std::env::var("T").map_or(0, |t| t.parse().unwrap()),
            ..Options::default()
        },
        &tilebase_progress::Silent,
    )
    .unwrap();
    println!("{:?} {:?}", m.start, t.elapsed());
    println!(
        "{} states {} after {} bytes {:?} per state {}",
        m.states(),
        m.afterstates(),
        m.bytes(),
        m.parts(),
        m.bytes() as f64 / m.states() as f64
    );
    println!(
        "sure wins {} losses {}",
        m.layers.iter().map(|l| l.sure_wins).sum::<u64>(),
        m.layers.iter().map(|l| l.sure_losses).sum::<u64>()
    );
}
