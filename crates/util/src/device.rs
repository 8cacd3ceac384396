//! Where long work runs.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The processor or a GPU.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Device {
    /// The cores of this machine.
    #[default]
    Cpu,
    /// The first CUDA GPU.
    Cuda,
}

impl Device {
    /// All devices.
    pub const ALL: &[Device] = &[Device::Cpu, Device::Cuda];

    /// The name in options and answers.
    pub const fn name(self) -> &'static str {
        match self {
            Device::Cpu => "cpu",
            Device::Cuda => "cuda",
        }
    }
}

impl fmt::Display for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
