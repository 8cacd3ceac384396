//! `tilebase export` as a user runs it.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// A directory with a table of 2x2 to 16 in `t`, and more where asked for.
struct Place(TempDir);

impl Place {
    fn new() -> Place {
        let place = Place(tempfile::tempdir().unwrap());
        place.ok("solve 2x2 --to 16 --out t");
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn run(&self, arguments: &str) -> Output {
        Command::new(env!("CARGO_BIN_EXE_tilebase"))
            .args(arguments.split_whitespace())
            .current_dir(self.0.path())
            .stdin(Stdio::null())
            .output()
            .unwrap()
    }

    /// What a command that succeeds prints.
    fn ok(&self, arguments: &str) -> String {
        let output = self.run(arguments);
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success(), "{arguments}: {stderr}");
        assert_eq!(stderr, "", "{arguments}");
        String::from_utf8(output.stdout).unwrap()
    }

    fn json(&self, arguments: &str) -> Value {
        serde_json::from_str(&self.ok(&format!("{arguments} --json"))).unwrap()
    }

    /// Files beside the table.
    fn files(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).unwrap();
        let name = |entry: fs::DirEntry| entry.file_name().into_string().unwrap();
        let mut names: Vec<String> = entries.flatten().map(name).collect();
        names.retain(|name| name != "t");
        names
    }
}

/// Whether a field has a number, but for the last digit, which the parser of JSON in these
/// tests does not keep.
fn same(field: &str, number: Option<f64>) -> bool {
    match (field.parse::<f64>().ok(), number) {
        (Some(a), Some(b)) => (a - b).abs() <= 1e-15 * b.abs(),
        (a, b) => a.is_none() && b.is_none(),
    }
}

#[test]
fn csv_has_a_row_for_each_state() {
    let place = Place::new();
    let text = place.ok("export t --format csv");
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(
        lines[0],
        "board,sum,largest,value,complement,category,best,left,right,up,down"
    );
    let states = place.json("table info t")["states"].as_u64().unwrap();
    assert_eq!(lines.len() as u64, 1 + states);
    for line in &lines[1..] {
        let fields: Vec<&str> = line.split(',').collect();
        let answer = place.json(&format!("probe t --board {}", fields[0]));
        assert!(same(fields[3], answer["value"].as_f64()), "{line}");
        assert!(same(fields[4], answer["complement"].as_f64()), "{line}");
        assert_eq!(fields[5], answer["category"], "{line}");
        for (name, field) in ["left", "right", "up", "down"]
            .into_iter()
            .zip(&fields[7..])
        {
            let moves = answer["moves"].as_array().unwrap();
            let line = moves.iter().find(|line| line["move"] == name);
            let value = line.and_then(|line| line["value"].as_f64());
            assert!(same(field, value), "{name}: {line:?}");
            let best = line.is_some_and(|line| line["is_best"] == true);
            let letter = name.to_uppercase().chars().next().unwrap();
            assert_eq!(fields[6].contains(letter), best, "{name}: {line:?}");
        }
    }
    let answer = place.json("export t --format csv --out t.csv");
    assert_eq!(answer["format"], "csv");
    assert_eq!(answer["out"], "t.csv");
    assert_eq!(answer["rows"], states);
    assert_eq!(answer["bytes"], text.len());
    assert!(answer["seconds"].is_f64() && answer["version"].is_string());
    assert_eq!(fs::read_to_string(place.path("t.csv")).unwrap(), text);
    assert_eq!(place.files(), ["t.csv"]);
    let one = place.ok("export t --format csv --threads 1");
    assert_eq!(one, text);
}

