use tilebase_count::*;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let v: tilebase_game::Variant = args[1].parse().unwrap();
    let th: usize = args.get(2).map_or(1, |s| s.parse().unwrap());
    let mem: u64 = args.get(3).map_or(u64::MAX, |s| s.parse().unwrap());
    let t = std::time::Instant::now();
    let plan = Plan::new(&v, mem).unwrap();
    println!(
        "plan whole {} least {} layer {} total {} tables {} parts {} {:?}",
        bytes_text(plan.whole_bytes()),
        bytes_text(plan.least_bytes()),
        bytes_text(plan.layer_bytes()),
        bytes_text(plan.total_bytes),
        bytes_text(plan.table_bytes),
        plan.in_parts(),
        t.elapsed()
    );
    let t = std::time::Instant::now();
    let mut store = args
        .get(4)
        .map(|d| Store::open(std::path::Path::new(d), &v).unwrap());
    let c = count(
        &v,
        &Options {
            threads: th,
            memory: mem,
            by_largest: args.len() > 5,
        },
        store.as_mut(),
        &tilebase_progress::Silent,
    )
    .unwrap();
    println!(
        "{v}: live {} lost {} afterstates {} layers {} total {:?} {:.1} M states/s",
        c.states(),
        c.lost(),
        c.afterstates(),
        c.layers.len(),
        t.elapsed(),
        c.states() as f64 / t.elapsed().as_secs_f64() / 1e6
    );
    if let Some(s) = store {
        println!(
            "{} bytes {:.3} bits a state",
            s.bytes(),
            8. * s.bytes() as f64 / c.states() as f64
        );
    }
}
