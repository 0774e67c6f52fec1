//! Layouts that types fix, in whole or in part. Types cannot be drawn at random: there is a list of
//! them, and the parts and the sizes of `?` are random.

use xlayout::types::{Nat, StaticDimensions, nat};
use xlayout::{Array, ArrayLayout, ConstLayout, SliceView, SliceViewMut, layout};
use xlayout_relayout::relayout_static;

use crate::blocks::{in_blocks, in_rows};
use crate::check::{Value, check_array};
use crate::coverage::seen_type;
use crate::kinds::{cells_of, whole};
use crate::packed::of_packed;
use crate::parts::{broadcast, read_parts, write_parts};
use crate::random::Case;
use crate::trail;

/// An array of a layout, without memory of its own.
fn numbered<L: ArrayLayout>(layout: &L) -> Vec<i32> {
    (0..cells_of(layout).memory).map(i32::at).collect()
}

/// Any layout of `s32`.
fn any<L>(layout: L, case: &mut Case)
where
    L: ArrayLayout<Type = xlayout::dtype::s32>,
{
    trail(|| layout.array_shape().to_string());
    let cells = cells_of(&layout);
    whole::<_, i32>(&layout, &cells, case);
}

/// Copies between two layouts that types fix.
fn pair<A, B>(_: &mut Case)
where
    A: ConstLayout<Type = xlayout::dtype::s32>,
    B: ConstLayout<Type = xlayout::dtype::s32>,
{
    trail(|| format!("{} to {}", A::NEW.array_shape(), B::NEW.array_shape()));
    let from = cells_of(&A::NEW);
    let to = cells_of(&B::NEW);
    let source =
        SliceView::new(A::NEW, &*numbered(&A::NEW).leak()).expect("the model knows the length");
    let mut target = Array::new(B::NEW, vec![-1; to.memory]).expect("the model knows the length");
    relayout_static(&source, &mut target);
    let mut expected = vec![-1; to.memory];
    for (&place, &source) in to.places.iter().zip(&from.places) {
        expected[place] = i32::at(source);
    }
    assert_eq!(target.memory(), expected);
    seen_type::<A>("copied from");
    seen_type::<B>("copied to");
}

/// The blocks of arrays whose types say that they have blocks.
macro_rules! blocks {
    ($layout:expr, $block:ty, $case:expr) => {{
        let layout = $layout;
        trail(|| layout.array_shape().to_string());
        let cells = cells_of(&layout);
        let mut array = Array::new(layout, numbered(&layout)).expect("the model knows the length");
        let count = array.tiles(<$block>::NEW).len();
        in_blocks::<$block, _, _, 2>(&mut array, &cells, $case);
        assert_eq!(array.tiles_mut(<$block>::NEW).len(), count);
        let layout = array.layout().clone();
        let mut array = Array::new(layout, numbered(&layout)).expect("the model knows the length");
        in_rows(&mut array, &cells, $case);
    }};
}

/// A range of a dimension, as a layout of its own, to read and to write.
macro_rules! slice {
    ($layout:expr, $dim:literal, $case:expr) => {{
        let layout = $layout;
        let cells = cells_of(&layout);
        let case = $case;
        let range = case.range(cells.sizes[$dim]);
        trail(|| format!("{}, {range:?} of dimension {}", layout.array_shape(), $dim));
        let mut memory = numbered(&layout);
        let part = cells.with($dim, &range.clone().collect::<Vec<_>>());
        let view = SliceView::new(layout.clone(), &memory[..]).expect("the model knows the length");
        if let Ok(slice) = view.into_slice::<$dim>(range.clone()) {
            of_layout_seen(&layout);
            read_parts(&slice, &part, case, 2);
            broadcast(&slice, &part, case);
            // A slice of a slice.
            let rows = case.range(part.sizes[0]);
            if let Ok(slice) = slice.into_slice::<0>(rows.clone()) {
                of_layout_seen(view.layout());
                read_parts(&slice, &part.with(0, &rows.collect::<Vec<_>>()), case, 1);
            }
            let mut expected = memory.clone();
            let view =
                SliceViewMut::new(layout, &mut memory[..]).expect("the model knows the length");
            let mut slice = view.into_slice::<$dim>(range).expect("as above");
            let put = write_parts(&mut slice, &part, case, 2);
            put.into_iter()
                .for_each(|(place, value)| expected[place] = value);
            assert_eq!(memory, expected);
        }
    }};
}

fn of_layout_seen<L: ArrayLayout>(_: &L) {
    seen_type::<L>("slice");
}

/// The dimensions of a matrix in another sequence, and with one more of size 1.
macro_rules! rearranged {
    ($layout:expr) => {{
        let layout = $layout;
        let cells = cells_of(&layout);
        let memory = numbered(&layout);
        let view = SliceView::new(layout, &memory[..]).expect("the model knows the length");
        let [m, n] = view.layout().shape();
        check_array(&view.permute(nat![1, 0]), &cells.permuted(&[1, 0]));
        check_array(&view.insert_unit::<1>(), &cells.reshaped(vec![m, 1, n]));
        check_array(&view.insert_unit::<1>().delete_unit::<1>(), &cells);
        seen_rearranged(view.layout());
    }};
}

