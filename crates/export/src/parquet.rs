//! Rows as a Parquet file.

mod chunk;
mod schema;

use std::io::Write;

use parquet::errors::ParquetError;
use parquet::file::writer::SerializedFileWriter;
use rayon::prelude::*;
use tilebase_table::Table;
use tilebase_util::progress::Progress;

use crate::column::{Cells, Column};
use crate::error::ExportError;
use crate::rows::for_each_part;

use chunk::{Data, Encoded, encode, gather};

/// A row group is closed once it has this many rows.
const GROUP: usize = 1 << 20;

/// Writes every live state of a table as a row of a Parquet file. Returns the number of
/// states.
///
/// The file's metadata has the variant, the objective, its discount, the bound on relative errors,
/// and the program's version.
pub fn write_parquet(
    table: &Table,
    to: &mut (dyn Write + Send),
    progress: &dyn Progress,
) -> Result<u64, ExportError> {
    table.needs_values()?;
    let columns = Column::of(table.objective(), true);
    let schema = schema::schema(&columns).map_err(explained)?;
    let properties = schema::properties(table, &columns).into();
    let writer = SerializedFileWriter::new(to, schema, properties);
    let mut group = Group {
        writer: writer.map_err(explained)?,
        parts: Vec::new(),
        rows: 0,
        digits: table.variant().shape().cells().into(),
    };
    let cells = Cells::new(table);
    let rows = for_each_part(
        table,
        progress,
        |rows| (rows.len(), gather(cells, &columns, rows)),
        |(len, part)| group.add(len, part),
    )?;
    group.flush()?;
    group.writer.close().map_err(explained)?;
    Ok(rows)
}

/// The rows of a group until there are enough of them.
struct Group<'a> {
    writer: SerializedFileWriter<&'a mut (dyn Write + Send)>,
    /// Batches of rows, each with the data of all columns.
    parts: Vec<Vec<Data>>,
    rows: usize,
    /// Hex digits of a board.
    digits: usize,
}

impl Group<'_> {
    fn add(&mut self, len: usize, part: Vec<Data>) -> Result<(), ExportError> {
        self.parts.push(part);
        self.rows += len;
        if self.rows >= GROUP {
            self.flush()?;
        }
        Ok(())
    }

    /// Writes the group: columns are encoded on all threads and written in order.
    fn flush(&mut self) -> Result<(), ExportError> {
        if self.rows == 0 {
            return Ok(());
        }
        let columns = self.writer.schema_descr().columns().to_vec();
        let properties = self.writer.properties().clone();
        let (parts, digits) = (&self.parts, self.digits);
        let encoded: Vec<Result<Encoded, ParquetError>> = columns
            .into_par_iter()
            .enumerate()
            .map(|(i, column)| {
                let data = parts.iter().filter_map(|part| part.get(i));
                encode(column, properties.clone(), data, digits)
            })
            .collect();
        let write = || {
            let mut group = self.writer.next_row_group()?;
            for column in encoded {
                let column = column?;
                group.append_column(&column.bytes, column.close)?;
            }
            group.close().map(|_| ())
        };
        write().map_err(explained)?;
        self.parts.clear();
        self.rows = 0;
        Ok(())
    }
}

/// Separates errors of the disk from those of the encoder.
fn explained(error: ParquetError) -> ExportError {
    match error {
        ParquetError::External(error) => match error.downcast::<std::io::Error>() {
            Ok(error) => ExportError::Write(*error),
            Err(error) => ExportError::Parquet(error.to_string()),
        },
        error => ExportError::Parquet(error.to_string()),
    }
}