#[test]
fn parquet_goes_to_a_file() {
    let place = Place::new();
    let text = place.ok("export t --format parquet --out t.parquet");
    assert!(text.starts_with("2x2-to-16 (win): 35 rows, "), "{text}");
    assert!(text.ends_with(" in t.parquet\n"), "{text}");
    let bytes = fs::read(place.path("t.parquet")).unwrap();
    assert!(bytes.starts_with(b"PAR1") && bytes.ends_with(b"PAR1"));
    // A second time replaces the first.
    let answer = place.json("export t --format parquet --out t.parquet");
    assert_eq!(
        (&answer["rows"], &answer["bytes"]),
        (&35.into(), &bytes.len().into())
    );
    assert_eq!(fs::read(place.path("t.parquet")).unwrap(), bytes);
    assert_eq!(place.files(), ["t.parquet"]);
}

#[test]
fn models_have_labels_and_rewards() {
    let place = Place::new();
    let text = place.ok("export t --format drn");
    assert!(text.starts_with("// 2x2-to-16\n@type: MDP\n"));
    for part in [
        "@reward_models\nscore moves\n",
        " init\n",
        " win\n",
        " lose\n",
    ] {
        assert!(text.contains(part), "{part}");
    }
    assert!(
        text.contains("@nr_states\n38\n"),
        "35 live states and three more"
    );
    let whole = place.ok("export t --format drn --reduce none");
    assert!(whole.len() > 2 * text.len());
    assert_eq!(place.ok("export t --format drn --limit 35"), text);
    let answer = place.json("export t --format drn --out t.drn");
    assert_eq!(
        (&answer["states"], &answer["rows"]),
        (&35.into(), &Value::Null)
    );
    assert_eq!(answer["bytes"], text.len());
}

#[test]
fn diagrams_are_drawn() {
    let place = Place::new();
    let count = |text: &str, part: &str| text.matches(part).count();
    let svg = place.ok("export t --format svg");
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
    let (state, action) = ("class=\"state\"", "class=\"move\"");
    assert_eq!((count(&svg, state), count(&svg, action)), (35, 53));
    let states = place.ok("export t --format svg --reduce states");
    assert_eq!(count(&states, state), 35);
    assert!(count(&states, action) > 53);
    let all = place.ok("export t --format svg --reduce none");
    assert!(count(&all, state) > 100);
    let best = place.ok("export t --format svg --policy");
    assert!(best.contains("under best play"));
    assert_eq!(
        count(&best, state),
        count(&best, action),
        "one move in each"
    );
    let ties = place.ok("export t --format svg --policy --ties");
    assert!(count(&ties, action) > count(&best, action));
    let boxes = place.ok("export t --format svg --group largest");
    assert!(boxes.contains(">largest 8<") && !svg.contains(">largest 8<"));
    let dot = place.ok("export t --format dot --policy --group largest");
    assert!(dot.starts_with("digraph \"2x2-to-16\" {\n"));
    assert!(dot.contains("subgraph cluster_"));
    // The value of a start state, as the table has it.
    let probe = place.json("probe t --board 0x0011");
    let value = probe["value"].as_f64().unwrap();
    assert!(
        best.contains(&format!("<title>.,./2,2: {value}</title>")),
        "{value}"
    );
    assert_eq!(
        place.ok("export t --format svg --reduce actions --group layer"),
        svg
    );
}

#[test]
fn drawings_have_the_values_of_the_objective() {
    let place = Place::new();
    place.ok("solve 1x4 --to 16 --objective moves --out moves");
    let svg = place.ok("export moves --format svg --policy --ties");
    assert!(svg.contains(">∞</text>"), "no way to the win");
    place.ok("solve 2x2 --objective score --out score");
    let svg = place.ok("export score --format svg --policy");
    let probe = place.json("probe score --board 0x0011");
    let value = probe["value"].as_f64().unwrap();
    assert!(
        svg.contains(&format!("<title>.,./2,2: {value}</title>")),
        "{value}"
    );
    // A game without a target has no categories.
    let csv = place.ok("export score --format csv");
    assert!(csv.starts_with("board,sum,largest,value,category,best,left,right,up,down\n"));
    let empty = |line: &str| line.split(',').nth(4) == Some("");
    assert!(csv.lines().skip(1).all(empty));
}

