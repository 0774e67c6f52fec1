//! The interface: what is refused and how it is said, views, layouts known at compile time,
//! threads.
use crate::support::bytes;
use xlayout_core::types::{MinorToMajor, Nat, StaticLayout};
use xlayout_core::{
    Array, ArrayLayout, ConstLayout, DynLayout, ElementType, SliceView, SliceViewMut,
};
use xlayout_relayout::{Machine, Plan, StaticPlan, relayout, relayout_in_place, relayout_static};

pub(crate) fn layout(text: &str) -> DynLayout {
    text.parse().unwrap()
}

pub(crate) fn plan(a: &str, b: &str) -> Plan {
    Plan::new(&layout(a), &layout(b)).unwrap()
}

pub(crate) fn error<T: std::fmt::Debug>(
    result: Result<T, xlayout_relayout::RelayoutError>,
) -> String {
    result.unwrap_err().to_string()
}

#[test]
fn errors_say_what_to_do() {
    let new = |a: &str, b: &str| error(Plan::new(&layout(a), &layout(b)));
    assert_eq!(
        new("f32[2]", "u32[2]"),
        "the source holds f32, the destination u32; a relayout copies elements as they are, so \
         convert them first"
    );
    assert_eq!(
        new("f32[2]", "f32[2,1]"),
        "the source has 1 dimension, the destination 2; both sides must be the same logical \
         array, so reshape one of them first"
    );
    assert_eq!(
        new("s8[2]{0:E(8)}", "s8[2]{0:E(4)}"),
        "the destination keeps 4 bits of each s8, which has 8: elements would lose bits on the \
         way; give both sides the same `E(…)`"
    );
    let four = plan("f32[2]", "f32[2]");
    assert_eq!(
        error(four.run(&[1.0_f32; 3], &mut [0.0; 2])),
        "the source has 12 bytes where its layout allocates 8, padding included; pass a slice of \
         exactly that length"
    );
    assert_eq!(
        error(four.run(&[1_u8; 8], &mut [0; 8])),
        "the slice of the source has elements of 8 bits where its layout has 32; pass elements of \
         that width, or the bytes to `run_bytes`"
    );
    assert_eq!(
        error(plan("u8[2]", "u8[2]").run(&[true; 2], &mut [false; 2])),
        "not every u8 is a `bool`; pass the memory as `u8`, or the bytes to `run_bytes`"
    );
    assert_eq!(
        error(plan("pred[2]", "pred[2]").fill_padding(7_u8)),
        "not every u8 is a `bool`; pass the memory as `u8`, or the bytes to `run_bytes`"
    );
    assert_eq!(
        error(four.clone().fill_padding(7_u8)),
        "the value for the padding has 1 byte, an element has 4; pass a value of the elements' type"
    );
    let strided = |dims: &[usize], strides: &[isize], offset| {
        Plan::from_strided(dims, strides, offset, ElementType::F32, &layout("f32[2,3]"))
    };
    assert_eq!(
        error(strided(&[2, 3], &[12], 0)),
        "there are 2 sizes and 1 stride; each dimension needs one of both"
    );
    assert_eq!(
        error(strided(&[2, 3], &[-12, 4], 11)),
        "the strides lead to before the first byte: the element at the origin lies at byte 11, and \
         must lie at byte 12 or later; pass that as the offset"
    );
    assert_eq!(
        error(strided(&[2, 3], &[isize::MAX, 4], 0)),
        "the source is too large for this machine: its offsets, in bits where elements are packed, \
         must fit into an `isize`; copy it by parts, or give smaller strides"
    );
    assert_eq!(
        error(
            strided(&[2, 3], &[12, 4], 0)
                .unwrap()
                .run(&[0.0_f32; 5], &mut [0.0; 6])
        ),
        "the source has 20 bytes, but its strides lead up to byte 24; pass the whole buffer that \
         they are for"
    );
    let array = |text: &str| Array::<f32, _>::zeros(layout(text)).unwrap();
    assert_eq!(
        error(four.run_views(&array("f32[2]{0:T(4)}"), &mut array("f32[2]"))),
        "the source is f32[2]{0:T(4)}, but the plan was made for f32[2]{0}; make a plan for it by \
         `Plan::new`, or use `relayout`"
    );
    assert_eq!(
        error(relayout_in_place(
            &mut [0.0_f32; 2],
            &layout("f32[2]"),
            &layout("f32[2]{0:T(4)}")
        )),
        "the array takes 8 bytes now and would take 16; only layouts of the same number of bytes \
         can take each other's place, so copy to another buffer"
    );
}

