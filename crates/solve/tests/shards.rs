//! Tables in shards against the same tables in one piece.

use std::fs;
use std::path::Path;

use tilebase_game::{Board, Rng};
use tilebase_play::PlayerKind;
use tilebase_solve::{SolveOptions, evaluate, follow, keep_best_play, solve, strip};
use tilebase_table::{
    Content, LayerEntry, MANIFEST, Manifest, Objective, Shard, ShardFault, Table, TableError,
    TableWriter, is_table, shard_dir, verify,
};
use tilebase_util::progress::Silent;

use crate::common::cut::cut;
use crate::common::{any_image, files, named, near, scratch, states};

const PROCESSES: [u32; 4] = [1, 2, 3, 5];
const GAMES: [&str; 5] = [
    "2x2-to-32",
    "2x3-to-64",
    "3x2-to-32",
    "3x3-to-64",
    "3x3-to-32-formation-free6",
];

/// States of a game that takes long to compare.
const LARGE: u64 = 50_000;

/// About so many of some boards.
fn some(boards: Vec<Board>, number: usize) -> Vec<Board> {
    let step = boards.len() / number + 1;
    boards.into_iter().step_by(step).collect()
}

/// Compares two tables: what they list, what they say of every board, and all their bytes.
fn compare(shards: &Table, whole: &Table, boards: &[Board]) {
    let title = whole.manifest().title();
    let (own, expected) = (shards.manifest(), whole.manifest());
    assert_eq!(own.title(), title);
    assert_eq!((own.shard, own.format), (None, expected.format));
    let start = |manifest: &Manifest| manifest.start.unwrap().value.unwrap();
    assert!(near(start(own), start(expected), 1e-14), "{title}");
    for (own, expected) in own.layers.iter().zip(&expected.layers) {
        assert_eq!(
            (
                own.sum,
                own.states,
                own.afterstates,
                own.sure_wins,
                own.sure_losses
            ),
            (
                expected.sum,
                expected.states,
                expected.afterstates,
                expected.sure_wins,
                expected.sure_losses
            ),
            "{title}"
        );
    }
    let mut rng = Rng::new(9);
    for (i, &board) in boards.iter().enumerate() {
        let image = any_image(whole.rules(), board, &mut rng);
        let probe = whole.probe(image).unwrap();
        assert_eq!(shards.probe(image).unwrap(), probe, "{title} {board:?}");
        for m in probe.moves.iter().filter(|_| i % 10 == 0) {
            // Afterstates are mostly no states.
            let (own, expected) = (shards.probe(m.afterstate), whole.probe(m.afterstate));
            assert_eq!(own.unwrap(), expected.unwrap(), "{title} {board:?}");
        }
    }
    let joined = Table::from_bytes(&shards.to_bytes().unwrap()).unwrap();
    if expected.content == Content::Rounded {
        // One half has two codes.
        let same = |&board: &Board| joined.probe(board).unwrap() == whole.probe(board).unwrap();
        assert!(boards.iter().all(same), "{title}");
    } else {
        assert!(packed(&joined) == packed(whole), "{title}");
    }
}

/// The layers of a table as one sequence of bytes.
fn packed(table: &Table) -> (Vec<LayerEntry>, Vec<u8>) {
    let bytes = table.to_bytes().unwrap();
    let layers = Table::from_bytes(&bytes).unwrap().manifest().layers.clone();
    let manifest = u64::from_le_bytes(*bytes[8..].first_chunk().unwrap());
    (layers, bytes[16 + manifest as usize..].to_vec())
}

/// Cuts a table into shards in a new directory, and compares them with it.
fn cut_and_compare(full: &Table, whole: &Table, boards: &[Board]) {
    for processes in PROCESSES {
        let dir = scratch();
        cut(full, whole, dir.path(), processes);
        assert!(is_table(dir.path()));
        let shards = Table::open(dir.path()).unwrap();
        assert_eq!(
            (shards.shards(), shards.dir()),
            (Some(processes), dir.path())
        );
        compare(&shards, whole, boards);
        let report = verify(dir.path(), &Silent).unwrap();
        assert!(report.is_ok(), "{:?}", report.broken);
        assert_eq!(report.shards, Some(processes));
        assert_eq!(report.bytes, shards.manifest().bytes());
        let on_disk = files(dir.path());
        let on_disk = on_disk.iter().filter(|(name, _)| name.ends_with(".table"));
        let on_disk: usize = on_disk.map(|(_, bytes)| bytes.len()).sum();
        assert_eq!(report.bytes, on_disk as u64);
        // Large games are played once.
        let plays = processes == 3 || whole.manifest().states() < LARGE;
        if whole.manifest().content == Content::Values && plays {
            compare_play(&shards, whole);
        }
    }
}

