//! Checks of kernels that need no GPU, for the tests of every crate that has kernels.
//!
//! [`structs`] and [`signatures`] read the CUDA source and compare it with the Rust types.
//! [`compiles`] asks NVRTC, where it is installed.

use crate::launch::Signature;
use crate::layout::{CudaStruct, Field};
use crate::source::KernelSource;

/// Compares a struct in CUDA source with the Rust type that shares its memory.
pub fn structs<T: CudaStruct>(source: &str) -> Result<(), String> {
    let name = T::CUDA_NAME;
    let (fields, size) = struct_layout(source, name)?;
    if fields != T::fields() {
        return Err(format!(
            "struct {name} has the fields {fields:?} in CUDA and {:?} in Rust",
            T::fields()
        ));
    }
    if size != size_of::<T>() {
        return Err(format!(
            "struct {name} has {size} bytes in CUDA and {} in Rust",
            size_of::<T>()
        ));
    }
    Ok(())
}

/// Compares the parameters of kernels in CUDA source with those that Rust passes.
pub fn signatures(source: &str, kernels: &[Signature]) -> Result<(), String> {
    let declared = source.matches("__global__").count();
    if declared != kernels.len() {
        return Err(format!(
            "CUDA has {declared} kernels and Rust has {}",
            kernels.len()
        ));
    }
    for kernel in kernels {
        let found = parameters(source, kernel.name)?;
        let mut expected = Vec::new();
        for parameter in &kernel.parameters {
            let (derived, given) = (parameter.derived.as_str(), parameter.given);
            // Another type of element is fine; a pointer for a number or a pointer to write
            // through for a shared reference is not.
            let kind = |text: &str| (text.starts_with("const "), text.ends_with('*'));
            if given.is_some_and(|given| kind(given) != kind(derived)) {
                return Err(format!(
                    "{}: {} is {derived}, which cannot be passed as {}",
                    kernel.name,
                    parameter.name,
                    given.unwrap_or_default()
                ));
            }
            expected.push((
                given.unwrap_or(derived).to_owned(),
                parameter.name.to_owned(),
            ));
        }
        if found != expected {
            return Err(format!(
                "{} takes {found:?} in CUDA and {expected:?} in Rust",
                kernel.name
            ));
        }
    }
    Ok(())
}

/// What [`compiles`] found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compiled {
    /// NVRTC accepts the source.
    Yes,
    /// NVRTC is not installed.
    Skipped,
}

/// Compiles kernels if NVRTC is installed, and says so on stderr if it is not. Where the
/// environment variable `TILEBASE_NVRTC` is `required`, a missing NVRTC is an error.
pub fn compiles(source: &KernelSource) -> Result<Compiled, String> {
    // SAFETY: only checks whether the library can be opened.
    #[allow(unsafe_code)]
    let installed = unsafe { cudarc::nvrtc::sys::is_culib_present() };
    if installed {
        source.compile().map_err(|error| error.to_string())?;
        return Ok(Compiled::Yes);
    }
    if std::env::var("TILEBASE_NVRTC").is_ok_and(|value| value == "required") {
        return Err("NVRTC was not found".to_owned());
    }
    eprintln!("SKIPPED: kernels were not compiled, since NVRTC was not found");
    Ok(Compiled::Skipped)
}

/// The source without comments, white space as single blanks.
fn plain(source: &str) -> String {
    let lines = source
        .lines()
        .map(|line| line.split("//").next().unwrap_or(""));
    let words = lines.flat_map(str::split_whitespace).collect::<Vec<_>>();
    words.join(" ")
}

/// Types and names of a kernel's parameters.
fn parameters(source: &str, kernel: &str) -> Result<Vec<(String, String)>, String> {
    let source = plain(source);
    let start = format!("__global__ void {kernel}(");
    let (_, rest) = source
        .split_once(&start)
        .ok_or_else(|| format!("CUDA has no kernel {kernel}"))?;
    let (list, _) = rest.split_once(')').unwrap_or((rest, ""));
    Ok(list.split(',').map(declaration).collect())
}

/// Type and name of a declaration such as `const u64 *words`.
fn declaration(text: &str) -> (String, String) {
    let text = text.trim();
    let at = text.rfind([' ', '*']).map_or(0, |at| at + 1);
    (text[..at].trim().to_owned(), text[at..].to_owned())
}

