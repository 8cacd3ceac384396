//! Typed launches of kernels.

use cudarc::driver::{DeviceRepr, LaunchArgs, LaunchConfig, PushKernelArg};

use crate::GpuBuffer;
use crate::layer::GpuBlocks;
use crate::layout::CudaType;

/// Something that can be handed to a kernel.
pub trait KernelArgument {
    /// The type of the kernel's parameter in CUDA source.
    fn cuda_type() -> String;

    /// Adds the argument to a launch.
    fn push<'a>(&'a mut self, launch: &mut LaunchArgs<'a>);
}

macro_rules! numbers {
    ($($number:ty),+) => {
        $(impl KernelArgument for $number {
            fn cuda_type() -> String {
                <$number as CudaType>::CUDA_NAME.to_owned()
            }

            fn push<'a>(&'a mut self, launch: &mut LaunchArgs<'a>) {
                launch.arg(&*self);
            }
        })+
    };
}

numbers!(u32, u64, f32);

/// A buffer that the kernel reads.
impl<T: CudaType + DeviceRepr> KernelArgument for &GpuBuffer<T> {
    fn cuda_type() -> String {
        format!("const {} *", T::CUDA_NAME)
    }

    fn push<'a>(&'a mut self, launch: &mut LaunchArgs<'a>) {
        launch.arg(&**self);
    }
}

/// A buffer that the kernel writes.
impl<T: CudaType + DeviceRepr> KernelArgument for &mut GpuBuffer<T> {
    fn cuda_type() -> String {
        format!("{} *", T::CUDA_NAME)
    }

    fn push<'a>(&'a mut self, launch: &mut LaunchArgs<'a>) {
        launch.arg(&mut **self);
    }
}

/// A buffer that the kernel writes if there is one; otherwise it gets a null pointer.
impl<T: CudaType + DeviceRepr> KernelArgument for Option<&mut GpuBuffer<T>> {
    fn cuda_type() -> String {
        <&mut GpuBuffer<T>>::cuda_type()
    }

    fn push<'a>(&'a mut self, launch: &mut LaunchArgs<'a>) {
        static NULL: u64 = 0;
        match self {
            Some(buffer) => launch.arg(&mut **buffer),
            None => launch.arg(&NULL),
        };
    }
}

/// A kernel and the types of its parameters, as Rust launches it.
#[derive(Clone, Debug)]
pub struct Signature {
    /// Name of the kernel.
    pub name: &'static str,
    /// Names and CUDA types of the parameters, in order.
    pub parameters: Vec<Parameter>,
}

/// A parameter of a kernel.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// The CUDA type that follows from the Rust type.
    pub derived: String,
    /// The CUDA type, if the kernel reads the buffer as something else.
    pub given: Option<&'static str>,
}

