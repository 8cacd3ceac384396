//! The README and the docs: console examples are run and compared word for word, links lead
//! somewhere, and the glossary names code that exists.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::fs;
use std::path::{Path, PathBuf};

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

/// The root of the repository.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// All pages, with their text.
fn pages() -> Vec<(PathBuf, String)> {
    let mut pages = Vec::new();
    for folder in [".", "docs", "docs/results"] {
        for entry in fs::read_dir(root().join(folder)).unwrap() {
            let page = entry.unwrap().path();
            if page.extension().is_some_and(|extension| extension == "md") {
                let text = fs::read_to_string(&page).unwrap();
                pages.push((page, text));
            }
        }
    }
    pages
}

/// The anchors that GitHub gives to the headings of a page.
fn anchors(text: &str) -> Vec<String> {
    let mut in_code = false;
    let mut anchors = Vec::new();
    for line in text.lines() {
        in_code ^= line.starts_with("```");
        if !in_code && line.starts_with('#') {
            let heading = line.trim_start_matches('#').trim().to_lowercase();
            let kept = heading.chars().filter_map(|c| match c {
                ' ' => Some('-'),
                c if c.is_alphanumeric() || c == '-' || c == '_' => Some(c),
                _ => None,
            });
            anchors.push(kept.collect());
        }
    }
    anchors
}

/// The targets of a page's links and pictures.
fn links(text: &str) -> Vec<&str> {
    text.split("](")
        .skip(1)
        .filter_map(|rest| rest.split_once(')').map(|(link, _)| link))
        .collect()
}

#[test]
fn links_lead_somewhere() {
    let mut broken = Vec::new();
    for (page, text) in pages() {
        for link in links(&text) {
            if link.contains("://") {
                continue;
            }
            let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = match path {
                "" => page.clone(),
                path => page.with_file_name(path),
            };
            let found = target.exists()
                && (anchor.is_empty()
                    || anchors(&fs::read_to_string(&target).unwrap()).contains(&anchor.to_owned()));
            if !found {
                broken.push(format!("{}: {link}", page.display()));
            }
        }
    }
    assert!(broken.is_empty(), "{broken:#?}");
}

#[test]
fn files_named_in_pages_exist() {
    let mut missing = Vec::new();
    for (page, text) in pages() {
        for name in text.split('`').skip(1).step_by(2) {
            let is_source = name.ends_with(".rs") || name.ends_with(".cu");
            if (is_source || name.starts_with("crates/")) && name.contains('/') {
                let exists =
                    root().join(name).exists() || root().join("crates").join(name).exists();
                if !exists {
                    missing.push(format!("{}: {name}", page.display()));
                }
            }
        }
    }
    assert!(missing.is_empty(), "{missing:#?}");
}

#[test]
fn the_glossary_names_code_that_exists() {
    let text = fs::read_to_string(root().join("docs/glossary.md")).unwrap();
    let mut missing = Vec::new();
    for row in text.lines().filter(|line| line.starts_with('|')) {
        // Word, meaning, origin, code, page.
        let code = row.split('|').nth(4).unwrap();
        for name in code.split('`').skip(1).step_by(2) {
            let (package, module) = name.split_once('/').unwrap_or((name, "lib"));
            let source = root().join("crates").join(package).join("src");
            let exists = name.starts_with('.')
                || source.join(module).with_extension("rs").exists()
                || source.join(module).join("mod.rs").exists();
            if !exists {
                missing.push(name);
            }
        }
    }
    assert!(missing.is_empty(), "{missing:?}");
}
