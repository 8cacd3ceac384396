//! Memory for bits: large pages, given back to the next layer rather than to the system.

use std::sync::atomic::AtomicU64;

use memmap2::MmapMut;

/// Words of memory that start as zero and keep what is written until they are resized
/// again.
pub(crate) struct Buffer {
    /// Anonymous pages, which the system hands out only when they are touched.
    map: Option<MmapMut>,
    words: usize,
}

impl Buffer {
    /// Room for so many words.
    pub fn new(capacity: usize) -> std::io::Result<Buffer> {
        let map = match capacity {
            0 => None,
            words => {
                let map = MmapMut::map_anon(words * 8)?;
                // Marks go all over the place: with large pages the processor finds them
                // without a second look-up. Where the system has none, ordinary ones do.
                #[cfg(target_os = "linux")]
                let _ = map.advise(memmap2::Advice::HugePage);
                Some(map)
            }
        };
        Ok(Buffer { map, words: 0 })
    }

    /// Sets the number of words in use; their content is what it was.
    pub fn resize(&mut self, words: usize) {
        self.words = words.min(self.map.as_ref().map_or(0, |map| map.len() / 8));
    }

    pub fn words(&self) -> &[u64] {
        let all: &[u64] = self.map.as_ref().map_or(&[], |map| bytemuck::cast_slice(map));
        &all[..self.words]
    }

    pub fn words_mut(&mut self) -> &mut [u64] {
        let words = self.words;
        let all: &mut [u64] = match &mut self.map {
            Some(map) => bytemuck::cast_slice_mut(map),
            None => &mut [],
        };
        &mut all[..words]
    }

    /// The words for marking from many threads.
    #[allow(unsafe_code, reason = "the standard library's own conversion is not stable yet")]
    pub fn atomic(&mut self) -> &[AtomicU64] {
        let words = self.words_mut();
        // SAFETY: an AtomicU64 has the size, alignment and bits of a u64, and the exclusive
        // borrow lasts as long as the shared one that it is traded for.
        unsafe { &*(std::ptr::from_mut(words) as *const [AtomicU64]) }
    }
}
