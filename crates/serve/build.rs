//! Puts the engine for the browser into the program, where `TILEBASE_ENGINE` names the
//! directory in which `scripts/wasm` left it.

use std::path::Path;

fn main() {
    println!("cargo::rerun-if-env-changed=TILEBASE_ENGINE");
    println!("cargo::rustc-check-cfg=cfg(engine)");
    let Some(dir) = std::env::var_os("TILEBASE_ENGINE") else {
        return;
    };
    match Path::new(&dir).canonicalize() {
        Ok(dir) => {
            println!("cargo::rerun-if-changed={}", dir.display());
            println!("cargo::rustc-env=ENGINE_DIRECTORY={}", dir.display());
            println!("cargo::rustc-cfg=engine");
        }
        Err(error) => println!("cargo::error=TILEBASE_ENGINE: {error}"),
    }
}
