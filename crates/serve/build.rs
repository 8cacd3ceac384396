//! Puts the engine for the browser into the program, where `TILEBASE_ENGINE` names the
//! directory in which `scripts/wasm` left it. Has a release built again when the page changes.

use std::path::Path;

fn main() {
    // A release has the page in it: a new file there must build it again.
    if std::env::var_os("CARGO_CFG_DEBUG_ASSERTIONS").is_none() {
        println!("cargo::rerun-if-changed=../../web");
    }
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
