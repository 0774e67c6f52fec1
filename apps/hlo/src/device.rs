//! Devices by name: the memory that a program may use, and the bandwidth.
//!
//! A device is what XLA compiles one program for: one TPU core of v2, v3 and TPU7x, a TPU chip of
//! the others, a GPU.
//!
//! | figure | source |
//! |---|---|
//! | memory of a TPU | what the TPU compiler itself says that is available: "available HBM (15.75G)" and "Used … of 15.75G hbm". libtpu 0.0.52 says it of each of them, in hundredths of a GiB, when it compiles a program that is too large; of v4 jax reports the 30.75G (`EasyDeL#166`), because libtpu 0.0.52 without a chip takes half of it, a core, for the device |
//! | bandwidth of a TPU | <https://docs.cloud.google.com/tpu/docs/v3>, `…/v2`, `…/v4`, `…/v5e`, `…/v5p`, `…/v6e`, `…/tpu7x`. Where a chip is two devices, each has half of it |
//! | memory of a GPU | the total that CUDA reports, and PyTorch prints ("has a total capacity of 79.19 GiB"); JAX takes three quarters of it (<https://docs.jax.dev/en/latest/201/gpu-memory.html>) |
//! | bandwidth of a GPU | the data sheets of NVIDIA: A100, H100 SXM, H200 |

use std::str::FromStr;

use serde::Serialize;
use xlayout_words::nearest;

/// A device that programs are compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Device {
    /// The usual name: `v5e`, `H100`.
    pub name: &'static str,
    /// The bytes of its memory that a program may use.
    #[serde(rename = "memory_bytes")]
    pub memory: u64,
    /// The bytes that it reads or writes in a second.
    #[serde(rename = "bandwidth_bytes_per_second")]
    pub bandwidth: u64,
}

impl Device {
    /// The devices that have a name.
    pub const ALL: [Self; 11] = [
        Self::new("v2", hundredths(748), 350),
        Self::new("v3", hundredths(1548), 450),
        Self::new("v4", hundredths(3075), 1200),
        Self::new("v5e", hundredths(1575), 819),
        Self::new("v5p", hundredths(9574), 2765),
        Self::new("v6e", hundredths(3125), 1638),
        Self::new("v7x", hundredths(9475), 3690),
        Self::new("A100-40GB", of_gpu(3949), 1555),
        Self::new("A100-80GB", of_gpu(7925), 2039),
        Self::new("H100", of_gpu(7919), 3350),
        Self::new("H200", of_gpu(13980), 4800),
    ];

    /// `gigabytes`: 10^9 bytes per second.
    const fn new(name: &'static str, memory: u64, gigabytes: u64) -> Self {
        Self {
            name,
            memory,
            bandwidth: gigabytes * 1_000_000_000,
        }
    }
}

/// Converts hundredths of a GiB to bytes.
const fn hundredths(gib: u64) -> u64 {
    (gib << 30) / 100
}

/// Returns three quarters of what CUDA reports in hundredths of a GiB: JAX takes that part, unless
/// `XLA_CLIENT_MEM_FRACTION` says otherwise.
const fn of_gpu(gib: u64) -> u64 {
    hundredths(gib) / 4 * 3
}

impl FromStr for Device {
    /// What is wrong with the name, and the names of all devices.
    type Err = String;

    /// The letter case and a leading `TPU` do not matter.
    fn from_str(text: &str) -> Result<Self, String> {
        let lower = text.to_ascii_lowercase();
        let name = lower.strip_prefix("tpu").unwrap_or(&lower).trim();
        let same = |device: &&Self| device.name.eq_ignore_ascii_case(name);
        if let Some(device) = Self::ALL.iter().find(same) {
            return Ok(*device);
        }
        let names = Self::ALL.map(|device| device.name);
        // A prefix comes first: `a100` begins two names, but the nearest name is `h100`.
        let begins = |known: &&str| name.len() > 1 && known.to_ascii_lowercase().starts_with(name);
        let meant = names
            .into_iter()
            .find(begins)
            .or_else(|| nearest(name, names));
        let meant = meant.map_or(String::new(), |meant| format!(", did you mean `{meant}`?"));
        Err(format!(
            "no device has this name{meant}; the names are {}",
            names.join(", ")
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_device_has_several_names() {
        let name = |text: &str| text.parse::<Device>().map(|device| device.name);
        for device in Device::ALL {
            assert_eq!(name(device.name), Ok(device.name));
        }
        for (text, expected) in [("V5E", "v5e"), ("h100", "H100"), ("TPU v4", "v4")] {
            assert_eq!(name(text), Ok(expected), "{text}");
        }
    }

    #[test]
    fn a_name_that_is_unknown_has_a_proposal() {
        let told = |text: &str| match text.parse::<Device>() {
            Ok(device) => panic!("{device:?}"),
            Err(error) => error,
        };
        let names =
            "the names are v2, v3, v4, v5e, v5p, v6e, v7x, A100-40GB, A100-80GB, H100, H200";
        assert_eq!(
            told("v6f"),
            format!("no device has this name, did you mean `v6e`?; {names}")
        );
        assert!(told("tpu7x").contains("did you mean `v7x`?"));
        assert!(told("a100").contains("did you mean `A100-40GB`?"));
        assert_eq!(told("abacus"), format!("no device has this name; {names}"));
        assert_eq!(told(""), format!("no device has this name; {names}"));
    }

    /// XLA's own numbers, as it rounds them.
    #[test]
    fn the_memory_is_what_the_compiler_prints() {
        let gib = |name: &str| {
            let device: Device = name.parse().unwrap();
            format!("{:.2}", device.memory as f64 / f64::from(1 << 30))
        };
        let printed = ["v2", "v3", "v4", "v5e", "v5p", "v6e", "v7x"].map(gib);
        assert_eq!(
            printed,
            ["7.48", "15.48", "30.75", "15.75", "95.74", "31.25", "94.75"]
        );
        // Three quarters of 79.19 GiB.
        assert_eq!(gib("H100"), "59.39");
    }
}