#[test]
fn plans_say_what_they_do() {
    let text = |a: &str, b: &str| plan(a, b).to_string();
    for (a, b, words) in [
        ("f32[0]", "f32[0]", "no elements, nothing to copy"),
        ("f32[9]", "f32[9]", "one run of 36 bytes"),
        (
            "f32[90,90]{1,0}",
            "f32[90,90]{0,1}",
            "transpose in registers",
        ),
        (
            "f32[90,300]{1,0}",
            "f32[90,300]{1,0:T(8,128)}",
            "smaller boxes at the edges",
        ),
        (
            "f32[90,300]{1,0:T(6,9)}",
            "f32[90,300]{1,0:T(8,128)}",
            "element by element",
        ),
        ("u4[9]{0:E(4)}", "u4[9]", "bits, 4 to 8 for each element"),
    ] {
        let said = text(a, b);
        assert!(said.contains(words), "{said}");
        assert!(said.starts_with(&format!(
            "{} -> {}: ",
            layout(a).array_shape(),
            layout(b).array_shape()
        )));
    }
    // What is fetched on which machine: `src/tests/machines.rs`.
    let large = plan("f32[2048,2048]{1,0}", "f32[2048,2048]{0,1}");
    let large = large.on(Machine::here()).traffic();
    assert_eq!((large.read, large.written), (1 << 24, 1 << 24));
    assert_eq!(large.total(), (1 << 25) + large.fetched);
}

#[test]
fn plans_are_send_and_sync() {
    fn check<T: Send + Sync + Clone + 'static>() {}
    check::<Plan>();
}

#[test]
fn views_of_any_layout() {
    type A = StaticLayout<i32, (Nat<5>, Nat<7>), MinorToMajor<(Nat<1>, Nat<0>)>, ()>;
    let source = Array::from_fn(A::NEW, |&[y, x]| (10 * y + x) as i32).unwrap();
    let mut there = Array::zeros(layout("s32[5,7]{0,1:T(2,4)}")).unwrap();
    // The second copy of a kind keeps its plan, the third one uses it.
    for _ in 0..3 {
        there.memory_mut().fill(-1);
        relayout(&source, &mut there).unwrap();
    }
    let mut back = Array::zeros(
        "s32[5,7]{0,1}"
            .parse::<xlayout_core::StridedLayout<[usize; 2]>>()
            .unwrap(),
    )
    .unwrap();
    relayout(&there.as_view(), &mut back.as_view_mut()).unwrap();
    for index in source.layout().indices() {
        assert_eq!(
            back.get(index.coordinates()),
            source.get(index.coordinates())
        );
    }
    let refused = relayout(&source, &mut Array::zeros(layout("s32[7,5]")).unwrap());
    assert!(refused.is_err());
    // A plan for the fixed layout runs with its dynamic twin.
    let plan = Plan::new(source.layout(), back.layout()).unwrap();
    let twin = SliceView::new(layout("s32[5,7]{1,0}"), source.memory()).unwrap();
    plan.run_views(&twin, &mut back).unwrap();
    assert_eq!(back[[4, 6]], 46);
}

