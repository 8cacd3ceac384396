use tilebase_count::*;
fn main(){
  let args: Vec<String>=std::env::args().collect();
  let v: tilebase_game::Variant = args[1].parse().unwrap();
  let th: usize = args.get(2).map_or(1,|s|s.parse().unwrap());
  rayon::ThreadPoolBuilder::new().num_threads(th).build_global().unwrap();
  let t=std::time::Instant::now();
  let space=Space::new(v.shape(), v.target().unwrap()-1, v.spawn()).unwrap();
  let t1=t.elapsed();
  let c=count(&v,&space,&tilebase_progress::Silent).unwrap();
  let live:u64=c.iter().map(|l|l.states.iter().sum::<u64>()).sum();
  let lost:u64=c.iter().map(|l|l.lost.iter().sum::<u64>()).sum();
  let aft:u64=c.iter().map(|l|l.afterstates).sum();
  println!("{v}: live {live} lost {lost} afterstates {aft} layers {} tables {:?} total {:?} {:.1} M states/s", c.len(), t1, t.elapsed(), live as f64/t.elapsed().as_secs_f64()/1e6);
}