/// Declares a set of kernels: a struct with one function for each that launches it.
///
/// ```
/// tilebase_gpu::kernels! {
///     /// Kernels of an example.
///     struct ExampleKernels {
///         /// Doubles all numbers.
///         fn double(numbers: &mut GpuBuffer<u64>, number: u32);
///     }
/// }
/// use tilebase_gpu::{GpuBuffer, KernelSource, check};
///
/// let source = KernelSource::new(
///     "typedef unsigned int u32; typedef unsigned long long u64;
///      extern \"C\" __global__ void double(u64 *numbers, u32 number) { }",
/// );
/// assert_eq!(check::signatures(source.text(), &ExampleKernels::signatures()), Ok(()));
/// ```
///
/// Names, order and types of the parameters must be those of the source:
/// [`check::signatures`](crate::check::signatures) compares them without a GPU. Where a kernel
/// reads a buffer as another type, the CUDA type follows: `lines: &mut GpuBuffer<u64> as "u32 *"`.
///
/// The functions are `unsafe`, since nothing checks that a kernel stays within its buffers:
/// callers say why it does.
#[macro_export]
macro_rules! kernels {
    (
        $(#[$doc:meta])*
        $vis:vis struct $Kernels:ident {
            $(
                $(#[$kernel_doc:meta])*
                fn $kernel:ident($($name:ident: $type:ty $(as $cuda:literal)?),+ $(,)?);
            )+
        }
    ) => {
        $(#[$doc])*
        $vis struct $Kernels {
            $($kernel: $crate::CudaFunction,)+
        }

        #[allow(dead_code, unsafe_code, clippy::too_many_arguments)]
        impl $Kernels {
            /// Compiles the kernels and loads them.
            $vis fn load(
                gpu: &$crate::Gpu,
                source: &$crate::KernelSource,
            ) -> Result<$Kernels, $crate::GpuError> {
                let module = gpu.load(source)?;
                let function = |name: &str| {
                    let function = module.load_function(name);
                    function.map_err($crate::GpuError::driver("loading the kernels"))
                };
                Ok($Kernels {
                    $($kernel: function(stringify!($kernel))?,)+
                })
            }

            /// The kernels and their parameters.
            $vis fn signatures() -> Vec<$crate::Signature> {
                vec![$($crate::Signature {
                    name: stringify!($kernel),
                    parameters: vec![$($crate::Parameter {
                        name: stringify!($name),
                        derived: <$type as $crate::KernelArgument>::cuda_type(),
                        given: None$(.or(Some($cuda)))?,
                    }),+],
                }),+]
            }

            $(
                $(#[$kernel_doc])*
                ///
                /// # Safety
                /// The kernel must stay within the buffers it is given.
                $vis unsafe fn $kernel(
                    &self,
                    gpu: &$crate::Gpu,
                    shape: $crate::LaunchConfig,
                    $(mut $name: $type),+
                ) -> Result<(), $crate::GpuError> {
                    let mut launch = gpu.stream().launch_builder(&self.$kernel);
                    $($crate::KernelArgument::push(&mut $name, &mut launch);)+
                    // SAFETY: the arguments have the types of the kernel's parameters; the
                    // caller answers for the buffers.
                    let launched = unsafe { launch.launch(shape) };
                    let error = $crate::GpuError::driver(
                        concat!("running the kernel ", stringify!($kernel)),
                    );
                    launched.map(|_| ()).map_err(error)
                }
            )+
        }
    };
}

/// One block of threads for each of some rows of a layer. Each warp gets shared memory for a queue
/// of bits; if `with_row`, the block gets room for a row too. Short rows get few threads: the others
/// would have nothing to do.
pub fn block_per_row(blocks: &GpuBlocks, rows: u32, with_row: bool) -> LaunchConfig {
    /// Bytes of the queue of a warp: 16 bits for each bit of 32 words.
    const QUEUE: u32 = 2048;
    let mean = blocks.layout.words() / (blocks.rows as usize).max(1);
    let warps = match mean {
        _ if blocks.longest > 512 => 8,
        ..=16 => 1,
        17..=48 => 2,
        _ => 4,
    };
    LaunchConfig {
        grid_dim: (rows, 1, 1),
        block_dim: (32 * warps, 1, 1),
        shared_mem_bytes: QUEUE * warps + if with_row { 8 * blocks.longest } else { 0 },
    }
}

/// At least this many warps, eight to a block.
pub fn warps(number: u32) -> LaunchConfig {
    LaunchConfig {
        grid_dim: (number.div_ceil(8), 1, 1),
        block_dim: (8 * 32, 1, 1),
        shared_mem_bytes: 0,
    }
}

/// At least this many threads.
pub fn threads(number: u32) -> LaunchConfig {
    LaunchConfig::for_num_elems(number)
}

/// Blocks of 256 threads.
pub fn blocks(number: u32) -> LaunchConfig {
    LaunchConfig {
        grid_dim: (number, 1, 1),
        block_dim: (256, 1, 1),
        shared_mem_bytes: 0,
    }
}