/// Compares optimal play and a player's.
fn compare_play(shards: &Table, whole: &Table) {
    let flow = |table: &Table| {
        let mut visits = Vec::new();
        let mut note = |visit: tilebase_solve::Visit| {
            visits.push((visit.board, visit.probability, visit.weights));
        };
        let flow = follow(table, None, &Silent, &mut note).unwrap();
        (flow, visits)
    };
    assert!(flow(shards) == flow(whole));
    let value = |table: &Table| {
        let policy = PlayerKind::Random.policy();
        let evaluation = evaluate(table, policy, &Silent, &mut |_, _| ()).unwrap();
        (evaluation.start.value, evaluation.optimal.value)
    };
    assert_eq!(value(shards), value(whole));
    let stripped = |table: &Table| {
        let (slim, best) = (scratch(), scratch());
        strip(table, slim.path(), &Silent).unwrap();
        let kept = keep_best_play(table, &[], best.path(), 1, &Silent);
        // Values of some objectives cannot be rounded.
        let layers = |dir: &Path| -> Vec<(String, Vec<u8>)> {
            let all = files(dir).into_iter();
            all.filter(|(name, _)| name != MANIFEST).collect()
        };
        (layers(slim.path()), kept.is_ok(), layers(best.path()))
    };
    assert!(stripped(shards) == stripped(whole));
}

#[test]
fn shards_say_what_the_whole_table_says() {
    for name in GAMES {
        for objective in [Objective::Win, Objective::Score, Objective::Moves] {
            let full = named(name, objective);
            let mut boards = states(&full);
            if full.manifest().states() > LARGE {
                boards = some(boards, 5000);
            }
            cut_and_compare(&full, &full, &boards);
        }
    }
}

#[test]
fn shards_of_smaller_tables_say_what_the_whole_ones_say() {
    for name in ["2x3-to-64", "3x3-to-32", "3x3-to-32-formation-free6"] {
        for objective in [Objective::Win, Objective::Score] {
            let full = named(name, objective);
            let boards = some(states(&full), 1000);
            let options = SolveOptions {
                rounded: true,
                ..SolveOptions::default()
            };
            let (rounded, slim, best) = (scratch(), scratch(), scratch());
            let variant = full.variant();
            solve(variant, objective, rounded.path(), &options, &Silent).unwrap();
            strip(&full, slim.path(), &Silent).unwrap();
            keep_best_play(&full, &[], best.path(), 1, &Silent).unwrap();
            for dir in [rounded, slim, best] {
                cut_and_compare(&full, &Table::open(dir.path()).unwrap(), &boards);
            }
        }
    }
}

/// What is said of the shards in a directory.
fn fault(dir: &Path) -> ShardFault {
    match Table::open(dir) {
        Err(error @ TableError::Shards { .. }) => {
            assert_eq!(error.to_string().lines().count(), 1);
            let TableError::Shards { fault, .. } = error else {
                unreachable!()
            };
            fault
        }
        Err(error) => panic!("{error}"),
        Ok(_) => panic!("it was opened"),
    }
}

const fn shard(process: u32, processes: u32) -> Shard {
    Shard { process, processes }
}

