//! Copies by each kind of instructions. These are unit tests because the choice of instructions is
//! not public.

mod pairs;
mod strided;
#[path = "../../tests/support/mod.rs"]
mod support;

use crate::instructions::{Instructions, use_at_most};

/// Runs a check with each kind of instructions. Tests run in parallel in one process, so a test may
/// run with the choice of another test. Each choice must be correct at any time.
fn with_all_instructions(mut check: impl FnMut(Instructions)) {
    for most in [
        Instructions::Portable,
        Instructions::Ssse3,
        Instructions::Avx2,
        Instructions::Avx512,
    ] {
        use_at_most(most);
        check(most);
    }
    use_at_most(Instructions::Avx512);
}
