//! The model checker Storm, in exact arithmetic, on exported models.
//!
//! Skipped, and says so, where Storm cannot be had: it needs python3 and, once, the network.
#![allow(clippy::expect_used, clippy::panic, reason = "a test may fail")]
#![cfg(unix)]

use std::fs::File;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::Value;
use tilebase_model::{Model, Objective, Reduction, start_value, values, write_drn};

/// The longest that Storm and its installation may take together.
const PATIENCE: Duration = Duration::from_secs(80);
/// The script's status where Storm cannot be had.
const NOT_HERE: i32 = 3;

const GAMES: [(&str, Reduction); 7] = [
    ("2x2-to-8", Reduction::None),
    ("2x2-to-16", Reduction::Actions),
    ("2x2-to-32", Reduction::Actions),
    ("2x2-to-32", Reduction::None),
    ("2x2-to-8-start-4", Reduction::States),
    ("2x3-to-128", Reduction::Actions),
    ("3x3-to-32", Reduction::Actions),
];

#[test]
fn storm_agrees() {
    let place = tempfile::tempdir().expect("a directory");
    let models: Vec<Model> = GAMES
        .into_iter()
        .map(|(name, reduction)| {
            let variant = name.parse().expect("a variant");
            Model::build(&variant, reduction, 200_000).expect("a model")
        })
        .collect();
    let paths: Vec<String> = (0..models.len()).map(|i| format!("{i}.drn")).collect();
    for (model, path) in models.iter().zip(&paths) {
        let mut file = File::create(place.path().join(path)).expect("a file");
        write_drn(model, &mut file).expect("a written file");
    }
    let answers = match storm(place.path(), &paths) {
        Ok(answers) => answers,
        Err(why) => {
            eprintln!("SKIPPED: {why}");
            return;
        }
    };
    assert_eq!(answers.len(), models.len());
    for (model, answer) in models.iter().zip(&answers) {
        check(model, answer);
    }
    let exact = |game: usize| answers[game]["win"]["exact"].as_str();
    assert_eq!(exact(0), Some("1"));
    assert_eq!(exact(1), Some("770009003/800000000"));
    assert_eq!(exact(2), Some("663098312572433/8000000000000000"));
    assert_eq!(exact(3), exact(2));
}

/// Storm's answer against value iteration on the model itself.
fn check(model: &Model, answer: &Value) {
    let number = |name: &str| answer[name].as_u64();
    let starts = model.starts().count();
    assert_eq!(number("states"), Some(model.states().len() as u64 + 3));
    assert_eq!(number("choices"), Some(model.actions() as u64 + 3));
    let transitions = model.transitions() + starts + 2;
    assert_eq!(number("transitions"), Some(transitions as u64));
    for (name, objective) in [
        ("win", Objective::Win),
        ("score", Objective::Score),
        ("moves", Objective::Survival),
    ] {
        let here = start_value(model, &values(model, objective));
        let there = answer[name]["value"].as_f64().expect("a number");
        let game = model.variant();
        assert!(
            (here - there).abs() <= 1e-12 * there.max(1e-3),
            "{game} {name}: here {here}, Storm {there}"
        );
    }
}

/// Storm's answers, one for each model, or why there are none.
fn storm(place: &Path, models: &[String]) -> Result<Vec<Value>, String> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/storm");
    let output = File::create(place.join("answers")).expect("a file");
    // A process group of its own, so that all of it can be stopped.
    let mut child = Command::new(script)
        .args(models)
        .current_dir(place)
        .stdin(Stdio::null())
        .stdout(output)
        .process_group(0)
        .spawn()
        .map_err(|error| format!("scripts/storm does not start: {error}"))?;
    let begun = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().expect("a child") {
            break status;
        }
        if begun.elapsed() > PATIENCE {
            let group = format!("-{}", child.id());
            Command::new("kill")
                .args(["-KILL", "--", &group])
                .status()
                .ok();
            child.wait().expect("a child");
            return Err(format!("Storm took more than {} s", PATIENCE.as_secs()));
        }
        sleep(Duration::from_millis(50));
    };
    if status.code() == Some(NOT_HERE) {
        return Err("Storm cannot be had here, see the line above".to_owned());
    }
    assert!(status.success(), "scripts/storm failed: {status}");
    let text = std::fs::read_to_string(place.join("answers")).expect("answers");
    let parse = |line| serde_json::from_str(line).expect("JSON");
    Ok(text.lines().map(parse).collect())
}