/// A one-off copy is the copy by a plan, for few elements and for many.
#[test]
fn one_off_copies() {
    for (sizes, a, b) in [
        ("", "", ""),
        ("0,3", "{1,0}", "{0,1}"),
        ("7", "{0}", "{0:T(4)}"),
        ("3,5", "{1,0}", "{0,1}"),
        ("1,5,1,3", "{3,2,1,0}", "{1,0,3,2}"),
        ("2,3,4,5", "{0,1,2,3}", "{2,0,3,1}"),
        ("2,2,2,2,2,2", "{5,4,3,2,1,0}", "{0,1,2,3,4,5}"),
        (
            "1,1,1,1,1,1,1,1,2,3",
            "{9,8,7,6,5,4,3,2,1,0}",
            "{8,9,7,6,5,4,3,2,1,0}",
        ),
        ("30,40", "{1,0}", "{0,1:T(8,16)}"),
    ] {
        let a = layout(&format!("s16[{sizes}]{a}"));
        let b = layout(&format!("s16[{sizes}]{b}"));
        let mut number = 0_i16;
        let source = Array::from_fn(a.clone(), |_| {
            number += 1;
            number
        });
        let source = source.unwrap();
        let mut expected = Array::zeros(b.clone()).unwrap();
        Plan::new(&a, &b)
            .unwrap()
            .run_views(&source, &mut expected)
            .unwrap();
        for _ in 0..3 {
            let mut found = Array::zeros(b.clone()).unwrap();
            relayout(&source, &mut found).unwrap();
            assert_eq!(found.memory(), expected.memory(), "{a:?} -> {b:?}");
        }
    }
}

macro_rules! fixed_pairs {
    ($(($type:ty: $($size:literal)*; $($a:literal)*; $($b:literal)*))*) => {$({
        type A = StaticLayout<$type, ($(Nat<$size>,)*), MinorToMajor<($(Nat<$a>,)*)>, ()>;
        type B = StaticLayout<$type, ($(Nat<$size>,)*), MinorToMajor<($(Nat<$b>,)*)>, ()>;
        check_fixed::<$type, A, B>();
        check_fixed::<$type, B, A>();
        check_fixed::<$type, A, A>();
    })*};
}

trait Number: xlayout_core::Element + PartialEq + std::fmt::Debug {
    fn of_bytes(bytes: &[u8]) -> Self;
}

macro_rules! numbers {
    ($($number:ty)*) => {$(
        impl Number for $number {
            fn of_bytes(bytes: &[u8]) -> Self {
                Self::from_ne_bytes(bytes.try_into().unwrap())
            }
        }
    )*};
}
numbers!(u8 u16 u32 u64);

fn check_fixed<T, A, B>()
where
    T: Number,
    A: ConstLayout,
    B: ConstLayout,
    A::Type: xlayout_core::dtype::StoredAs<T>,
    B::Type: xlayout_core::dtype::StoredAs<T>,
{
    let input = bytes(A::BYTES);
    let twin = |shape| DynLayout::new(shape).unwrap();
    let mut expected = vec![0; B::BYTES];
    crate::support::naive(
        &twin(A::NEW.array_shape()),
        &twin(B::NEW.array_shape()),
        &input,
        &mut expected,
    );
    // Into aligned memory, by a plan that was checked elsewhere.
    let read = |bytes: &[u8], out: &mut [T]| {
        for (slot, bytes) in out.iter_mut().zip(bytes.chunks(size_of::<T>())) {
            *slot = T::of_bytes(bytes);
        }
    };
    let mut src = vec![T::ZERO; A::BUFFER_LEN];
    let mut wanted = vec![T::ZERO; B::BUFFER_LEN];
    read(&input, &mut src);
    read(&expected, &mut wanted);
    let mut out = vec![T::ZERO; B::BUFFER_LEN];
    let from = SliceView::new(A::NEW, &src[..]).unwrap();
    relayout_static(&from, &mut SliceViewMut::new(B::NEW, &mut out[..]).unwrap());
    assert_eq!(out, wanted);
    let mut again = vec![T::ZERO; B::BUFFER_LEN];
    StaticPlan::<A, B>::new().run(&src, &mut again).unwrap();
    assert_eq!(again, wanted);
    assert!(
        StaticPlan::<A, B>::new()
            .run(&src[1..], &mut again)
            .is_err()
    );
}

#[test]
fn layouts_known_at_compile_time() {
    fixed_pairs! {
        (u32: 3 5; 1 0; 0 1)
        (u8: 4 8; 1 0; 0 1)
        (u16: 33; 0; 0)
        (u32: 16 16; 1 0; 0 1)
        (u64: 3 17 5; 2 1 0; 1 2 0)
        (u8: 40 50; 1 0; 0 1)
        (u32: 2 3 4 5; 0 1 2 3; 3 1 0 2)
    }
}