fn fails(place: &Place, arguments: &str, status: i32, expected: &str) {
    let before = place.files();
    let output = place.run(arguments);
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(status), "{arguments}: {stderr}");
    assert!(output.stdout.is_empty(), "{arguments}");
    assert!(stderr.starts_with("tilebase: "), "{arguments}: {stderr}");
    assert!(stderr.contains(expected), "{arguments}: {stderr}");
    assert_eq!(stderr.lines().count(), 1, "{arguments}: {stderr}");
    assert_eq!(place.files(), before, "{arguments}");
}

#[test]
fn wrong_requests_get_one_line_and_status_2() {
    let place = Place::new();
    place.ok("solve 3x3 --to 32 --out larger");
    for (arguments, expected) in [
        ("export t", "required arguments were not provided: --format"),
        (
            "export t --format xml",
            "possible values: parquet, csv, drn, dot, svg",
        ),
        (
            "export t --format parquet",
            "parquet is binary: name a file with --out FILE",
        ),
        (
            "export t --format parquet --json",
            "parquet is binary: name a file with --out FILE",
        ),
        (
            "export t --format csv --json",
            "add --out FILE, or leave --json out",
        ),
        (
            "export t --format svg --json",
            "add --out FILE, or leave --json out",
        ),
        (
            "export t --format csv --out t",
            "--out t is a directory: name a file",
        ),
        (
            "export t --format csv --policy",
            "--policy goes with --format dot or svg, not csv",
        ),
        (
            "export t --format drn --policy",
            "--policy goes with --format dot or svg, not drn",
        ),
        (
            "export t --format drn --group layer",
            "--group goes with --format dot or svg",
        ),
        (
            "export t --format parquet --reduce none --out x",
            "--reduce goes with --format drn, dot or svg, not parquet",
        ),
        (
            "export t --format csv --limit 5",
            "--limit goes with --format drn, dot or svg",
        ),
        (
            "export t --format svg --limit 0",
            "use a whole number from 1",
        ),
        (
            "export t --format drn --limit 34",
            "2x2-to-16 has more than 34 states",
        ),
        (
            "export t --format drn --limit 35 --reduce none",
            "has more than 35 states",
        ),
        ("export t --format svg --ties", "--policy"),
        (
            "export t --format svg --reduce some",
            "possible values: none, states, actions",
        ),
        (
            "export larger --format svg --out x",
            "3x3-to-32 has more than 2000 states",
        ),
        (
            "export larger --format dot --policy",
            "3x3-to-32 has more than 2000 states",
        ),
        (
            "export t --format csv --threads 100000",
            "use a whole number from 0 to 1024",
        ),
    ] {
        fails(&place, arguments, 2, expected);
    }
}