#[test]
fn shards_that_are_not_one_table_are_refused() {
    let full = named("2x3-to-32", Objective::Win);
    let dir = scratch();
    let root = dir.path();
    cut(&full, &full, root, 3);
    let of = |process| shard_dir(root, shard(process, 3));
    Table::open(root).unwrap();

    assert_eq!(fault(&of(1)), ShardFault::Alone(shard(1, 3)));
    let text = Table::open(&of(1)).err().unwrap().to_string();
    let expected = format!("is shard 1 of 3 of a table: open {}", root.display());
    assert!(text.ends_with(&expected), "{text}");
    assert!(verify(&of(1), &Silent).is_err());

    // One is missing: the others are still verified.
    let aside = root.join("aside");
    fs::rename(of(1), &aside).unwrap();
    assert_eq!(fault(root), ShardFault::Missing(shard(1, 3)));
    let report = verify(root, &Silent).unwrap();
    let said: Vec<String> = report.broken.iter().map(|e| e.to_string()).collect();
    let expected = format!("shard 1 of 3 of the table in {} is missing", root.display());
    assert_eq!(said, [expected]);
    assert_eq!(report.bytes, report.manifest.bytes());
    assert!(report.bytes > 0 && !report.is_ok());
    // Its directory alone is no shard either.
    fs::create_dir(of(1)).unwrap();
    assert_eq!(fault(root), ShardFault::Missing(shard(1, 3)));

    // Another one in its place.
    fs::remove_dir(of(1)).unwrap();
    fs::rename(of(2), of(1)).unwrap();
    fs::rename(&aside, of(2)).unwrap();
    let wrong = ShardFault::Other {
        found: "2x3-to-32 (win), shard 2 of 3".to_owned(),
        expected: "2x3-to-32 (win), shard 1 of 3".to_owned(),
    };
    assert_eq!(fault(root), wrong);
    assert_eq!(verify(root, &Silent).unwrap().broken.len(), 2);
    fs::rename(of(2), &aside).unwrap();
    fs::rename(of(1), of(2)).unwrap();
    fs::rename(&aside, of(1)).unwrap();
    Table::open(root).unwrap();

    // Shards of another number, of other games and of other objectives.
    cut(&full, &full, root, 2);
    assert_eq!(fault(root), ShardFault::Numbers(2, 3));
    for process in 0..2 {
        fs::remove_dir_all(shard_dir(root, shard(process, 2))).unwrap();
    }
    for (name, objective) in [
        ("2x3-to-64", Objective::Win),
        ("2x3-to-32", Objective::Score),
    ] {
        let (other, others) = (named(name, objective), scratch());
        cut(&other, &other, others.path(), 3);
        fs::rename(of(2), &aside).unwrap();
        copy(&shard_dir(others.path(), shard(2, 3)), &of(2));
        let wrong = ShardFault::Other {
            found: format!("{}, shard 2 of 3", other.manifest().title()),
            expected: "2x3-to-32 (win), shard 2 of 3".to_owned(),
        };
        assert_eq!(fault(root), wrong);
        fs::remove_dir_all(of(2)).unwrap();
        fs::rename(&aside, of(2)).unwrap();
    }
    Table::open(root).unwrap();
    assert!(matches!(
        Table::open(&root.join("none")),
        Err(TableError::Missing(_))
    ));
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for (name, bytes) in files(from) {
        fs::write(to.join(name), bytes).unwrap();
    }
}