fn seen_rearranged<L: ArrayLayout>(_: &L) {
    seen_type::<L>("transpose");
}

/// A reshape that the compiler checks.
macro_rules! reshaped {
    ($from:expr, $to:ty, [$($size:literal),*]) => {{
        let layout = $from;
        let cells = cells_of(&layout);
        let memory = numbered(&layout);
        let view = SliceView::new(layout, &memory[..]).expect("the model knows the length");
        let reshaped = view.reshape(<$to>::NEW);
        check_array(&reshaped, &cells.reshaped(vec![$($size),*]));
        seen_reshaped(view.layout());
    }};
}

fn seen_reshaped<L: ArrayLayout>(_: &L) {
    seen_type::<L>("reshape");
}

/// One of the list.
pub(crate) fn typed(case: &mut Case) {
    let all: &[fn(&mut Case)] = &[
        |case| any(layout!(s32[]), case),
        |case| {
            let layout = layout!(s32[1,6]{1,0:T(2,4)});
            any(layout, case);
            broadcast(
                &Array::new(layout, numbered(&layout)).expect("it is long enough"),
                &cells_of(&layout),
                case,
            );
        },
        |case| {
            let layout = layout!(s32[?,3])([case.below(3), 3]).expect("it is small");
            let array = Array::new(layout, numbered(&layout)).expect("it is long enough");
            broadcast(&array, &cells_of(&layout), case);
        },
        |case| {
            let layout = layout!(s32[4,6]{1,0:T(2,4)});
            let array = Array::new(layout, numbered(&layout)).expect("it is long enough");
            array.branded(|view| read_parts(&view.as_view(), &cells_of(&layout), case, 1));
        },
        |case| any(layout!(s32[4,6]{0,1:T(4,2)(2,1)L(7)S(1)M(8)}), case),
        |case| any(layout!(s32[3,4]{0,1:T(3,1)(2)(*,2,1)}), case),
        |case| {
            any(
                layout!(s32[2,3,4] <1,2,0>, padded_dimensions = [2, 4, 5]),
                case,
            )
        },
        |case| {
            any(
                layout!(s32[?,6]{1,0:T(2,4)})([case.below(6), 6]).expect("it is small"),
                case,
            )
        },
        |case| {
            any(
                layout!(s32[?M,1,?N]{0,2,1})([case.below(4), 1, case.below(5)])
                    .expect("it is small"),
                case,
            )
        },
        |case| {
            any(
                layout!(s32[3,?]{0,1:T(2)(2,3)})([3, case.below(8)]).expect("it is small"),
                case,
            )
        },
        pair::<layout!(s32[4,6]{0,1:T(2,4)}), layout!(s32[4,6]{1,0:T(4,2)(2,1)})>,
        pair::<layout!(s32[3,4]{0,1:T(3,1)(2)(*,2,1)}), layout!(s32[3,4]{1,0:T(2,2)})>,
        pair::<layout!(s32[30,40]{1,0:T(8,128)}), layout!(s32[30,40], padded_dimensions = [31, 45])>,
        |case| blocks!(layout!(s32[8,9]{0,1}), (Nat<4>, Nat<2>), case),
        |case| blocks!(layout!(s32[8,9]{0,1:T(2,4)}), (Nat<4>, Nat<2>), case),
        |case| blocks!(layout!(s32[8,9]{0,1:T(4,4)(2,1)}), (Nat<4>, Nat<4>), case),
        |case| {
            blocks!(
                layout!(s32[?,6]{1,0:T(2,2)})([case.below(6), 6]).expect("it is small"),
                (Nat<2>, Nat<2>),
                case
            )
        },
        |case| {
            blocks!(
                layout!(s32[?,6]{1,0})([case.below(6), 6]).expect("it is small"),
                (Nat<2>, Nat<2>),
                case
            )
        },
        |case| slice!(layout!(s32[4,6]{1,0}), 1, case),
        |case| slice!(layout!(s32[6,4]{1,0:T(2,4)}), 0, case),
        |case| {
            slice!(
                layout!(s32[?,6]{1,0})([case.below(6), 6]).expect("it is small"),
                0,
                case
            )
        },
        |_| rearranged!(layout!(s32[4,6]{1,0:T(2,4)})),
        |_| rearranged!(layout!(s32[4,6], padded_dimensions = [5, 6])),
        |case| rearranged!(layout!(s32[?,6]{0,1})([case.below(6), 6]).expect("it is small")),
        |_| {
            reshaped!(
                layout!(s32[4,4]{1,0:T(2,2)}),
                layout!(s32[2,2,2,2]{3,1,2,0}),
                [2, 2, 2, 2]
            )
        },
        |_| reshaped!(layout!(s32[4,6]), layout!(s32[24]), [24]),
        |case| {
            let layout = layout!(s4[4,6]{1,0:T(2,4)E(4)});
            of_packed(&layout, &cells_of(&layout), case);
        },
        |case| {
            let layout = layout!(u2[?,8]{0,1:E(2)})([case.below(9), 8]).expect("it is small");
            of_packed(&layout, &cells_of(&layout), case);
        },
    ];
    case.pick(all)(case);
}