/// The fields of a struct in CUDA source and its size, by the rules of C.
fn struct_layout(source: &str, name: &str) -> Result<(Vec<Field>, usize), String> {
    let source = plain(source);
    let (_, rest) = source
        .split_once(&format!("struct {name} {{"))
        .ok_or_else(|| format!("CUDA has no struct {name}"))?;
    let (body, _) = rest.split_once('}').unwrap_or((rest, ""));
    let (mut fields, mut end, mut largest) = (Vec::new(), 0usize, 1);
    let lines = body.split(';').map(str::trim);
    for line in lines.filter(|line| !line.is_empty()) {
        // The type, then names with stars and dimensions of their own.
        let line = line.strip_prefix("const ").unwrap_or(line);
        let (kind, names) = line.split_once(' ').unwrap_or((line, ""));
        for declarator in names.split(',').map(str::trim) {
            let pointer = declarator.starts_with('*');
            let declarator = declarator.trim_start_matches('*');
            let (field, dimension) = declarator.split_once('[').unwrap_or((declarator, "1]"));
            let number = dimension.trim_end_matches(']').parse::<usize>();
            let number = number.map_err(|_| format!("{name}.{field} has an odd dimension"))?;
            let size = match kind {
                _ if pointer => 8,
                "u64" | "double" => 8,
                "u32" | "float" => 4,
                "u16" => 2,
                _ => return Err(format!("{name}.{field} has the unknown type {kind}")),
            };
            let offset = end.next_multiple_of(size);
            end = offset + number * size;
            largest = largest.max(size);
            fields.push(Field {
                name: field.to_owned(),
                offset,
                size: number * size,
            });
        }
    }
    Ok((fields, end.next_multiple_of(largest)))
}

#[cfg(test)]
mod tests {
    use bytemuck::{Pod, Zeroable};

    use super::*;
    use crate::GpuBuffer;

    #[repr(C)]
    #[derive(Clone, Copy, Pod, Zeroable)]
    struct Pair {
        one: u64,
        two: [u32; 2],
    }

    crate::cuda_struct! { Pair = "Pair" { one, two } }

    crate::kernels! {
        /// Kernels of this test.
        struct TestKernels {
            /// Does nothing.
            fn nothing(pairs: &GpuBuffer<Pair>, lines: &mut GpuBuffer<u64> as "u32 *", number: u32);
        }
    }

    const TYPES: &str = "typedef unsigned int u32; typedef unsigned long long u64;\n";
    const GOOD: &str = "struct Pair {\n    const u64 *one; // a comment\n    u32 two[2];\n};\n
        extern \"C\" __global__ void nothing(const Pair *pairs, u32 *lines,\n u32 number) { }\n";

    #[test]
    fn equal_layouts_pass() {
        assert_eq!(structs::<Pair>(GOOD), Ok(()));
        let source = KernelSource::new(&[TYPES, GOOD].concat()).sharing::<Pair>();
        assert!(compiles(&source).is_ok());
    }

    #[test]
    fn other_layouts_fail() {
        // The compiler sees sizes and names; another order is found in the text alone.
        for (wrong, compiled) in [
            ("struct Pair { u64 one; u32 two; };", false),
            ("struct Pair { u64 one; u32 three[2]; };", false),
            ("struct Pair { u32 two[2]; u64 one; };", true),
            ("struct Pair { u64 one; u32 two[2]; u32 three; };", false),
        ] {
            assert!(structs::<Pair>(wrong).is_err(), "{wrong}");
            let source = KernelSource::new(&[TYPES, wrong].concat()).sharing::<Pair>();
            if !compiled {
                assert_ne!(compiles(&source), Ok(Compiled::Yes), "{wrong}");
            }
        }
    }

    #[test]
    fn signatures_are_compared() {
        let kernels = TestKernels::signatures();
        assert_eq!(signatures(GOOD, &kernels), Ok(()));
        for (from, to) in [
            ("const Pair", "Pair"),
            ("u32 *lines", "const u32 *lines"),
            ("u32 number", "u64 number"),
            ("lines,", "number,"),
            ("nothing", "something"),
            (", u32 *lines", ""),
        ] {
            let wrong = GOOD.replace(from, to);
            assert_ne!(wrong, GOOD);
            assert!(signatures(&wrong, &kernels).is_err(), "{to}");
        }
        let more = [GOOD, "extern \"C\" __global__ void more(u32 number) { }"].concat();
        assert!(signatures(&more, &kernels).is_err());
    }
}
