//! Copies of packed arrays in threads with a small stack: whatever the sizes, few calls are nested,
//! and only the last has buffers.

use xlayout_core::{ArrayLayout, DynLayout};
use xlayout_relayout::Plan;

use super::support::{bytes, naive};

/// The bytes of stack that each copy is tested with, in debug builds, too.
const STACK: usize = 512 * 1024;

/// Copies between two layouts in a thread with a small stack, there and back.
fn check([sizes, a, b]: [&str; 3]) {
    let [a, b] = [a, b].map(|order| format!("{sizes}{order}").parse::<DynLayout>().unwrap());
    for (src, dst) in [(&a, &b), (&b, &a)] {
        let input = bytes(src.bytes());
        let mut expected = vec![0x5a; dst.bytes()];
        let mut found = expected.clone();
        naive(src, dst, &input, &mut expected);
        std::thread::scope(|scope| {
            let thread = std::thread::Builder::new().stack_size(STACK);
            let copy = || Plan::new(src, dst)?.run_bytes(&input, &mut found);
            let copied = thread.spawn_scoped(scope, copy).unwrap().join();
            copied.unwrap().unwrap();
        });
        assert!(found == expected, "{src} -> {dst}");
    }
}

/// Two ways of copying once cut the same loop in turn, a few steps each time.
#[test]
fn no_loop_is_cut_twice() {
    let layouts = [
        ["s4[5,2,2056,127]", "{0,2,3,1:E(4)}", "{1,2,3,0:E(4)}"],
        ["s4[5,2,2056,3]", "{0,2,3,1:E(4)}", "{1,2,3,0:E(4)}"],
        ["s4[5,2,520,3]", "{0,2,3,1:E(4)}", "{1,2,3,0:E(4)}"],
        ["u4[5,2,100000]", "{0,2,1:E(4)}", "{1,2,0:E(4)}"],
        ["u4[5,2,3001]", "{0,2,1:E(4)}", "{1,2,0:E(4)}"],
        ["u2[3,4,5000]", "{0,2,1:E(2)}", "{1,2,0:E(2)}"],
        ["u1[3,8,5000]", "{0,2,1:E(1)}", "{1,2,0:E(1)}"],
        ["pred[3,8,5000]", "{0,2,1:E(1)}", "{1,2,0:E(1)}"],
    ];
    layouts.into_iter().for_each(check);
}

/// Loops are cut several times here, and what is left of them, too.
#[test]
fn buffers_are_not_nested() {
    let layouts = [
        ["u4[1000,4,301]", "{2,1,0:E(4)}", "{0,1,2:E(4)}"],
        ["u4[1000,4,301]", "{2,1,0:E(4)}", "{0,1,2}"],
        ["u4[1031,2,1042]", "{2,1,0:E(4)}", "{0,1,2}"],
        ["u4[1030,1030]", "{1,0:E(4)}", "{0,1:E(4)}"],
    ];
    layouts.into_iter().for_each(check);
}
