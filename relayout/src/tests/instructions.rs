//! The instructions that unit tests let the kernels use.

use core::cell::Cell;
use std::prelude::v1::*;

/// The widest registers that the kernels may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub(crate) enum Instructions {
    /// No processor's own instructions.
    Portable,
    /// SSSE3, or NEON.
    Ssse3,
    /// AVX2.
    Avx2,
    /// AVX-512.
    Avx512,
    /// AVX-512 with VBMI.
    Vbmi,
    /// As `Vbmi`, and blocks are loaded as whole registers.
    Whole,
}

std::thread_local! {
    /// For this thread only: tests run in parallel, and each chooses for itself.
    static MOST: Cell<Instructions> = const { Cell::new(Instructions::Whole) };
}

/// Limits the instructions that the kernels use on this thread.
pub(crate) fn use_at_most(most: Instructions) {
    MOST.set(most);
}

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
pub(crate) fn allowed(instructions: Instructions) -> bool {
    instructions <= MOST.get()
}

/// Returns the instructions that this processor has, each with those before it. Reports the missing
/// ones once, on the standard error output.
pub(crate) fn available() -> Vec<Instructions> {
    use Instructions::{Avx2, Avx512, Portable, Ssse3, Vbmi, Whole};
    static SAID: std::sync::Once = std::sync::Once::new();

    let all = [
        (Ssse3, "SSSE3", has_ssse3()),
        (Avx2, "AVX2", has_avx2()),
        (Avx512, "AVX-512", has_avx512()),
        (Vbmi, "AVX-512 VBMI", has_vbmi()),
        (Whole, "AVX-512 by whole registers", has_avx512()),
    ];
    SAID.call_once(|| {
        for (_, name, _) in all.iter().filter(|(_, _, has)| !has) {
            crate::tests::left_out(&std::format!(
                "kernels with {name}; this processor does not have it, and the others are tested"
            ));
        }
    });
    let has = all.into_iter().filter(|(_, _, has)| *has);
    core::iter::once(Portable)
        .chain(has.map(|(instructions, ..)| instructions))
        .collect()
}

macro_rules! detected {
    ($($name:ident: $($feature:tt),+;)*) => {$(
        #[cfg(target_arch = "x86_64")]
        fn $name() -> bool {
            $(std::arch::is_x86_feature_detected!($feature))&&+
        }
    )*};
}

detected! {
    has_ssse3: "ssse3";
    has_avx2: "avx2";
    has_avx512: "avx512f", "avx512bw";
    has_vbmi: "avx512bw", "avx512vbmi";
}

/// NEON, which every aarch64 has.
#[cfg(not(target_arch = "x86_64"))]
const fn has_ssse3() -> bool {
    cfg!(target_arch = "aarch64")
}

#[cfg(not(target_arch = "x86_64"))]
const fn has_avx2() -> bool {
    false
}

#[cfg(not(target_arch = "x86_64"))]
const fn has_avx512() -> bool {
    false
}

#[cfg(not(target_arch = "x86_64"))]
const fn has_vbmi() -> bool {
    false
}
