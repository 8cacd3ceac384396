//! Large arrays of zeros, on huge pages where the system has them.

use std::io;

#[cfg(not(target_family = "wasm"))]
use std::marker::PhantomData;

use bytemuck::Pod;

/// An array that begins as zeros. Lookups are scattered over more than a hundred megabytes, so
/// huge pages are requested: with small pages most lookups miss the TLB.
pub struct Pages<T> {
    #[cfg(not(target_family = "wasm"))]
    memory: memmap2::MmapMut,
    #[cfg(not(target_family = "wasm"))]
    of: PhantomData<T>,
    #[cfg(target_family = "wasm")]
    memory: Vec<T>,
}

#[cfg(not(target_family = "wasm"))]
impl<T: Pod> Pages<T> {
    /// An array of `len` zeros, if there is memory for it.
    pub fn zeros(len: usize) -> io::Result<Pages<T>> {
        let memory = memmap2::MmapMut::map_anon(len * size_of::<T>())?;
        #[cfg(target_os = "linux")]
        // Only a hint: without huge pages everything works, slower.
        let _ = memory.advise(memmap2::Advice::HugePage);
        Ok(Pages {
            memory,
            of: PhantomData,
        })
    }

    /// The array.
    #[inline]
    pub fn all(&self) -> &[T] {
        bytemuck::cast_slice(&self.memory)
    }

    /// The array, mutable.
    #[inline]
    pub fn all_mut(&mut self) -> &mut [T] {
        bytemuck::cast_slice_mut(&mut self.memory)
    }
}

#[cfg(target_family = "wasm")]
impl<T: Pod> Pages<T> {
    /// An array of `len` zeros, if there is memory for it.
    pub fn zeros(len: usize) -> io::Result<Pages<T>> {
        let mut memory = Vec::new();
        memory
            .try_reserve_exact(len)
            .map_err(|_| io::ErrorKind::OutOfMemory)?;
        memory.resize(len, T::zeroed());
        Ok(Pages { memory })
    }

    /// The array.
    #[inline]
    pub fn all(&self) -> &[T] {
        &self.memory
    }

    /// The array, mutable.
    #[inline]
    pub fn all_mut(&mut self) -> &mut [T] {
        &mut self.memory
    }
}
