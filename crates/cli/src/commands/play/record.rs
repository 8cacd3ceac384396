//! `play --record`: the moves of all games in a file.

use std::path::Path;

use tilebase_play::{GameSink, RecordHeader, Recorder, SeriesResult};
use tilebase_util::files::{FileError, NewFile};

use crate::failure::Failure;

/// Games that were played, and the size of their record.
pub struct Recorded {
    /// The games.
    pub result: SeriesResult,
    /// Bytes of the record, if there is one.
    pub bytes: Option<u64>,
}

/// Calls `play` with a sink for the games, and keeps the file if it succeeds. A failure leaves no
/// file; the file of an interrupted series has the games that were played.
pub fn recorded(
    path: Option<&Path>,
    header: &RecordHeader,
    play: impl FnOnce(Option<&dyn GameSink>) -> Result<SeriesResult, Failure>,
) -> Result<Recorded, Failure> {
    let Some(path) = path else {
        let result = play(None)?;
        return Ok(Recorded {
            result,
            bytes: None,
        });
    };
    let named = |error: FileError| Failure::Work(error.to_string());
    let failed = |error| Failure::work(&path.display().to_string(), error);
    let file = NewFile::create(path).map_err(named)?;
    let recorder = Recorder::new(file, header).map_err(failed)?;
    let result = play(Some(&recorder))?;
    let (file, _) = recorder.finish().map_err(failed)?;
    let bytes = Some(file.keep().map_err(named)?);
    Ok(Recorded { result, bytes })
}
