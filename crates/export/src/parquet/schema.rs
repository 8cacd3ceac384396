//! Types, encodings and metadata.

use std::sync::Arc;

use parquet::basic::{Compression, Encoding, GzipLevel, LogicalType, Repetition, Type as Physical};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::schema::types::{ColumnPath, Type, TypePtr};
use tilebase_table::Table;

use crate::column::Column;

/// What a column's data are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Hex digits, all of one length.
    Hex,
    /// Whole numbers of 64 bits.
    Large,
    /// Whole numbers of 32 bits.
    Small,
    /// Numbers with a fraction.
    Real,
    /// Few different words.
    Word,
}

/// What a column's data are.
pub(super) fn kind(column: Column) -> Kind {
    match column {
        Column::Board => Kind::Hex,
        Column::Number => Kind::Large,
        Column::Sum | Column::Largest | Column::BestBits => Kind::Small,
        Column::Category | Column::Best => Kind::Word,
        Column::Value | Column::Win | Column::Complement | Column::Move(_) | Column::MoveWin(_) => {
            Kind::Real
        }
    }
}

/// The schema of a file.
pub(super) fn schema(columns: &[Column]) -> Result<TypePtr, ParquetError> {
    let field = |&column: &Column| {
        let (physical, logical, repetition) = match kind(column) {
            Kind::Hex => (
                Physical::BYTE_ARRAY,
                Some(LogicalType::String),
                Repetition::REQUIRED,
            ),
            Kind::Word => (
                Physical::BYTE_ARRAY,
                Some(LogicalType::String),
                Repetition::OPTIONAL,
            ),
            Kind::Large => (
                Physical::INT64,
                Some(LogicalType::integer(64, false)),
                Repetition::REQUIRED,
            ),
            Kind::Small => (
                Physical::INT32,
                Some(LogicalType::integer(32, false)),
                Repetition::REQUIRED,
            ),
            Kind::Real => (Physical::DOUBLE, None, Repetition::OPTIONAL),
        };
        let field = Type::primitive_type_builder(&column.name(), physical)
            .with_logical_type(logical)
            .with_repetition(repetition)
            .build();
        field.map(Arc::new)
    };
    let fields = columns.iter().map(field).collect::<Result<_, _>>()?;
    let schema = Type::group_type_builder("states").with_fields(fields);
    Ok(Arc::new(schema.build()?))
}

/// How columns are encoded, and what the file says about itself.
pub(super) fn properties(table: &Table, columns: &[Column]) -> WriterProperties {
    let version = env!("CARGO_PKG_VERSION");
    let mut properties = WriterProperties::builder()
        .set_created_by(format!("tilebase {version}"))
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .set_compression(Compression::GZIP(GzipLevel::default()))
        .set_key_value_metadata(Some(metadata(table)));
    for &column in columns {
        let path = ColumnPath::from(column.name());
        let (dictionary, encoding) = match kind(column) {
            Kind::Hex => (false, Encoding::DELTA_BYTE_ARRAY),
            Kind::Large => (false, Encoding::DELTA_BINARY_PACKED),
            Kind::Real => (false, Encoding::PLAIN),
            Kind::Small | Kind::Word => (true, Encoding::PLAIN),
        };
        properties = properties
            .set_column_dictionary_enabled(path.clone(), dictionary)
            .set_column_encoding(path, encoding);
    }
    properties.build()
}

fn metadata(table: &Table) -> Vec<KeyValue> {
    let manifest = table.manifest();
    let objective = table.objective();
    [
        ("version", env!("CARGO_PKG_VERSION").to_owned()),
        ("variant", manifest.variant.clone()),
        ("objective", manifest.objective.clone()),
        ("discount", objective.discount().to_string()),
        (
            "relative_error_bound",
            format!("{:?}", manifest.relative_error_bound),
        ),
        ("tie_tolerance", format!("{:?}", manifest.tie_tolerance)),
    ]
    .into_iter()
    .map(|(name, value)| KeyValue::new(format!("tilebase.{name}"), value))
    .collect()
}
