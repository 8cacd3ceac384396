//! Rows as comma-separated values.

use std::io::Write;

use tilebase_table::Table;
use tilebase_util::progress::Progress;

use crate::column::{Cell, Cells, Column};
use crate::error::ExportError;
use crate::rows::{Row, for_each_part};

/// Writes every live state of a table as a line of comma-separated values, after a header line.
/// Returns the number of states.
///
/// Numbers have as many digits as it takes to read the same number back; missing values, such as
/// that of an illegal move, are empty. Nothing needs quotes.
pub fn write_csv(
    table: &Table,
    to: &mut dyn Write,
    progress: &dyn Progress,
) -> Result<u64, ExportError> {
    table.needs_values()?;
    let columns = Column::of(table.objective(), false);
    let names: Vec<String> = columns.iter().map(|column| column.name()).collect();
    writeln!(to, "{}", names.join(","))?;
    let cells = Cells::new(table);
    let rows = for_each_part(
        table,
        progress,
        |rows| lines(cells, &columns, rows),
        |text| Ok(to.write_all(&text?)?),
    )?;
    to.flush()?;
    Ok(rows)
}

fn lines(cells: Cells, columns: &[Column], rows: &[Row]) -> std::io::Result<Vec<u8>> {
    let mut text = Vec::with_capacity(100 * rows.len());
    let digits = usize::from(cells.shape.cells());
    for row in rows {
        for (i, &column) in columns.iter().enumerate() {
            if i > 0 {
                text.push(b',');
            }
            match cells.cell(row, column) {
                Cell::Hex(number) => write!(text, "0x{number:0digits$x}")?,
                Cell::Large(number) => write!(text, "{number}")?,
                Cell::Small(number) => write!(text, "{number}")?,
                // The shortest digits that read back exactly, with an exponent if tiny.
                Cell::Real(Some(number)) => write!(text, "{number:?}")?,
                Cell::Word(Some(word)) => text.extend(word.as_bytes()),
                Cell::Real(None) | Cell::Word(None) => {}
            }
        }
        text.push(b'\n');
    }
    Ok(text)
}
