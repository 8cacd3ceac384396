//! Setting bits of a layer from many threads.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::layer::Layout;
use crate::space::Place;

/// Layers up to this many words are marked by each thread in a table of its own.
const PRIVATE: usize = 1 << 14;

/// Sets bits from many threads. The marks of a [`Batch`] are seen when the marker is dropped.
pub struct Marker<'a> {
    /// Where the boards have their bits.
    pub layout: &'a Layout,
    words: &'a [AtomicU64],
    /// For small layers, bitmaps of finished batches, to be reused by later ones. Threads that
    /// mark all over one small bitmap would take each other's cache lines at every step.
    private: Option<Mutex<Vec<Vec<u64>>>>,
}

impl Drop for Marker<'_> {
    fn drop(&mut self) {
        let tables = self.private.take().map(Mutex::into_inner);
        let tables = tables.map(|tables| tables.unwrap_or_else(PoisonError::into_inner));
        for (word, more) in tables
            .iter()
            .flatten()
            .flat_map(|table| self.words.iter().zip(table))
        {
            // No other thread has the marker any more, so reading and writing can be apart.
            if *more != 0 {
                word.store(word.load(Ordering::Relaxed) | more, Ordering::Relaxed);
            }
        }
    }
}

impl<'a> Marker<'a> {
    /// A marker of a layer's words.
    pub fn new(layout: &'a Layout, words: &'a [AtomicU64]) -> Marker<'a> {
        Marker {
            layout,
            words,
            private: (words.len() <= PRIVATE).then(|| Mutex::new(Vec::new())),
        }
    }

    /// Puts a board into the set.
    #[inline]
    pub fn mark(&self, place: Place) {
        let Some(block) = self.layout.block(place.top_units) else {
            return;
        };
        let at = block.offset + place.row * block.stride + place.bit / 64;
        let bit = 1u64 << (place.bit % 64);
        // Most boards are there already, and looking is cheaper than locking the line.
        if self.words[at].load(Ordering::Relaxed) & bit == 0 {
            self.words[at].fetch_or(bit, Ordering::Relaxed);
        }
    }
}

impl Marker<'_> {
    /// Puts the board at a position into the set: bit `position % 64` of word `position / 64`.
    #[inline]
    pub fn mark_position(&self, position: u64) {
        let bit = 1u64 << (position % 64);
        let word = &self.words[(position / 64) as usize];
        if word.load(Ordering::Relaxed) & bit == 0 {
            word.fetch_or(bit, Ordering::Relaxed);
        }
    }
}

/// The marks of one thread.
///
/// On large layers marks go all over the memory, and each would wait for its own cache line:
/// they are collected, and looking at many of them first lets the processor fetch their
/// lines side by side. On small layers they go to a table of the thread's own.
pub struct Batch<'a> {
    marker: &'a Marker<'a>,
    own: Option<Vec<u64>>,
    waiting: [(usize, u64); Batch::SIZE],
    len: usize,
}

impl<'a> Batch<'a> {
    const SIZE: usize = 64;

    /// An empty batch.
    pub fn new(marker: &'a Marker<'a>) -> Batch<'a> {
        let own = marker.private.as_ref().map(|tables| {
            let mut tables = tables.lock().unwrap_or_else(PoisonError::into_inner);
            tables.pop().unwrap_or_else(|| vec![0; marker.words.len()])
        });
        Batch {
            marker,
            own,
            waiting: [(0, 0); Batch::SIZE],
            len: 0,
        }
    }

    /// Puts a board into the set, at the latest when the batch is dropped.
    #[inline]
    pub fn mark(&mut self, place: Place) {
        let Some(block) = self.marker.layout.block(place.top_units) else {
            return;
        };
        let at = block.offset + place.row * block.stride + place.bit / 64;
        let bit = 1 << (place.bit % 64);
        if let Some(own) = &mut self.own {
            own[at] |= bit;
            return;
        }
        self.waiting[self.len] = (at, bit);
        self.len += 1;
        if self.len == Batch::SIZE {
            self.flush();
        }
    }

    fn flush(&mut self) {
        let waiting = &mut self.waiting[..self.len];
        // No branch depends on these loads, so all of them are under way at once. What is
        // left of each is the bit if it is still to be set.
        for (at, bit) in waiting.iter_mut() {
            *bit &= !self.marker.words[*at].load(Ordering::Relaxed);
        }
        for &mut (at, bit) in waiting {
            if bit != 0 {
                self.marker.words[at].fetch_or(bit, Ordering::Relaxed);
            }
        }
        self.len = 0;
    }
}

impl Drop for Batch<'_> {
    fn drop(&mut self) {
        self.flush();
        if let (Some(own), Some(tables)) = (self.own.take(), &self.marker.private) {
            tables
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .push(own);
        }
    }
}
