//! Shards joined to a whole table, in memory.

use std::collections::BTreeMap;
use std::sync::Arc;

use tilebase_game::Move;

use crate::encode::{EncodedLayer, LayerData, encode_layer};
use crate::error::TableError;
use crate::home::Home;
use crate::layer::List;
use crate::layer_files::{Found, LayerFiles};
use crate::manifest::{Content, LayerEntry, Manifest};
use crate::part::TablePart;
use crate::table::Table;
use crate::value::StoredValue;
use crate::with_value_type;

impl Table {
    /// The table with one file for each layer, as if it had been written whole.
    pub(crate) fn joined(&self) -> Result<Table, TableError> {
        let mut layers = BTreeMap::new();
        let mut entries = Vec::new();
        for entry in &self.manifest().layers {
            let Some(files) = self.file(entry.sum)? else {
                entries.push(entry.clone());
                continue;
            };
            let content = self.manifest().content;
            let layer = with_value_type!(self.objective(), V => join::<V>(files, content, entry))?;
            layers.insert(entry.sum, Arc::from(layer.bytes));
            entries.push(LayerEntry {
                // A rounded table does not list its states.
                states: entry.states,
                ..layer.entry
            });
        }
        let manifest = Manifest {
            layers: entries,
            ..self.manifest().clone()
        };
        let home = Home::Memory(layers);
        let part = TablePart { home, manifest };
        Table::of(self.dir(), vec![part], Some(self.index().clone()))
    }
}

/// Encodes a layer that is in several files as one.
fn join<V: StoredValue>(
    files: &LayerFiles,
    content: Content,
    entry: &LayerEntry,
) -> Result<EncodedLayer, TableError> {
    let sets = files.sets()?;
    let moves = || -> Result<Vec<Move>, TableError> {
        let moves = files.all(List::States).map(Found::best_move);
        Ok(moves.collect::<Result<_, _>>()?)
    };
    let values = |list: List| -> Result<Vec<V>, TableError> {
        let values = files.all(list).map(Found::value::<V>);
        Ok(values.collect::<Result<_, _>>()?)
    };
    let (wins, losses) = (entry.sure_wins, entry.sure_losses);
    let encode = |data: LayerData<V>| encode_layer(&sets, data, wins, losses);
    Ok(match content {
        Content::Values => encode(LayerData::Values(&files.values()?)),
        Content::Rounded => encode(LayerData::Rounded(&values(List::Afterstates)?)),
        Content::Moves => encode(LayerData::Moves(&moves()?)),
        Content::BestPlay => {
            let values = match content.keeps_values(entry.sum, V::KIND) {
                true => values(List::States)?,
                false => Vec::new(),
            };
            encode(LayerData::BestPlay(&moves()?, &values))
        }
    })
}
