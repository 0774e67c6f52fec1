//! Sets of instructions for which a kernel is compiled.

use crate::abi::Handler;

/// A set of instructions for which `#[xlayout_kernel::kernel]` compiles the body of a function.
///
/// The sets are the levels of the x86-64 psABI
/// (<https://gitlab.com/x86-psABIs/x86-64-ABI>, "Micro-Architecture Levels"). Other processors have
/// the baseline only; on AArch64 it contains NEON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Isa {
    /// The instructions of the compiler's target.
    Baseline,
    /// AVX2 and FMA: `x86-64-v3`.
    V3,
    /// AVX-512: `x86-64-v4`.
    V4,
}

impl Isa {
    /// The name that Python's `load(path, isa=…)` takes.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Baseline => "baseline",
            Self::V3 => "x86-64-v3",
            Self::V4 => "x86-64-v4",
        }
    }

    /// Whether the processor, and the operating system, have all instructions of the set.
    ///
    /// The features are those that `#[xlayout_kernel::kernel]` enables
    /// (`kernel/macros/src/copies.rs`).
    #[must_use]
    pub fn is_here(self) -> bool {
        #[cfg(target_arch = "x86_64")]
        macro_rules! all {
            ($($feature:tt)*) => { true $(&& std::arch::is_x86_feature_detected!($feature))* };
        }
        #[cfg(target_arch = "x86_64")]
        let v3 = || {
            all!("avx" "avx2" "bmi1" "bmi2" "f16c" "fma" "lzcnt" "movbe" "popcnt" "sse3" "ssse3"
                "sse4.1" "sse4.2")
        };
        match self {
            Self::Baseline => true,
            #[cfg(target_arch = "x86_64")]
            Self::V3 => v3(),
            #[cfg(target_arch = "x86_64")]
            Self::V4 => v3() && all!("avx512f" "avx512bw" "avx512cd" "avx512dq" "avx512vl"),
            #[cfg(not(target_arch = "x86_64"))]
            Self::V3 | Self::V4 => false,
        }
    }
}

/// The functions that XLA may call for one kernel: one for each set of instructions.
#[derive(Clone, Copy, Debug)]
pub struct Handlers {
    /// It runs on every processor.
    pub baseline: Handler,
    /// It needs [`Isa::V3`].
    pub v3: Option<Handler>,
    /// It needs [`Isa::V4`].
    pub v4: Option<Handler>,
}

impl Handlers {
    /// A kernel that is compiled for the baseline only.
    #[must_use]
    pub const fn baseline(baseline: Handler) -> Self {
        Self {
            baseline,
            v3: None,
            v4: None,
        }
    }

    /// The handlers that this processor can run. The last one has the most instructions.
    pub(crate) fn here(&self) -> impl DoubleEndedIterator<Item = (Isa, Handler)> {
        let baseline = (Isa::Baseline, Some(self.baseline));
        let all = [baseline, (Isa::V3, self.v3), (Isa::V4, self.v4)].into_iter();
        let here = all.filter(|(isa, _)| isa.is_here());
        here.filter_map(|(isa, handler)| Some((isa, handler?)))
    }
}
