use tilebase_symbolic::*; use tilebase_prove::*;
fn main(){ let a:Vec<String>=std::env::args().collect();
 let c=Contest::new(a[1].parse().unwrap(), a[2].parse().unwrap(), a[3].parse().unwrap()).unwrap();
 let mut o=Options{threads:2,memory:8<<30,..Options::default()};
 for x in &a[4..] { if let Ok(e)=x.parse(){o.encoding=e} else if let Ok(e)=x.parse(){o.order=e} else if let Ok(e)=x.parse(){o.sweep=e} else if let Ok(e)=x.parse(){o.side=e} else if x=="constrain"{o.constrain=true} else if x=="strong"{o.strong=true} else if let Ok(e)=x.parse(){o.threads=e} else {panic!("{x}")} }
 let r=solve(&c,&o,&tilebase_progress::Silent).unwrap();
 println!("{} {:?} {} {} {} {}: lines {} it {} states {} nodes {} b/s {:?} largest {} peak {} {:.2}s",r.contest,r.winner,r.encoding,r.order,r.sweep,r.side,r.lines,r.iterations,r.states,r.nodes,r.bytes_per_state,r.largest_nodes,r.peak_nodes,r.seconds);
}
