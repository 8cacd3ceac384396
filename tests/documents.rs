//! The console examples of the README and the docs, run and compared word for word.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::path::{Path, PathBuf};

#[test]
fn examples_do_what_they_show() {
    // What examples write goes away with a directory of their own.
    let place = tempfile::tempdir().unwrap();
    std::env::set_current_dir(place.path()).unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let cases = trycmd::TestCases::new();
    cases
        .register_bin("tilebase", PathBuf::from(env!("CARGO_BIN_EXE_tilebase")))
        .case(root.join("README.md"))
        .case(root.join("docs/*.md"));
    cases.run();
}