/// The error of a writer that was refused.
fn refusal(writer: Result<TableWriter, TableError>) -> String {
    match writer {
        Ok(_) => panic!("it was opened"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn writers_keep_to_their_shard_and_go_back_to_a_common_layer() {
    let full = named("2x3-to-32", Objective::Win);
    let dir = scratch();
    cut(&full, &full, dir.path(), 2);
    let own = shard_dir(dir.path(), shard(1, 2));
    let whole = Manifest::new(full.variant(), Objective::Win, Content::Values);
    let said = refusal(TableWriter::open(&own, whole.clone().of_shard(shard(0, 2))));
    assert!(
        said.ends_with("holds 2x3-to-32 (win), shard 1 of 2, not 2x3-to-32 (win), shard 0 of 2")
    );
    refusal(TableWriter::open(&own, whole.clone().of_shard(shard(1, 3))));
    refusal(TableWriter::open(&own, whole.clone()));
    let said = refusal(TableWriter::open(dir.path(), whole.clone()));
    assert!(
        said.contains("holds shards of a table, not 2x3-to-32 (win)"),
        "{said}"
    );

    // Nothing is dropped that is to be kept, but there is work left.
    let asked = whole.of_shard(shard(1, 2));
    let mut writer = TableWriter::open(&own, asked.clone()).unwrap();
    let lowest = writer.lowest().unwrap();
    let all = writer.manifest().layers.len();
    writer.drop_below(lowest).unwrap();
    let manifest = writer.manifest();
    assert_eq!((manifest.layers.len(), manifest.complete), (all, false));
    writer.drop_below(lowest + 4).unwrap();
    assert_eq!(writer.lowest(), Some(lowest + 4));
    drop(writer);
    let left = Manifest::read(&own).unwrap().unwrap();
    assert_eq!((left.layers.len(), left.complete), (all - 2, false));
    assert_eq!(left.shard, Some(shard(1, 2)));
    assert!(matches!(Table::open(dir.path()), Err(TableError::Incomplete(path)) if path == own));
    let mut writer = TableWriter::open(&own, asked).unwrap();
    assert_eq!(writer.lowest(), Some(lowest + 4));
    // Finished without the two layers, it is not of the same table.
    writer.complete(full.manifest().start.unwrap()).unwrap();
    drop(writer);
    let wrong = ShardFault::Differs {
        shard: shard(1, 2),
        what: "layers",
    };
    assert_eq!(fault(dir.path()), wrong);
}

#[test]
fn damage_to_any_shard_is_found() {
    let full = named("2x3-to-32", Objective::Win);
    let dir = scratch();
    cut(&full, &full, dir.path(), 3);
    let boards = states(&full);
    let mut rng = Rng::new(4);
    for (name, intact) in files(dir.path()) {
        if !name.ends_with(".table") && !name.ends_with(MANIFEST) {
            continue;
        }
        let path = dir.path().join(&name);
        let mut bytes = intact.clone();
        bytes[rng.below(intact.len() as u32) as usize] ^= 1 << rng.below(8);
        fs::write(&path, bytes).unwrap();
        let report = verify(dir.path(), &Silent).unwrap();
        let broken: Vec<String> = report.broken.iter().map(|e| e.to_string()).collect();
        assert!(
            broken.len() == 1 && broken[0].contains(&name),
            "{name}: {broken:?}"
        );
        // No answer is wrong, and boards of other layers are still known.
        if let Ok(table) = Table::open(dir.path()) {
            let probes = boards.iter().map(|&board| (board, table.probe(board)));
            let known = probes.filter(|(board, probe)| match probe {
                Ok(probe) => {
                    assert_eq!(*probe, full.probe(*board).unwrap());
                    true
                }
                Err(error) => {
                    assert!(error.to_string().contains(&name), "{name}: {error}");
                    false
                }
            });
            assert!((1..=boards.len()).contains(&known.count()), "{name}");
        }
        fs::remove_file(&path).unwrap();
        assert!(!verify(dir.path(), &Silent).is_ok_and(|report| report.is_ok()));
        fs::write(&path, intact).unwrap();
    }
    assert!(verify(dir.path(), &Silent).unwrap().is_ok());
}

/// Files of a shard that are intact, but of another cut, leave no board twice or out of order.
#[test]
fn boards_of_another_shard_are_found() {
    let full = named("3x3-to-32", Objective::Win);
    let dir = scratch();
    cut(&full, &full, dir.path(), 2);
    let (first, second) = (shard(0, 2), shard(1, 2));
    let asked = Manifest::new(full.variant(), Objective::Win, Content::Values);
    let of_first = shard_dir(dir.path(), first);
    let entries = Manifest::read(&of_first).unwrap().unwrap().layers;
    let sum = entries.iter().max_by_key(|entry| entry.states).unwrap().sum;
    // The whole layer once more, as a part of the second shard.
    let mut writer =
        TableWriter::open(&shard_dir(dir.path(), second), asked.of_shard(second)).unwrap();
    let above: Vec<u32> = entries
        .iter()
        .map(|entry| entry.sum)
        .filter(|&s| s < sum)
        .collect();
    writer.drop_below(sum + 2).unwrap();
    for sum in std::iter::once(sum).chain(above) {
        let sets = full.sets(sum).unwrap().unwrap();
        let values = full.values::<tilebase_table::Probability>(sum).unwrap();
        let data = tilebase_table::LayerData::Values(&values);
        writer
            .write(tilebase_table::encode_layer(&sets, data, 0, 0))
            .unwrap();
    }
    writer.complete(full.manifest().start.unwrap()).unwrap();
    drop(writer);
    let report = verify(dir.path(), &Silent).unwrap();
    assert!(!report.broken.is_empty());
    for error in &report.broken {
        let text = error.to_string();
        assert!(
            text.contains("shard-1-of-2") && text.contains("another shard"),
            "{text}"
        );
    }
    let table = Table::open(dir.path()).unwrap();
    let board = full
        .sets(sum)
        .unwrap()
        .unwrap()
        .states
        .iter()
        .next()
        .unwrap();
    assert!(table.probe(board).is_err());
    assert!(table.sets(sum).is_err());
}
