//! `play --record`: the games in a file.

use std::path::Path;

use tilebase_play::{Played, RecordHeader, Recorder, TakeGame};
use tilebase_util::files::{FileError, NewFile};

use crate::failure::Failure;

/// Games that were played, and the bytes of the file they were recorded in.
pub struct Recorded {
    /// The games.
    pub played: Played,
    /// Bytes of the file, if there is one.
    pub bytes: Option<u64>,
}

/// Calls `play` with what takes the games, and keeps the file if it succeeds. A file that is
/// not finished leaves nothing; that of an interrupted series has the games that were played.
pub fn recorded(
    path: Option<&Path>,
    header: &RecordHeader,
    play: impl FnOnce(Option<&dyn TakeGame>) -> Result<Played, Failure>,
) -> Result<Recorded, Failure> {
    let Some(path) = path else {
        let played = play(None)?;
        return Ok(Recorded {
            played,
            bytes: None,
        });
    };
    let named = |error: FileError| Failure::Work(error.to_string());
    let failed = |error| Failure::work(&path.display().to_string(), error);
    let file = NewFile::create(path).map_err(named)?;
    let recorder = Recorder::new(file, header).map_err(failed)?;
    let played = play(Some(&recorder))?;
    let (file, _) = recorder.finish().map_err(failed)?;
    let bytes = Some(file.keep().map_err(named)?);
    Ok(Recorded { played, bytes })
}