/// What plans learn belongs to the process: a plan of another thread begins with it. 33 runs settle
/// whatever the clock says.
#[test]
fn what_was_learned_is_known_to_other_threads() {
    let make = || plan("f64[90,77]{1,0}", "f64[90,77]{0,1}");
    let plan = make();
    let (from, to) = plan.buffers();
    let src = bytes(from);
    let mut dst = vec![0; to];
    for _ in 0..33 {
        plan.run_bytes(&src, &mut dst).unwrap();
    }
    assert!(plan.measurement().is_some());
    let there = std::thread::spawn(move || make().measurement());
    assert!(there.join().unwrap().is_some());
}

#[test]
fn threads_copy_what_one_copies() {
    for (a, b) in [
        ("f32[2600,2100]{1,0}", "f32[2600,2100]{0,1}"),
        ("u8[3,1000,1000]{2,1,0}", "u8[3,1000,1000]{0,2,1}"),
        ("f32[1001,999]{1,0}", "f32[1001,999]{1,0:T(8,128)}"),
        ("f32[801,799]{1,0:T(6,10)}", "f32[801,799]{0,1:T(4,4)}"),
        ("f32[5000000]{0}", "f32[5000000]{0}"),
        ("f32[0]{0}", "f32[0]{0}"),
    ] {
        let plan = plan(a, b)
            .fill_padding(2.5_f32)
            .or_else(|_| Ok::<_, ()>(plan(a, b)))
            .unwrap();
        let (from, to) = plan.buffers();
        let width = layout(a).element_bits() / 8;
        let input = bytes(from);
        let mut expected = vec![0; to];
        plan.run_bytes(&input, &mut expected).unwrap();
        if width == 4 {
            let words = |bytes: &[u8]| -> Vec<u32> {
                bytes
                    .chunks(4)
                    .map(|word| u32::from_ne_bytes(word.try_into().unwrap()))
                    .collect()
            };
            let input = words(&input);
            let expected = words(&expected);
            for threads in [0, 1, 2, 5] {
                let mut found = vec![0; to / 4];
                plan.run_threads(&input, &mut found, threads).unwrap();
                assert!(found == expected, "{a} -> {b} on {threads}");
                let fresh = plan.run_to_vec_threads(&input, threads).unwrap();
                assert!(fresh == expected, "{a} -> {b} to new memory on {threads}");
            }
            let mut found = vec![0; to / 4];
            plan.run_parallel(&input, &mut found).unwrap();
            assert!(found == expected, "{a} -> {b} by rayon");
        } else {
            let mut found = vec![0; to];
            plan.run_threads(&input, &mut found, 2).unwrap();
            assert!(found == expected, "{a} -> {b}");
            let mut found = vec![0; to];
            plan.run_parallel(&input, &mut found).unwrap();
            assert!(found == expected, "{a} -> {b} by rayon");
        }
    }
}