#[test]
fn what_cannot_be_done_gets_one_line_and_status_1() {
    let place = Place::new();
    place.ok("table strip t --out slim");
    for (arguments, expected) in [
        (
            "export nowhere --format csv",
            "there is no table in nowhere",
        ),
        (
            "export slim --format csv",
            "the table in slim has moves only",
        ),
        (
            "export slim --format parquet --out x",
            "the table in slim has moves only",
        ),
        (
            "export slim --format svg --policy",
            "the table in slim has moves only",
        ),
        (
            "export t --format csv --out no/x.csv",
            "x.csv: No such file",
        ),
    ] {
        fails(&place, arguments, 1, expected);
    }
    // The game itself needs no values.
    assert!(place.ok("export slim --format svg").starts_with("<svg "));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_leaves_nothing() {
    let place = Place::new();
    for format in ["csv", "parquet", "drn", "dot", "svg"] {
        let arguments = format!("export t --format {format} --out /dev/full");
        fails(&place, &arguments, 1, "/dev/full: No space left on device");
        assert!(Path::new("/dev/full").exists());
        if format != "parquet" {
            let arguments = format!("tilebase export t --format {format} > /dev/full");
            let output = shell(&place, &arguments);
            assert_eq!(output.status.code(), Some(1), "{format}");
            let stderr = String::from_utf8(output.stderr).unwrap();
            assert!(
                stderr.contains("writing to stdout: No space left"),
                "{stderr}"
            );
        }
    }
    // A file that may not grow beyond half a kilobyte.
    place.ok("solve 3x3 --to 16 --out more");
    let before = place.files();
    for format in ["csv", "parquet", "drn"] {
        let limit = "trap '' XFSZ; ulimit -f 1";
        let output = shell(
            &place,
            &format!("{limit}; tilebase export more --format {format} --out x"),
        );
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{format}: {stderr}");
        assert!(stderr.contains("x: File too large"), "{format}: {stderr}");
        assert_eq!(place.files(), before, "{format}");
    }
}

/// Runs a line of shell with the program on its path.
#[cfg(unix)]
fn shell(place: &Place, line: &str) -> Output {
    let program = Path::new(env!("CARGO_BIN_EXE_tilebase"));
    let path = std::env::var("PATH").unwrap_or_default();
    let path = format!("{}:{path}", program.parent().unwrap().display());
    let mut command = Command::new("sh");
    command.args(["-c", line]).env("PATH", path);
    command.current_dir(place.0.path()).output().unwrap()
}

#[cfg(unix)]
#[test]
fn a_reader_may_stop_reading() {
    let place = Place::new();
    place.ok("solve 3x3 --to 32 --out more");
    for format in ["csv", "drn"] {
        let line =
            format!("{{ tilebase export more --format {format}; echo $? > status; }} | head -n 1");
        let output = shell(&place, &line);
        assert_eq!(String::from_utf8(output.stderr).unwrap(), "", "{format}");
        assert!(output.stdout.ends_with(b"\n"));
        let status = fs::read_to_string(place.path("status")).unwrap();
        assert_eq!(status, "0\n", "{format}");
    }
}

#[cfg(unix)]
#[test]
fn pipes_and_links_stay() {
    let place = Place::new();
    let csv = place.ok("export t --format csv");
    let line = "mkfifo pipe; cat pipe > copy & tilebase export t --format csv --out pipe; wait";
    let output = shell(&place, line);
    assert!(output.status.success());
    assert_eq!(fs::read_to_string(place.path("copy")).unwrap(), csv);
    fs::write(place.path("real"), "").unwrap();
    std::os::unix::fs::symlink("real", place.path("link")).unwrap();
    place.ok("export t --format csv --out link");
    assert_eq!(fs::read_to_string(place.path("real")).unwrap(), csv);
}

#[test]
fn help_has_examples() {
    let place = Place::new();
    let text = place.ok("export --help");
    assert!(text.contains("Examples:\n  tilebase export tables/3x3-512 --format parquet"));
    assert!(
        place
            .ok("--help")
            .contains("tilebase export tables/512 --format csv")
    );
}

/// docs/diagrams.md says how they were made.
#[test]
fn the_pictures_of_the_book_are_these() {
    let place = Place::new();
    let images = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/images");
    for (target, name, options) in [
        (8, "none", "--reduce none"),
        (8, "states", "--reduce states"),
        (8, "actions", ""),
        (8, "policy", "--policy"),
        (16, "actions", ""),
        (16, "policy", "--policy"),
        (32, "actions", ""),
        (32, "policy", "--policy"),
    ] {
        place.ok(&format!("solve 2x2 --to {target} --out 2x2-{target}"));
        let drawn = place.ok(&format!("export 2x2-{target} --format svg {options}"));
        let kept = fs::read_to_string(images.join(format!("2x2-to-{target}-{name}.svg"))).unwrap();
        assert!(drawn == kept, "2x2-to-{target}-{name}.svg is out of date");
    }
}
