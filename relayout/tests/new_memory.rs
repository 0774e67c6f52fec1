//! Copies to memory that the call allocates.

use super::api::{error, layout, plan};
use xlayout_core::ElementType;
use xlayout_relayout::Plan;

/// Memory that the call allocates has all elements, and zeros where no element is.
#[test]
fn copies_to_new_memory() {
    for (a, b) in [
        ("f32[]", "f32[]"),
        ("f32[0,3]{1,0}", "f32[0,3]{0,1}"),
        ("f32[7,9]{1,0}", "f32[7,9]{0,1}"),
        ("f32[7,9]{1,0}", "f32[7,9]{0,1:T(4,8)}"),
        ("f32[30,20]{1,0:T(6,10)}", "f32[30,20]{0,1:T(4,4)}"),
        ("f32[300,200]{1,0}", "f32[300,200]{0,1}"),
        // Large enough for huge pages.
        ("f32[1030,1040]{1,0}", "f32[1030,1040]{0,1}"),
        ("f32[1030,1040]{1,0}", "f32[1030,1040]{0,1:T(8,128)}"),
    ] {
        let plan = plan(a, b);
        let (from, to) = plan.buffers();
        let src: Vec<u32> = (1..).take(from / 4).collect();
        let mut expected = vec![0; to / 4];
        plan.run(&src, &mut expected).unwrap();
        for run in 0..12 {
            assert!(
                plan.run_to_vec(&src).unwrap() == expected,
                "{a} -> {b}, run {run}"
            );
        }
        let filled = plan.fill_padding(7_u32).unwrap();
        filled.run(&src, &mut expected).unwrap();
        assert!(
            filled.run_to_vec(&src).unwrap() == expected,
            "{a} -> {b}, filled"
        );
    }
    let bools = plan("pred[3]", "pred[3]{0:T(4)}");
    assert_eq!(
        bools.run_to_vec(&[true, false, true]).unwrap(),
        [true, false, true, false]
    );
    assert_eq!(
        error(bools.run_to_vec(&[true])),
        "the source has 1 byte where its layout allocates 3, padding included; pass a slice of \
         exactly that length"
    );
    assert_eq!(
        error(plan("f32[2]", "f32[2]").run_to_vec(&[1_u8; 8])),
        "the slice of the source has elements of 8 bits where its layout has 32; pass elements of \
         that width, or the bytes to `run_bytes`"
    );
    // No machine has so much memory; each element is read again and again.
    #[cfg(target_pointer_width = "64")]
    {
        let large = layout("u8[1099511627776,1024]{1,0}");
        let plan = Plan::from_strided(&[1 << 40, 1 << 10], &[0, 0], 0, ElementType::U8, &large);
        assert_eq!(
            error(plan.unwrap().run_to_vec(&[5_u8])),
            "there is no memory for 1125899906842624 bytes of the destination; allocate a buffer \
             yourself, and copy to it with `run`"
        );
    }
}
