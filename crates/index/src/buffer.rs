//! Memory for bits: large pages, given back to the next layer rather than to the system.

use std::sync::atomic::AtomicU64;

#[cfg(not(target_family = "wasm"))]
use memmap2::{MmapMut, MmapOptions};

/// Words of memory that start as zero and keep what is written until they are resized
/// again.
pub struct Buffer {
    /// Anonymous pages, which the system hands out only when they are touched.
    #[cfg(not(target_family = "wasm"))]
    map: Option<MmapMut>,
    /// A browser has plain memory alone.
    #[cfg(target_family = "wasm")]
    all: Vec<u64>,
    words: usize,
}

impl Buffer {
    /// Allocates room for `capacity` words.
    #[cfg(target_family = "wasm")]
    pub fn new(capacity: usize) -> std::io::Result<Buffer> {
        let mut all = Vec::new();
        all.try_reserve_exact(capacity)
            .map_err(|_| std::io::ErrorKind::OutOfMemory)?;
        all.resize(capacity, 0);
        Ok(Buffer { all, words: 0 })
    }

    /// Allocates room for `capacity` words.
    #[cfg(not(target_family = "wasm"))]
    pub fn new(capacity: usize) -> std::io::Result<Buffer> {
        let map = match capacity {
            0 => None,
            words => {
                let map = MmapOptions::new()
                    .len(words * 8)
                    .no_reserve_swap()
                    .map_anon()?;
                // LayerBits go all over the place: with large pages the processor finds them
                // without a second lookup. Where the system has none, ordinary ones do.
                #[cfg(target_os = "linux")]
                let _ = map.advise(memmap2::Advice::HugePage);
                Some(map)
            }
        };
        Ok(Buffer { map, words: 0 })
    }

    /// Sets the number of words in use; their content is what it was.
    pub fn resize(&mut self, words: usize) {
        self.words = words.min(self.all().len());
    }

    /// Gives the memory behind some words back to the system. Their content is lost.
    #[allow(
        unsafe_code,
        reason = "giving pages back changes what is read from them"
    )]
    pub fn release(&mut self, words: std::ops::Range<usize>) {
        const PAGE: usize = 4096;
        let from = (words.start * 8).next_multiple_of(PAGE);
        let to = words.end * 8 / PAGE * PAGE;
        #[cfg(target_os = "linux")]
        if let Some(map) = &self.map
            && from < to
        {
            // SAFETY: the map is anonymous and private, so pages that are given back read as
            // zero; the exclusive borrow keeps every reader out meanwhile.
            let _ = unsafe {
                map.unchecked_advise_range(memmap2::UncheckedAdvice::DontNeed, from, to - from)
            };
        }
        #[cfg(not(target_os = "linux"))]
        let _ = (from, to);
    }

    /// The words in use.
    #[inline]
    pub fn words(&self) -> &[u64] {
        &self.all()[..self.words]
    }

    #[cfg(not(target_family = "wasm"))]
    #[inline]
    fn all(&self) -> &[u64] {
        let map = self.map.as_ref();
        map.map_or(&[], |map| bytemuck::cast_slice(map))
    }

    #[cfg(target_family = "wasm")]
    #[inline]
    fn all(&self) -> &[u64] {
        &self.all
    }

    /// The words in use, to be written.
    #[inline]
    pub fn words_mut(&mut self) -> &mut [u64] {
        let words = self.words;
        #[cfg(not(target_family = "wasm"))]
        let all: &mut [u64] = match &mut self.map {
            Some(map) => bytemuck::cast_slice_mut(map),
            None => &mut [],
        };
        #[cfg(target_family = "wasm")]
        let all = &mut self.all;
        &mut all[..words]
    }

    /// The words for marking from many threads.
    #[allow(
        unsafe_code,
        reason = "the standard library's own conversion is not stable yet"
    )]
    pub fn atomic(&mut self) -> &[AtomicU64] {
        let words = self.words_mut();
        // SAFETY: an AtomicU64 has the size, alignment and bits of a u64, and the exclusive
        // borrow lasts as long as the shared one that it is traded for.
        unsafe { &*(std::ptr::from_mut(words) as *const [AtomicU64]) }
    }
}
