//! Directories of counts: resumed if they are intact, refused if their manifest is not.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::fs;
use std::path::Path;

use tempfile::{TempDir, tempdir};
use tilebase_count::{Count, CountOptions, count};
use tilebase_game::Variant;
use tilebase_index::{IndexError, Keep, Store, read_manifest};
use tilebase_util::files::checksum;
use tilebase_util::progress::Silent;

fn open(dir: &Path, variant: &Variant) -> Result<Store, IndexError> {
    Store::open(dir, variant, Keep::States)
}

fn count_in(store: &mut Store, variant: &Variant) -> Count {
    count(variant, &CountOptions::default(), Some(store), &Silent).unwrap()
}

/// A directory with all layers of a game, and what was found.
fn counted(variant: &Variant) -> (TempDir, Count) {
    let dir = tempdir().unwrap();
    let found = count_in(&mut open(dir.path(), variant).unwrap(), variant);
    (dir, found)
}

/// What is said when a directory with another text as its manifest is opened.
fn refusal(dir: &Path, variant: &Variant, text: &[u8]) -> String {
    let manifest = dir.join("manifest.json");
    fs::write(&manifest, text).unwrap();
    let line = open(dir, variant).err().unwrap().to_string();
    assert!(line.starts_with(manifest.to_str().unwrap()), "{line}");
    assert_eq!(fs::read(&manifest).unwrap(), text, "it is left as it is");
    line
}

#[test]
fn a_directory_is_resumed() {
    let variant = "2x3-to-64".parse().unwrap();
    let (dir, found) = counted(&variant);
    for sum in [0, 4, 6, 50, 10_000] {
        open(dir.path(), &variant).unwrap().truncate(sum).unwrap();
        let mut store = open(dir.path(), &variant).unwrap();
        let kept = found.layers.iter().filter(|layer| layer.sum < sum).count();
        assert_eq!(store.manifest().layers.len(), kept);
        assert_eq!(count_in(&mut store, &variant).layers, found.layers, "{sum}");
    }
}

#[test]
fn every_changed_bit_of_a_manifest_is_found() {
    let variant = "2x2-to-16".parse().unwrap();
    let (dir, _) = counted(&variant);
    let manifest = dir.path().join("manifest.json");
    let good = fs::read(&manifest).unwrap();
    assert!(good.len() > 1000);
    for bit in 0..8 * good.len() {
        let mut text = good.clone();
        text[bit / 8] ^= 1 << (bit % 8);
        fs::write(&manifest, &text).unwrap();
        assert!(open(dir.path(), &variant).is_err(), "bit {bit}");
    }
    for length in 0..good.len() {
        refusal(dir.path(), &variant, &good[..length]);
    }
    fs::write(&manifest, &good).unwrap();
    assert!(open(dir.path(), &variant).is_ok());
}

#[test]
fn a_changed_number_is_not_believed() {
    let variant = "2x3".parse().unwrap();
    let (dir, found) = counted(&variant);
    assert_eq!(found.lost(), 4_484);
    let good = fs::read_to_string(dir.path().join("manifest.json")).unwrap();
    let text = good.replacen("\"lost\":[0", "\"lost\":[4", 1);
    assert_ne!(text, good);
    let line = refusal(dir.path(), &variant, text.as_bytes());
    assert!(
        line.ends_with(
            "is damaged (its checksum does not match its text): delete it to count all layers again"
        ),
        "{line}"
    );
}

#[test]
fn a_manifest_of_the_first_format_is_refused() {
    let variant = "2x2-to-16".parse().unwrap();
    let (dir, _) = counted(&variant);
    let good = read_manifest(dir.path()).unwrap().unwrap();
    let text = fs::read_to_string(dir.path().join("manifest.json")).unwrap();
    // The first format had no checksum; one that is added does not make it readable.
    let fields = &text[text.find("\"format\":2").unwrap()..];
    let old = format!("{{{}", fields.replacen("\"format\":2", "\"format\":1", 1));
    let seal = checksum(old.trim_end().as_bytes());
    let sealed = format!("{{\"checksum\":\"{seal}\",{}", &old[1..]);
    for text in [old, sealed] {
        let line = refusal(dir.path(), &variant, text.as_bytes());
        assert!(
            line.ends_with(
                "has format 1, and this program reads format 2: use the version that wrote it, \
                 or delete it to count all layers again"
            ),
            "{line}"
        );
    }
    // As the line says.
    fs::remove_file(dir.path().join("manifest.json")).unwrap();
    count_in(&mut open(dir.path(), &variant).unwrap(), &variant);
    let again = read_manifest(dir.path()).unwrap().unwrap();
    assert_eq!(format!("{again:?}"), format!("{good:?}"));
}
