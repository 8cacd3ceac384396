use tilebase_expectimax::*;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let least: f32 = args[2].parse().unwrap();
    let raw = std::fs::read(&args[1]).unwrap();
    let it = raw.chunks_exact(8).map(move |c| { let w = f32::from_le_bytes(c[..4].try_into().unwrap()); let e = f32::from_le_bytes(c[4..].try_into().unwrap()); if e >= least { w } else { 0.0 } });
    let t = Tuples::from_weights(it).unwrap();
    let b = t.to_bytes().unwrap();
    println!("{} bytes", b.len());
    std::fs::write(&args[3], b).unwrap();
}
