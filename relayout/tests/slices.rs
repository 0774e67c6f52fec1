//! Slices with gaps: the rest of the array that was sliced lies in the gaps, and no copy writes
//! there.
use proptest::prelude::*;
use xlayout_core::types::{
    ElementWidth, MinorToMajor, Nat, Padded, SliceLayout, Sliced, StaticLayout,
};
use xlayout_core::{
    Array, ArrayLayout, ConstLayout, DynLayout, ElementType, SliceView, SliceViewMut, dtype,
};
use xlayout_relayout::{
    Plan, RelayoutError, StaticPlan, relayout, relayout_bytes_in_place, relayout_in_place,
    relayout_static,
};

/// What memory holds before: no element, and no value for padding.
const CANARY: i32 = -1;
const PADDING: i32 = 999;

type Order10 = MinorToMajor<(Nat<1>, Nat<0>)>;
type Order01 = MinorToMajor<(Nat<0>, Nat<1>)>;
/// `s32[2,4]{1,0}`, and its columns 2 and 3.
type Whole = StaticLayout<i32, (Nat<2>, Nat<4>), Order10, ()>;
type Columns = Sliced<Whole, 1, 2>;
/// The padded layout of the same shape and strides as `Columns`.
type Twin = StaticLayout<i32, (Nat<2>, Nat<2>), Order10, (Padded<(Nat<2>, Nat<4>)>,)>;
type Source = StaticLayout<i32, (Nat<2>, Nat<2>), Order10, ()>;

/// The memory of `Whole` after its columns 2 and 3 were written.
const WRITTEN: [i32; 8] = [CANARY, CANARY, 1, 2, CANARY, CANARY, 3, 4];

fn source() -> Array<i32, Source> {
    Array::new(Source::NEW, vec![1, 2, 3, 4]).unwrap()
}

