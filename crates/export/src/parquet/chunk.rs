//! The data of one column, gathered from rows and encoded.

use bytes::Bytes;
use parquet::column::writer::{
    ColumnCloseResult, ColumnWriter, ColumnWriterImpl, get_column_writer,
};
use parquet::data_type::{ByteArray, DataType};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterPropertiesPtr;
use parquet::file::writer::{SerializedPageWriter, TrackedWrite};
use parquet::schema::types::ColumnDescPtr;

use crate::column::{Cell, Cells, Column};
use crate::rows::Row;

/// Some rows of a column.
pub(super) enum Data {
    /// Numbers of boards, to be written as text.
    Hex(Vec<u64>),
    /// Numbers of eight bytes; the format takes them as if they had a sign.
    Large(Vec<i64>),
    /// Numbers of four bytes.
    Small(Vec<i32>),
    /// Numbers with a fraction, those that are there, and for each row whether it has one.
    Real(Vec<f64>, Vec<i16>),
    /// Words, those that are there, and for each row whether it has one.
    Word(Vec<&'static str>, Vec<i16>),
}

/// The data of some rows, for each column.
pub(super) fn gather(cells: Cells, columns: &[Column], rows: &[Row]) -> Vec<Data> {
    let column = |&column: &Column| gather_column(cells, column, rows);
    columns.iter().map(column).collect()
}

fn gather_column(cells: Cells, column: Column, rows: &[Row]) -> Data {
    let (mut large, mut small, mut hex) = (Vec::new(), Vec::new(), Vec::new());
    let (mut real, mut words) = (Vec::new(), Vec::new());
    let mut levels = Vec::new();
    for row in rows {
        match cells.cell(row, column) {
            Cell::Hex(number) => hex.push(number),
            Cell::Large(number) => large.push(number.cast_signed()),
            Cell::Small(number) => small.push(number.cast_signed()),
            Cell::Real(number) => {
                levels.push(number.is_some().into());
                real.extend(number);
            }
            Cell::Word(word) => {
                levels.push(word.is_some().into());
                words.extend(word);
            }
        }
    }
    match super::schema::kind(column) {
        super::schema::Kind::Hex => Data::Hex(hex),
        super::schema::Kind::Large => Data::Large(large),
        super::schema::Kind::Small => Data::Small(small),
        super::schema::Kind::Real => Data::Real(real, levels),
        super::schema::Kind::Word => Data::Word(words, levels),
    }
}

/// A column of a row group, ready to be written.
pub(super) struct Encoded {
    pub(super) bytes: Bytes,
    pub(super) close: ColumnCloseResult,
}

/// Encodes the data of a column, boards with this many digits.
pub(super) fn encode<'a>(
    column: ColumnDescPtr,
    properties: WriterPropertiesPtr,
    data: impl Iterator<Item = &'a Data>,
    digits: usize,
) -> Result<Encoded, ParquetError> {
    let mut sink = TrackedWrite::new(Vec::new());
    let pages = SerializedPageWriter::new(&mut sink);
    let mut writer = get_column_writer(column, properties, Box::new(pages));
    for data in data {
        put(&mut writer, data, digits)?;
    }
    let close = writer.close()?;
    Ok(Encoded {
        bytes: sink.into_inner()?.into(),
        close,
    })
}

fn put(writer: &mut ColumnWriter, data: &Data, digits: usize) -> Result<(), ParquetError> {
    match (writer, data) {
        (ColumnWriter::ByteArrayColumnWriter(writer), Data::Hex(numbers)) => {
            // One text for all of them, of which each takes its part.
            let text: String = numbers
                .iter()
                .map(|number| format!("0x{number:0digits$x}"))
                .collect();
            let text = Bytes::from(text);
            let len = digits + 2;
            let part = |i: usize| ByteArray::from(text.slice(i * len..(i + 1) * len));
            let texts: Vec<ByteArray> = (0..numbers.len()).map(part).collect();
            write(writer, &texts, None)
        }
        (ColumnWriter::ByteArrayColumnWriter(writer), Data::Word(words, levels)) => {
            let word = |word: &&'static str| ByteArray::from(Bytes::from_static(word.as_bytes()));
            let words: Vec<ByteArray> = words.iter().map(word).collect();
            write(writer, &words, Some(levels))
        }
        (ColumnWriter::Int64ColumnWriter(writer), Data::Large(numbers)) => {
            write(writer, numbers, None)
        }
        (ColumnWriter::Int32ColumnWriter(writer), Data::Small(numbers)) => {
            write(writer, numbers, None)
        }
        (ColumnWriter::DoubleColumnWriter(writer), Data::Real(numbers, levels)) => {
            write(writer, numbers, Some(levels))
        }
        _ => Err(ParquetError::General(
            "a column has data of another type".to_owned(),
        )),
    }
}

fn write<T: DataType>(
    writer: &mut ColumnWriterImpl<'_, T>,
    values: &[T::T],
    levels: Option<&Vec<i16>>,
) -> Result<(), ParquetError> {
    let levels = levels.map(Vec::as_slice);
    writer.write_batch(values, levels, None).map(|_| ())
}
