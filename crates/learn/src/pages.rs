//! Large arrays of zeros on large pages.

use std::io;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};

use bytemuck::Pod;
use memmap2::MmapMut;

/// An array that begins as zeros. Look-ups are scattered over hundreds of megabytes, so
/// large pages are asked for: with small ones most look-ups would miss the address cache.
pub struct Pages<T> {
    memory: MmapMut,
    of: PhantomData<T>,
}

impl<T: Pod> Pages<T> {
    /// So many zeros.
    pub fn zeros(len: usize) -> io::Result<Pages<T>> {
        let memory = MmapMut::map_anon(len * size_of::<T>())?;
        #[cfg(target_os = "linux")]
        // Only a hint: without large pages all works, slower.
        let _ = memory.advise(memmap2::Advice::HugePage);
        Ok(Pages {
            memory,
            of: PhantomData,
        })
    }
}

impl<T: Pod> Deref for Pages<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        bytemuck::cast_slice(&self.memory)
    }
}

impl<T: Pod> DerefMut for Pages<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        bytemuck::cast_slice_mut(&mut self.memory)
    }
}
