//! The page as files for a static host: the engine in the browser takes the server's place.

use std::borrow::Cow;
use std::io::Write;
use std::path::Path;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use tilebase_network::{built_in, built_in_small};
use tilebase_schema::{SiteTable, SiteTables, Source, Versioned};
use tilebase_service::table_entry;
use tilebase_table::{Table, TableError};
use tilebase_util::files::FileError;

use crate::page;

/// The engine's files.
const ENGINE: [&str; 2] = ["tilebase_wasm.js", "tilebase_wasm_bg.wasm"];
/// How the page knows whether a server answers.
const SERVER: &str = r#"<meta name="backend" content="server">"#;
const LOCAL: &str = r#"<meta name="backend" content="local">"#;

/// The end of the names of packed files. Not `.gz`, for which some hosts have rules of their own.
const PACKED: &str = ".zlib";

/// A file of a site.
pub struct SiteFile {
    /// Where it goes, below the site's directory.
    pub path: String,
    /// What is in it.
    pub bytes: Cow<'static, [u8]>,
}

/// The engine for the browser.
pub struct Engine([Cow<'static, [u8]>; 2]);

impl Engine {
    /// The engine that is built into the program, if it is.
    pub fn embedded() -> Option<Engine> {
        #[cfg(engine)]
        return Some(Engine([
            Cow::Borrowed(include_bytes!(concat!(
                env!("ENGINE_DIRECTORY"),
                "/tilebase_wasm.js"
            ))),
            Cow::Borrowed(include_bytes!(concat!(
                env!("ENGINE_DIRECTORY"),
                "/tilebase_wasm_bg.wasm"
            ))),
        ]));
        #[cfg(not(engine))]
        None
    }

    /// Reads the engine from the directory where `scripts/wasm` put it.
    pub fn read(dir: &Path) -> Result<Engine, FileError> {
        let read = |name: &str| {
            let path = dir.join(name);
            let bytes = std::fs::read(&path).map_err(FileError::system(&path))?;
            Ok(Cow::Owned(bytes))
        };
        Ok(Engine([read(ENGINE[0])?, read(ENGINE[1])?]))
    }
}

/// All files of a site. The page itself is last: where it is, the others are there too.
pub fn site<'a>(
    engine: Engine,
    tables: impl IntoIterator<Item = &'a Table>,
) -> Result<Vec<SiteFile>, TableError> {
    let mut files = Vec::new();
    let mut add = |path: String, bytes| files.push(SiteFile { path, bytes });
    let [script, module] = engine.0;
    add(format!("engine/{}", ENGINE[0]), script);
    add(
        format!("engine/{}{PACKED}", ENGINE[1]),
        Cow::Owned(packed(&module)),
    );
    let networks = [("4x4-small", built_in_small()), ("4x4", built_in())];
    for (name, network) in networks {
        if let Some(network) = network {
            add(format!("engine/{name}.network"), Cow::Borrowed(network));
        }
    }
    let mut list = SiteTables { tables: Vec::new() };
    for table in tables {
        let entry = table_entry(table, Source::Table);
        let bytes = packed(&table.to_bytes()?);
        // Spawn rules have colons, which some systems do not allow in file names.
        let file = format!("{}.table{PACKED}", entry.id.replace([':', ','], "_"));
        list.tables.push(SiteTable {
            file: file.clone(),
            bytes: bytes.len(),
            entry,
        });
        add(format!("tables/{file}"), Cow::Owned(bytes));
    }
    // Writing numbers and text to JSON cannot fail.
    let list = serde_json::to_vec(&Versioned::new(list)).unwrap_or_default();
    add("tables/index.json".to_owned(), Cow::Owned(list));
    for (name, bytes) in page::described() {
        add(name.to_owned(), Cow::Borrowed(bytes));
    }
    let (start, others): (Vec<_>, Vec<_>) =
        page::files().partition(|(name, _)| *name == page::START);
    let early = early(&others);
    for (name, bytes) in others {
        add(name, bytes);
    }
    for (name, bytes) in start {
        let text = String::from_utf8_lossy(&bytes).replace(SERVER, &format!("{LOCAL}\n{early}"));
        add(name, Cow::Owned(text.into_bytes()));
    }
    Ok(files)
}

/// Elements that start the engine at once, and load the modules of the first area together instead of
/// one after the other as they import each other: each step would wait for the line.
fn early(files: &[(String, Cow<'static, [u8]>)]) -> String {
    let mut modules = vec!["page.js", "analyse.js", "loading.js"];
    let mut at = 0;
    while let Some(&module) = modules.get(at) {
        at += 1;
        let content = files.iter().find(|(name, _)| name == module);
        let text = content.and_then(|(_, bytes)| str::from_utf8(bytes).ok());
        for import in text.unwrap_or_default().split(" from \"./").skip(1) {
            let name = import.split('"').next().unwrap_or_default();
            if !modules.contains(&name) {
                modules.push(name);
            }
        }
    }
    let links = modules
        .iter()
        .map(|name| format!(r#"<link rel="modulepreload" fetchpriority="low" href="{name}">"#));
    let start = r#"<script src="local.js" type="module" fetchpriority="high" async></script>"#;
    let lines: Vec<String> = std::iter::once(start.to_owned()).chain(links).collect();
    lines.join("\n")
}

/// Bytes that the page unpacks. Not every host compresses what it sends.
fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut stream = ZlibEncoder::new(Vec::new(), Compression::default());
    // Writing to memory cannot fail.
    let written = stream.write_all(bytes).and_then(|()| stream.finish());
    written.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_asks_the_engine() {
        let engine = Engine([Cow::Borrowed(b"js"), Cow::Borrowed(b"wasm")]);
        let files = site(engine, []).unwrap();
        let last = files.last().unwrap();
        assert_eq!(last.path, "index.html");
        let text = String::from_utf8(last.bytes.to_vec()).unwrap();
        assert!(text.contains(LOCAL) && !text.contains(SERVER), "{text}");
        // A module of a module of the page.
        assert!(
            text.contains(r#"fetchpriority="low" href="notation.js">"#),
            "{text}"
        );
        for path in [
            "engine/tilebase_wasm.js",
            "engine/tilebase_wasm_bg.wasm.zlib",
            "engine/4x4-small.network",
            "tables/index.json",
            "worker.js",
            "docs.html",
        ] {
            assert!(files.iter().any(|file| file.path == path), "{path}");
        }
        assert!(!files.iter().any(|file| file.path.contains("mjs")));
    }
}
