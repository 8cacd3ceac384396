//! Games that go on together are the games that are played one by one.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::convert::Infallible;
use std::sync::Mutex;

use tilebase_game::{Board, Move, Rng, Shape};
use tilebase_play::{
    BatchPlayer, PlayerKind, RecordHeader, RecordReader, Recorder, Series, play_in_lockstep,
    play_timed,
};
use tilebase_util::progress::{Progress, Silent, StopAfter, Unit};

/// A player without random numbers, for many boards.
struct Many {
    kind: PlayerKind,
    shape: Shape,
    boards: Option<Vec<Board>>,
}

impl BatchPlayer for Many {
    type Error = Infallible;

    fn begin(&mut self, boards: &[Board]) -> Result<(), Infallible> {
        assert!(self.boards.replace(boards.to_vec()).is_none());
        Ok(())
    }

    fn finish(&mut self) -> Result<Vec<Option<Move>>, Infallible> {
        let boards = self.boards.take().unwrap();
        let mut player = self.kind.player(Rng::new(0));
        let choose = |board: Board| player.choose(&board.unpack(self.shape));
        Ok(boards.into_iter().map(choose).collect())
    }
}

fn series(name: &str, games: u64) -> (Series, Many) {
    let series = Series {
        variant: name.parse().unwrap(),
        start: None,
        games,
        seed: 11,
    };
    let many = Many {
        kind: PlayerKind::Greedy,
        shape: series.variant.shape(),
        boards: None,
    };
    (series, many)
}

/// Fewer games than are worth two groups, more, and more than go on at once.
#[test]
fn games_do_not_depend_on_the_others() {
    for (name, games) in [
        ("4x4", 1),
        ("4x4", 60),
        ("3x3-to-64", 700),
        ("2x2", 9000),
        ("2x2-to-8", 600),
    ] {
        let (series, mut many) = series(name, games);
        let header = RecordHeader::of_series(&series, "greedy");
        let recorder = || Recorder::new(Vec::new(), &header).unwrap();
        let (one, other) = (recorder(), recorder());
        let expected = play_timed(&series, &PlayerKind::Greedy, 2, &Silent, Some(&one));
        let found = play_in_lockstep(
            &series,
            0..series.games,
            &mut many,
            2,
            &Silent,
            Some(&other),
        )
        .unwrap();
        assert_eq!(found.summary, expected.summary, "{name}");
        assert_eq!(found.unfinished.games(), 0);
        assert_eq!(other.finish().unwrap(), one.finish().unwrap(), "{name}");
    }
}

/// All games that were started are there, as far as they got, and nothing else is.
#[test]
fn interrupted_games_are_kept_apart() {
    for queries in [0, 1, 5, 60, 830] {
        let (series, mut many) = series("3x3", 800);
        let header = RecordHeader::of_series(&series, "greedy");
        let recorder = Recorder::new(Vec::new(), &header).unwrap();
        let stop = StopAfter::new(queries);
        let found = play_in_lockstep(
            &series,
            0..series.games,
            &mut many,
            2,
            &stop,
            Some(&recorder),
        )
        .unwrap();
        let (file, started) = recorder.finish().unwrap();
        let (finished, unfinished) = (found.summary, found.unfinished);
        assert_eq!(finished.games() + unfinished.games(), started);
        assert!(started < 800 || unfinished.games() > 0);
        let mut reader = RecordReader::new(file.as_slice()).unwrap();
        let (mut moves, mut given_up) = (0, 0);
        while let Some(game) = reader.next_game().unwrap() {
            given_up += u64::from(game.ending.is_none());
            moves += game.check(&header).unwrap().0.moves;
        }
        assert_eq!(moves, finished.moves() + unfinished.moves());
        assert_eq!(given_up, unfinished.games());
    }
}

/// Moves are counted, and the games that have ended are summed up in words.
#[test]
fn progress_says_how_it_goes() {
    #[derive(Default)]
    struct Kept {
        moves: Mutex<u64>,
        stage: Mutex<String>,
    }
    impl Progress for Kept {
        fn begin(&self, unit: Unit, total: Option<u64>) {
            assert_eq!((unit, total), (Unit::Moves, None));
        }
        fn stage(&self, name: &str) {
            name.clone_into(&mut self.stage.lock().unwrap());
        }
        fn advance(&self, units: u64) {
            *self.moves.lock().unwrap() += units;
        }
        fn finish(&self) {}
        fn interrupted(&self) -> bool {
            false
        }
    }
    let (series, mut many) = series("3x3", 20);
    let kept = Kept::default();
    let found = play_in_lockstep(&series, 0..series.games, &mut many, 2, &kept, None).unwrap();
    assert_eq!(*kept.moves.lock().unwrap(), found.summary.moves());
    let mean = found.summary.mean_score().unwrap();
    let said = kept.stage.lock().unwrap().clone();
    let expected = format!("20 of 20 games, mean score {mean:.0}, ");
    assert!(said.starts_with(&expected), "{said}");
}
