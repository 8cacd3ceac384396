//! The static site as a program writes it.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::collections::BTreeSet;
use std::fs;
use std::io::Read;
use std::path::Path;

use crate::common::{fails, json, path, temporary};
use flate2::read::ZlibDecoder;
use serde_json::Value;
use tilebase_table::Table;

/// A directory with files that stand for the engine, which takes minutes to build.
fn engine(dir: &tempfile::TempDir) -> String {
    let engine = path(dir, "engine");
    fs::create_dir(&engine).unwrap();
    fs::write(Path::new(&engine).join("tilebase_wasm.js"), "js").unwrap();
    fs::write(Path::new(&engine).join("tilebase_wasm_bg.wasm"), "wasm").unwrap();
    engine
}

fn names(dir: &Path) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if path.is_dir() {
            names.extend(
                self::names(&path)
                    .iter()
                    .map(|below| format!("{name}/{below}")),
            );
        } else {
            names.insert(name);
        }
    }
    names
}

#[test]
fn a_site_has_the_page_the_engine_and_tables_and_is_brought_up_to_date() {
    let dir = temporary();
    let (engine, out, tables) = (engine(&dir), path(&dir, "public"), path(&dir, "tables"));
    json(&format!("solve 2x3 --to 32 --out {tables}/own"));
    let site = format!("site --out {out} --engine {engine}");
    let answer = json(&format!("{site} --tables {tables}"));
    let out = Path::new(&out);
    let found = names(out);
    for name in [
        "index.html",
        "local.js",
        "worker.js",
        "engine/4x4.network",
        "engine/4x4-small.network",
        "site.json",
    ] {
        assert!(found.contains(name), "{name}");
    }
    let page = fs::read_to_string(out.join("index.html")).unwrap();
    assert!(page.contains(r#"<meta name="backend" content="local">"#));
    let list: Value =
        serde_json::from_slice(&fs::read(out.join("tables/index.json")).unwrap()).unwrap();
    let listed = list["tables"].as_array().unwrap();
    assert_eq!(listed.len(), answer["tables"].as_array().unwrap().len());
    for listed in listed {
        let file = fs::read(out.join("tables").join(listed["file"].as_str().unwrap())).unwrap();
        assert_eq!(listed["bytes"], file.len());
        let mut bytes = Vec::new();
        ZlibDecoder::new(&file[..]).read_to_end(&mut bytes).unwrap();
        let table = Table::from_bytes(&bytes).unwrap();
        assert_eq!(listed["entry"]["states"], table.manifest().states());
    }
    // A file of one's own stays; a table that is no longer asked for goes.
    fs::write(out.join("CNAME"), "example.org").unwrap();
    json(&site);
    let mut expected = found.clone();
    assert!(expected.remove("tables/2x3-to-32-win.table.zlib"));
    expected.insert("CNAME".to_owned());
    assert_eq!(names(out), expected);
}

#[test]
fn what_is_not_a_site_is_left_alone() {
    let dir = temporary();
    let engine = engine(&dir);
    let full = path(&dir, "full");
    fs::create_dir(&full).unwrap();
    fs::write(Path::new(&full).join("index.html"), "mine").unwrap();
    let line = fails(&format!("site --out {full} --engine {engine}"), 2);
    assert!(line.contains("not empty and not a site"), "{line}");
    assert_eq!(names(Path::new(&full)).len(), 1);
    // Nor is a file of the same name overwritten that came later.
    let out = path(&dir, "public");
    fs::create_dir(&out).unwrap();
    fs::write(
        Path::new(&out).join("site.json"),
        r#"{"version":"0","files":[]}"#,
    )
    .unwrap();
    fs::write(Path::new(&out).join("worker.js"), "mine").unwrap();
    let line = fails(&format!("site --out {out} --engine {engine}"), 2);
    assert!(line.contains("worker.js"), "{line}");
    assert_eq!(names(Path::new(&out)).len(), 2);
    // A list that leads elsewhere is not followed.
    fs::write(
        Path::new(&out).join("site.json"),
        r#"{"version":"0","files":["../full/index.html"]}"#,
    )
    .unwrap();
    fails(&format!("site --out {out} --engine {engine}"), 2);
    assert!(Path::new(&full).join("index.html").exists());
    let line = fails(&format!("site --out {out} --engine {full}"), 2);
    assert!(line.contains("scripts/wasm"), "{line}");
    let line = fails(
        &format!("site --out {out}/new --engine {engine} --tables nowhere"),
        2,
    );
    assert!(
        line.contains("nowhere") && !Path::new(&out).join("new").exists(),
        "{line}"
    );
}