/// Packed elements in blocks, whose ends are cut: each element by its linear index.
#[test]
fn packed_elements_in_any_sequence() {
    for (name, bits) in [("u4", 4), ("u2", 2), ("u1", 1)] {
        for (dims, from, to) in [
            ("[300,500]", "{1,0:E}", "{0,1}"),
            ("[301,499]", "{1,0}", "{0,1:E}"),
            ("[5000,3]", "{1,0}", "{0,1:E}"),
            ("[3,5001]", "{1,0:E}", "{0,1}"),
            ("[300,500]", "{1,0}", "{0,1:T(8,128)E}"),
            ("[300,500]", "{1,0:T(8,128)(4,1)E}", "{1,0}"),
            ("[200,515]", "{1,0:E}", "{0,1:E}"),
            ("[80,2104]", "{1,0:E}", "{0,1:E}"),
            ("[150,2100]", "{1,0}", "{0,1:E}"),
            ("[136,152]", "{1,0}", "{1,0:T(8,32)E}"),
            ("[20,70,90]", "{2,1,0}", "{1,2,0:E}"),
            ("[20,71,90]", "{2,1,0:E}", "{0,1,2:T(2,4)}"),
            ("[40000]", "{0}", "{0:T(1024)E}"),
        ] {
            let side = |text: &str| {
                let layout = layout(&format!(
                    "{name}{dims}{}",
                    text.replace('E', &format!("E({bits})"))
                ));
                let each = layout.element_bits();
                (layout, each)
            };
            let ((from, read), (to, written)) = (side(from), side(to));
            let plan = Plan::new(&from, &to).unwrap();
            let mask = |bits: usize| (0xff_u16 >> (8 - bits)) as u8;
            let src: Vec<u8> = bytes(plan.buffers().0);
            let mut expected = vec![0x5a; plan.buffers().1];
            from.for_each_in_memory(|index, place| {
                let bit = place * read;
                let value = src[bit / 8] >> (bit % 8) & mask(read.min(bits));
                let bit = to.linear_index(index) * written;
                let byte = &mut expected[bit / 8];
                *byte = *byte & !(mask(written) << (bit % 8)) | value << (bit % 8);
            });
            let mut found = vec![0x5a; plan.buffers().1];
            plan.run_bytes(&src, &mut found).unwrap();
            assert!(found == expected, "{from:?} -> {to:?}");
            let mut found = vec![0x5a; plan.buffers().1];
            for chunk in plan.chunks_bytes(&src, &mut found, 5).unwrap() {
                chunk.run();
            }
            assert!(found == expected, "{from:?} -> {to:?} in chunks");
        }
    }
}

/// How many chunks there are: at most as many as asked for.
#[test]
fn chunks_are_counted() {
    let count = |plan: &Plan, most: usize| {
        let (from, to) = plan.buffers();
        let input = vec![0; from];
        let mut out = vec![0; to];
        let chunks = plan.chunks_bytes(&input, &mut out, most).unwrap();
        let len = chunks.len();
        let hint = chunks.size_hint();
        assert_eq!(hint, (len, Some(len)));
        let bytes: Vec<_> = chunks.map(|chunk| chunk.bytes()).collect();
        assert_eq!(bytes.len(), len);
        assert_eq!(bytes.iter().sum::<usize>(), plan.bytes());
        len
    };
    // One for each kilobyte.
    let dense = plan("u8[64,64]{1,0}", "u8[64,64]{0,1}");
    assert_eq!((dense.elements(), dense.bytes()), (4096, 4096));
    assert_eq!(
        [0, 1, 2, 5, 6, 100].map(|most| count(&dense, most)),
        [1, 1, 2, 5, 5, 5]
    );
    assert_eq!(count(&plan("u8[1023]", "u8[1023]"), 9), 1);
    assert_eq!(count(&plan("u8[1024]", "u8[1024]"), 9), 2);
    // Padding is filled before all chunks.
    let tiled = plan("u8[60,64]{1,0}", "u8[60,64]{1,0:T(8,128)}");
    assert_eq!(count(&tiled, 3), 3);
    let filled = tiled.fill_padding(1_u8).unwrap();
    assert!(filled.to_string().contains("fills the padding"));
    assert_eq!(count(&filled, 3), 3);
    let packed = plan("u4[60,64]{1,0}", "u4[60,64]{1,0:T(8,128)E(4)}");
    assert_eq!((packed.elements(), packed.bytes()), (3840, 1920));
    assert_eq!(count(&packed, 3), 2);
    assert_eq!(count(&packed.fill_padding(1_u8).unwrap(), 3), 2);
    // Tiles that do not divide each other.
    assert_eq!(
        count(&plan("u8[80,80]{1,0:T(6,10)}", "u8[80,80]{1,0:T(4,7)}"), 3),
        3
    );
    let packed = plan("u4[80,80]{1,0:T(6,10)}", "u4[80,80]{1,0:T(4,7)E(4)}");
    assert_eq!(count(&packed, 3), 1);
    let empty = plan("u8[0]", "u8[0]");
    assert_eq!(
        (count(&empty, 3), empty.elements(), empty.bytes()),
        (0, 0, 0)
    );
}
