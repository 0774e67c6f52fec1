//! Memory with banks.

use xlayout::algebra::Banks;

/// Memory with banks, and what is read from it.
#[derive(clap::Args, Clone, Copy, Debug)]
pub(super) struct Memory {
    /// The bytes of an element
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) bytes: u32,
    /// The number of banks
    #[arg(long, default_value_t = 32)]
    pub(super) banks: u32,
    /// The bytes of a bank that are next to each other
    #[arg(long, default_value_t = 4)]
    pub(super) width: u32,
}

impl Memory {
    /// The banks: in one phase each bank is accessed once.
    pub(super) fn banks(&self) -> Banks {
        Banks {
            banks: self.banks,
            width: self.width,
            phase_bytes: self.banks.saturating_mul(self.width),
        }
    }

    /// The bank of the first byte of an element.
    pub(super) fn bank(&self, offset: usize) -> usize {
        let byte = offset as u128 * u128::from(self.bytes);
        // Both divisors are above 0: `bank_conflicts` refuses 0.
        let word = byte / u128::from(self.width.max(1));
        (word % u128::from(self.banks.max(1))) as usize
    }
}
