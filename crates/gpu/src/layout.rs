//! Structs that Rust and CUDA share.

use std::fmt::Write;

use bytemuck::Pod;

/// A type that kernels know under a name of their own.
pub trait CudaType {
    /// The name in CUDA source.
    const CUDA_NAME: &'static str;
}

macro_rules! numbers {
    ($($rust:ty = $cuda:literal,)+) => {
        $(impl CudaType for $rust {
            const CUDA_NAME: &'static str = $cuda;
        })+
    };
}

numbers! {
    u16 = "u16",
    u32 = "u32",
    u64 = "u64",
    f32 = "float",
    f64 = "double",
}

/// One field of a [`CudaStruct`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// The name, the same in Rust and CUDA.
    pub name: String,
    /// Bytes before it.
    pub offset: usize,
    /// Its bytes.
    pub size: usize,
}

/// A struct with the same fields in Rust and in CUDA source. Declare it with
/// [`cuda_struct!`](crate::cuda_struct).
pub trait CudaStruct: CudaType + Pod {
    /// The fields, in order.
    fn fields() -> Vec<Field>;

    /// CUDA source that fails to compile unless the struct there has this size and fields of
    /// these sizes.
    fn assertions() -> String {
        let (name, size) = (Self::CUDA_NAME, size_of::<Self>());
        let mut text = format!("static_assert(sizeof({name}) == {size}, \"size of {name}\");\n");
        for Field {
            name: field, size, ..
        } in Self::fields()
        {
            // Not every NVRTC knows offsets. They follow from the sizes and the order of the
            // fields, which `check::structs` compares. Writing to a string cannot fail.
            let _ = writeln!(
                text,
                "static_assert(sizeof((({name} *)0)->{field}) == {size}, \"{name}.{field}\");"
            );
        }
        text
    }
}

/// The size of a field.
#[doc(hidden)]
pub const fn field_size<T, F>(_: fn(&T) -> &F) -> usize {
    size_of::<F>()
}

/// Declares that a `#[repr(C)]` [`Pod`] type is a struct of CUDA source with the same field
/// names: `cuda_struct! { GpuBlock = "Block" { offset, rows } }`.
///
/// The layout is compared with the source by [`check::structs`](crate::check::structs), which
/// needs no GPU, and again whenever the kernels are compiled.
#[macro_export]
macro_rules! cuda_struct {
    ($rust:ty = $cuda:literal { $($field:ident),+ $(,)? }) => {
        impl $crate::CudaType for $rust {
            const CUDA_NAME: &'static str = $cuda;
        }

        // SAFETY: a `Pod` type has neither pointers to this machine's memory nor padding.
        #[allow(unsafe_code)]
        unsafe impl $crate::DeviceRepr for $rust {}

        impl $crate::CudaStruct for $rust {
            fn fields() -> Vec<$crate::Field> {
                vec![$($crate::Field {
                    name: stringify!($field).to_owned(),
                    offset: std::mem::offset_of!($rust, $field),
                    size: $crate::field_size(|value: &$rust| &value.$field),
                }),+]
            }
        }
    };
}
