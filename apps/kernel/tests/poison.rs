//! Results are filled with implausible numbers before a kernel writes them, if the environment or
//! the build asks for it.
#![cfg(not(miri))]
#![allow(elided_lifetimes_in_paths)]

use std::process::Command;

use crate::support::expand::{FULL_CHECK_TOO, kernel};
use crate::support::{Array, Call};
use xlayout::layout;
use xlayout_kernel::{InOut, Out};

const PRED: i32 = 1;
const F32: i32 = 11;
const S4: i32 = 21;

fn untouched(
    _: Out<layout!(f32[?]{0})>,
    _: InOut<layout!(f32[?]{0})>,
    _: Out<layout!(s4[4]{0:E(4)})>,
    _: Out<layout!(pred[2]{0})>,
) {
}
kernel!(untouched_results = untouched(
    x: Out<layout!(f32[?]{0})>, y: InOut<layout!(f32[?]{0})>,
    z: Out<layout!(s4[4]{0:E(4)})>, mask: Out<layout!(pred[2]{0})>,
));

/// Returns the bits of three numbers, eight bits and two `bool`s after a kernel that writes
/// nothing.
fn after_nothing() -> ([u32; 3], [u8; 2], [u8; 2]) {
    let mut x = [7.0_f32; 3];
    let mut y = [7.0_f32; 3];
    let mut z = [0x77_u8; 2];
    let mut mask = [7_u8; 2];
    let in_place = y.as_mut_ptr();
    let mut call = Call {
        arguments: vec![Array::at(F32, &[3], in_place)],
        results: vec![
            Array::at(F32, &[3], x.as_mut_ptr()),
            Array::at(F32, &[3], in_place),
            Array::at(S4, &[4], z.as_mut_ptr()),
            Array::at(PRED, &[2], mask.as_mut_ptr()),
        ],
        ..Call::default()
    };
    assert_eq!(call.run(untouched_results), Ok(()));
    assert_eq!(y, [7.0; 3], "it is an argument, too");
    (x.map(f32::to_bits), z, mask)
}

#[cfg(feature = "relayout")]
mod converted {
    use super::*;
    use xlayout_kernel::Converted;

    type Tiles = Converted<layout!(f32[?M, ?N]{1,0:T(2,2)})>;
    fn nothing(_: Out<Tiles>) {}
    kernel!(untouched_tiles = nothing(x: Out<Tiles>));

    /// The memory is the kernel's own: it is poisoned or what an earlier call left, here that of
    /// the call before.
    pub(super) fn after_nothing() -> [u32; 3] {
        let mut x = [7.0_f32; 3];
        let mut call = Call {
            results: vec![Array::at(F32, &[1, 3], x.as_mut_ptr())],
            ..Call::default()
        };
        assert_eq!(call.run(untouched_tiles), Ok(()));
        x.map(f32::to_bits)
    }
}

const EXPECTED: &str = "XLAYOUT_TEST_EXPECTS_POISON";

/// The environment is read once in a process, so each case has one: this program, which runs this
/// test only.
#[test]
fn results_are_poisoned_where_it_is_asked_for() {
    let Some(expected) = std::env::var_os(EXPECTED) else {
        let debug = if cfg!(debug_assertions) { "yes" } else { "no" };
        for (variable, expected) in [(None, debug), (Some("0"), "no"), (Some("1"), "yes")] {
            let mut own = Command::new(std::env::current_exe().unwrap());
            own.args([
                "--exact",
                "poison::results_are_poisoned_where_it_is_asked_for",
            ]);
            own.env(EXPECTED, expected).env_remove("XLAYOUT_POISON");
            own.envs(variable.map(|variable| ("XLAYOUT_POISON", variable)));
            let output = own.output().unwrap();
            let text = String::from_utf8_lossy(&output.stdout);
            assert!(output.status.success(), "{variable:?}: {text}");
            assert!(text.contains("1 passed"), "{variable:?}: {text}");
        }
        return;
    };
    // Of a `bool` neither is anything but `false`.
    let untouched = 7.0_f32.to_bits();
    let poisoned = u32::MAX;
    for full_check_too in [false, true] {
        FULL_CHECK_TOO.set(full_check_too);
        if expected == "yes" {
            assert_eq!(after_nothing(), ([poisoned; 3], [0xff; 2], [0; 2]));
            #[cfg(feature = "relayout")]
            assert_eq!(converted::after_nothing(), [poisoned; 3]);
        } else {
            assert_eq!(after_nothing(), ([untouched; 3], [0x77; 2], [0; 2]));
            #[cfg(feature = "relayout")]
            assert_eq!(converted::after_nothing(), [0; 3]);
        }
    }
}
