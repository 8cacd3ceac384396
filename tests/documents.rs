//! The console examples of the README and the docs, run and compared word for word.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::fs;
use std::path::Path;

#[test]
fn examples_do_what_they_show() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut pages = vec![root.join("README.md")];
    for entry in fs::read_dir(root.join("docs")).unwrap() {
        let page = entry.unwrap().path();
        if page.extension().is_some_and(|extension| extension == "md") {
            pages.push(page);
        }
    }
    // Examples write files. A page with an empty directory of expected files beside it is run
    // in a directory of its own, which goes away.
    let copies = tempfile::tempdir().unwrap();
    for page in pages {
        let parent = page.parent().unwrap().file_name().unwrap_or_default();
        let folder = copies
            .path()
            .join(if parent == "docs" { "docs" } else { "." });
        let copy = folder.join(page.file_name().unwrap());
        fs::create_dir_all(copy.with_extension("out")).unwrap();
        fs::copy(&page, copy).unwrap();
    }
    trycmd::TestCases::new()
        .register_bin(
            "tilebase",
            std::path::PathBuf::from(env!("CARGO_BIN_EXE_tilebase")),
        )
        .case(copies.path().join("*.md"))
        .case(copies.path().join("docs/*.md"));
}