/// The memory of an array of canaries after `copy` has written to its columns 2 and 3.
fn columns(copy: impl FnOnce(&mut SliceViewMut<'_, i32, Columns>)) -> Vec<i32> {
    let mut whole = Array::new(Whole::NEW, vec![CANARY; 8]).unwrap();
    copy(&mut whole.as_slice_view_mut().into_const_slice::<1, 2, 2>());
    whole.into_vec()
}

/// Every way of running a plan that was asked to fill padding.
#[test]
fn no_plan_fills_the_gaps_of_a_slice() {
    let source = source();
    let layout = Columns::NEW;
    let filling = || {
        let plan = Plan::new(source.layout(), &layout).unwrap();
        let plan = plan.fill_padding(PADDING).unwrap();
        assert!(!plan.to_string().contains("padding"), "{plan}");
        plan
    };
    let by_views = columns(|to| filling().run_views(&source, to).unwrap());
    assert_eq!(by_views, WRITTEN);
    let by_memory = columns(|to| {
        filling().run(source.memory(), to.memory_mut()).unwrap();
    });
    assert_eq!(by_memory, WRITTEN);
    for threads in 0..4 {
        let by_threads = columns(|to| {
            filling()
                .run_threads(source.memory(), to.memory_mut(), threads)
                .unwrap();
        });
        assert_eq!(by_threads, WRITTEN);
    }
    let by_rayon = columns(|to| {
        filling()
            .run_parallel(source.memory(), to.memory_mut())
            .unwrap();
    });
    assert_eq!(by_rayon, WRITTEN);
    let by_chunks = columns(|to| {
        let plan = filling();
        let chunks = plan.chunks(source.memory(), to.memory_mut(), 3).unwrap();
        chunks.for_each(|chunk| chunk.run());
    });
    assert_eq!(by_chunks, WRITTEN);
    let by_strides = columns(|to| {
        let strides = [8, 4];
        let plan = Plan::from_strided(&[2, 2], &strides, 0, ElementType::S32, to.layout()).unwrap();
        let plan = plan.fill_padding(PADDING).unwrap();
        plan.run(source.memory(), to.memory_mut()).unwrap();
    });
    assert_eq!(by_strides, WRITTEN);
    assert_eq!(columns(|to| relayout(&source, to).unwrap()), WRITTEN);
    assert_eq!(columns(|to| relayout_static(&source, to)), WRITTEN);
    let by_type = columns(|to| {
        StaticPlan::<Source, Columns>::new()
            .run(source.memory(), to.memory_mut())
            .unwrap();
    });
    assert_eq!(by_type, WRITTEN);
    // The value is checked all the same.
    let plan = Plan::new(source.layout(), &layout).unwrap();
    assert!(matches!(
        plan.fill_padding(7_u8),
        Err(RelayoutError::Padding { .. })
    ));
}

/// Elements that are packed into bytes: the other bits of a byte are canaries, too.
#[test]
fn no_plan_fills_the_gaps_of_a_packed_slice() {
    type PackedView = SliceLayout<
        StaticLayout<
            dtype::u4,
            (Nat<2>, Nat<3>),
            Order10,
            (ElementWidth<4>, Padded<(Nat<2>, Nat<5>)>),
        >,
    >;
    let source: DynLayout = "u4[2,3]{1,0}".parse().unwrap();
    let plan = Plan::new(&source, &PackedView::NEW).unwrap();
    let plan = plan.fill_padding(0_u8).unwrap();
    let mut out = vec![0xff; plan.buffers().1];
    plan.run_bytes(&[1, 2, 3, 4, 5, 6], &mut out).unwrap();
    assert_eq!(out, [0x21, 0xf3, 0x4f, 0x65]);
    let mut out = vec![0xff; plan.buffers().1];
    plan.chunks_bytes(&[1, 2, 3, 4, 5, 6], &mut out, 3)
        .unwrap()
        .for_each(|chunk| chunk.run());
    assert_eq!(out, [0x21, 0xf3, 0x4f, 0x65]);
}

/// A plan that fills the padding of a layout does not run on a slice, and says why.
#[test]
fn a_plan_for_a_padded_layout_is_none_for_a_slice() {
    // All of a dimension: the slice has the places of the padded layout.
    type Wide = StaticLayout<i32, (Nat<2>, Nat<4>), Order10, (Padded<(Nat<2>, Nat<4>)>,)>;
    let source = Array::<i32, Whole>::zeros(Whole::NEW).unwrap();
    let plan = Plan::new(&Whole::NEW, &Wide::NEW).unwrap();
    let mut whole = Array::new(Whole::NEW, vec![CANARY; 8]).unwrap();
    let mut slice = whole.as_view_mut().into_const_slice::<1, 0, 4>();
    assert_eq!(slice.layout().buffer_len(), Wide::NEW.buffer_len());
    assert_eq!(
        plan.run_views(&source, &mut slice).unwrap_err().to_string(),
        "the destination is a slice s32[2,4]{1,0}, padded_dimensions = [2, 4], but the plan was \
         made for s32[2,4]{1,0}, padded_dimensions = [2, 4]; make a plan for it by `Plan::new`, or use \
         `relayout`"
    );
    // As a source it is: nothing is written there.
    let slice = source.as_view().into_const_slice::<1, 0, 4>();
    let plan = Plan::new(&Wide::NEW, &Whole::NEW).unwrap();
    plan.run_views(&slice, &mut whole).unwrap();
    assert_eq!(whole.memory(), source.memory());
}

/// A slice and the padded layout of its shape lie differently in memory: a plan for one refuses the
/// other.
#[test]
fn a_plan_tells_slices_from_padded_layouts() {
    assert_eq!(Columns::NEW.array_shape(), Twin::NEW.array_shape());
    let source = source();
    let mut twin = Array::<i32, Twin>::zeros(Twin::NEW).unwrap();
    let of_twin = Plan::new(source.layout(), twin.layout()).unwrap();
    of_twin.run_views(&source, &mut twin).unwrap();
    assert_eq!(twin.memory(), [1, 2, 0, 0, 3, 4, 0, 0]);
    let whole = SliceView::new(Whole::NEW, &WRITTEN[..]).unwrap();
    let slice = whole.into_const_slice::<1, 2, 2>();
    let mut out = Array::zeros(Source::NEW).unwrap();
    let from_twin = Plan::new(twin.layout(), out.layout()).unwrap();
    let from_slice = Plan::new(slice.layout(), out.layout()).unwrap();
    from_twin.run_views(&twin, &mut out).unwrap();
    assert_eq!(out.memory(), source.memory());
    from_slice.run_views(&slice, &mut out).unwrap();
    assert_eq!(out.memory(), source.memory());
    let refused = |copied: Result<(), RelayoutError>| {
        assert!(matches!(copied, Err(RelayoutError::OtherLayout { .. })));
    };
    refused(from_twin.run_views(&slice, &mut out));
    refused(from_slice.run_views(&twin, &mut out));
}

/// In place the elements of a slice stay where its elements are.
#[test]
fn a_slice_in_place() {
    type Rows =
        SliceLayout<StaticLayout<i32, (Nat<3>, Nat<3>), Order10, (Padded<(Nat<3>, Nat<5>)>,)>>;
    type Turned =
        SliceLayout<StaticLayout<i32, (Nat<3>, Nat<3>), Order01, (Padded<(Nat<5>, Nat<3>)>,)>>;
    let mut memory: Vec<i32> = (0..13).collect();
    relayout_in_place(&mut memory, &Rows::NEW, &Turned::NEW).unwrap();
    assert_eq!(memory, [0, 5, 10, 3, 4, 1, 6, 11, 8, 9, 2, 7, 12]);
    // 8 places, of which the slice has 6 elements: nothing else is written, and nothing at all.
    type Slice =
        SliceLayout<StaticLayout<u8, (Nat<2>, Nat<3>), Order10, (Padded<(Nat<2>, Nat<5>)>,)>>;
    type Backwards = StaticLayout<u8, (Nat<2>, Nat<3>), Order01, (Padded<(Nat<2>, Nat<4>)>,)>;
    let mut memory: Vec<u8> = (0..8).collect();
    let refused = relayout_in_place(&mut memory, &Slice::NEW, &Backwards::NEW);
    assert_eq!(refused, Err(RelayoutError::OutsideSlice));
    assert_eq!(memory, (0..8).collect::<Vec<u8>>());
    assert_eq!(
        refused.unwrap_err().to_string(),
        "the array is a slice, and some of its elements would take places of the rest of the \
         sliced array; copy to another buffer"
    );
    // The padded layout of the same memory may: its padding is its own.
    type Owner = StaticLayout<u8, (Nat<2>, Nat<3>), Order10, (Padded<(Nat<2>, Nat<4>)>,)>;
    relayout_in_place(&mut memory, &Owner::NEW, &Backwards::NEW).unwrap();
    assert_eq!(memory[..6], [0, 4, 1, 5, 2, 6]);
}

/// Elements that differ from the canary and from each other.
fn number(index: &[usize]) -> u16 {
    index
        .iter()
        .fold(1, |sum, &coordinate| 20 * sum + coordinate as u16)
}

/// Copies to a slice by every plan, and compares all of the array that was sliced.
fn check<L: ArrayLayout<Type = u16>>(whole: &[u16], first: usize, slice: &L) {
    let sizes = slice.shape();
    let texts: Vec<_> = sizes.as_ref().iter().map(usize::to_string).collect();
    let dense: DynLayout = format!("u16[{}]", texts.join(",")).parse().unwrap();
    let source = Array::from_fn(dense.clone(), |index| number(index.as_ref())).unwrap();
    let mut expected = whole.to_vec();
    slice.for_each_in_memory(|index, linear| expected[first + linear] = number(index.as_ref()));
    let plan = Plan::new(&dense, slice).unwrap();
    for plan in [
        plan.clone().fill_padding(999_u16).unwrap(),
        plan.clone()
            .with_measurement("packed, streamed".parse().unwrap()),
        plan.clone()
            .with_measurement("lines 4 x 8 direct, streamed".parse().unwrap()),
        plan,
    ] {
        let mut found = whole.to_vec();
        plan.run(source.memory(), &mut found[first..][..slice.buffer_len()])
            .unwrap();
        assert_eq!(found, expected, "{plan}");
        let mut found = whole.to_vec();
        let to = &mut found[first..][..slice.buffer_len()];
        let chunks: Vec<_> = plan.chunks(source.memory(), to, 5).unwrap().collect();
        chunks.into_iter().rev().for_each(|chunk| chunk.run());
        assert_eq!(found, expected, "{plan}");
    }
    // There and back.
    let mut back = Array::zeros(dense.clone()).unwrap();
    Plan::new(slice, &dense)
        .unwrap()
        .run(&expected[first..][..slice.buffer_len()], back.memory_mut())
        .unwrap();
    assert_eq!(back.memory(), source.memory());
}

/// Where a slice's memory begins in the memory of the whole, in elements.
fn first_of(whole: &[u16], slice: &[u16]) -> usize {
    (slice.as_ptr().addr() - whole.as_ptr().addr()) / 2
}

proptest! {
    #![proptest_config(crate::support::config())]

    /// Slices of one dimension, and slices of those.
    #[test]
    fn random_slices(
        (a, b) in (0..40_usize, 0..40_usize),
        (c, d) in (0..9_usize, 0..9_usize),
    ) {
        type Rows = StaticLayout<u16, (Nat<9>, Nat<40>), Order10, ()>;
        type Columns = StaticLayout<u16, (Nat<40>, Nat<9>), Order01, ()>;
        type Middle = StaticLayout<u16, (Nat<3>, Nat<9>, Nat<40>), MinorToMajor<(Nat<2>, Nat<0>, Nat<1>)>, ()>;
        let range = |a: usize, b: usize| a.min(b)..a.max(b);
        let whole = vec![0xffff_u16; 1080];
        let rows = SliceView::new(Rows::NEW, &whole[..360]).unwrap();
        let slice = rows.into_slice::<1>(range(a, b)).unwrap();
        check(&whole, first_of(&whole, slice.memory()), slice.layout());
        let slice = slice.into_slice::<0>(range(c, d)).unwrap();
        check(&whole, first_of(&whole, slice.memory()), slice.layout());
        let columns = SliceView::new(Columns::NEW, &whole[..360]).unwrap();
        let slice = columns.into_slice::<0>(range(a, b)).unwrap();
        check(&whole, first_of(&whole, slice.memory()), slice.layout());
        let middle = SliceView::new(Middle::NEW, &whole[..]).unwrap();
        let slice = middle.into_slice::<2>(range(a, b)).unwrap();
        let slice = slice.into_slice::<0>(range(c % 4, d % 4)).unwrap();
        check(&whole, first_of(&whole, slice.memory()), slice.layout());
    }

    /// In place between two slices, and from a slice to a padded layout: the elements arrive and
    /// nothing else changes, or it is an error and nothing changes.
    #[test]
    fn random_slices_in_place(rows in 0..7_usize, columns in 0..7_usize) {
        type Rows = StaticLayout<u8, (Nat<7>, Nat<7>), Order10, ()>;
        type Columns = StaticLayout<u8, (Nat<7>, Nat<7>), Order01, ()>;
        let whole = [0_u8; 49];
        let of_rows = SliceView::new(Rows::NEW, &whole[..]).unwrap();
        let of_rows = of_rows.into_slice::<1>(..columns).unwrap().into_slice::<0>(..rows).unwrap();
        let of_columns = SliceView::new(Columns::NEW, &whole[..]).unwrap();
        let of_columns =
            of_columns.into_slice::<0>(..rows).unwrap().into_slice::<1>(..columns).unwrap();
        check_in_place(of_rows.layout(), of_columns.layout());
        check_in_place(of_columns.layout(), of_rows.layout());
        let text = format!("u8[{rows},{columns}]{{0,1:L({})}}", of_rows.layout().buffer_len().max(1));
        let dense: DynLayout = text.parse().unwrap();
        check_in_place(of_rows.layout(), &dense);
    }
}

fn check_in_place(from: &impl ArrayLayout, to: &impl ArrayLayout) {
    let before: Vec<u8> = (0..from.bytes() as u8).map(|byte| 100 + byte).collect();
    let mut found = before.clone();
    let done = relayout_bytes_in_place(&mut found, from, to);
    if let Err(error) = done {
        let known = matches!(
            error,
            RelayoutError::OutsideSlice | RelayoutError::InPlace { .. }
        );
        assert!(known, "{error}");
        assert_eq!(found, before);
        return;
    }
    let mut expected = before.clone();
    for index in crate::support::indices(from.shape().as_ref()) {
        let (Some(old), Some(new)) = (linear(from, index.as_ref()), linear(to, index.as_ref()))
        else {
            panic!("{index:?} is in bounds");
        };
        expected[new] = before[old];
    }
    assert_eq!(found, expected);
}

/// The linear index, for coordinates of any type.
fn linear<L: ArrayLayout>(layout: &L, index: &[usize]) -> Option<usize> {
    let mut found = None;
    layout.for_each_in_memory(|at, linear| {
        if at.as_ref() == index {
            found = Some(linear);
        }
    });
    found
}
