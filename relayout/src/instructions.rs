//! The instructions that unit tests allow the kernels.

use core::sync::atomic::{AtomicU8, Ordering};

/// The widest registers that the kernels may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub(crate) enum Instructions {
    /// No instructions by name.
    Portable,
    /// SSSE3.
    Ssse3,
    /// AVX2.
    Avx2,
    /// AVX-512.
    Avx512,
    /// AVX-512 with VBMI.
    Vbmi,
    /// Those, and blocks that are loaded as whole registers.
    Whole,
}

static MOST: AtomicU8 = AtomicU8::new(Instructions::Whole as u8);

/// From now on the kernels of all threads use nothing wider.
pub(crate) fn use_at_most(most: Instructions) {
    MOST.store(most as u8, Ordering::Relaxed);
}

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
pub(crate) fn allowed(by: Instructions) -> bool {
    by as u8 <= MOST.load(Ordering::Relaxed)
}
