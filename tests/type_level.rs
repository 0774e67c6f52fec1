//! Layouts and views made of others at the level of types: the laws of `types::rearrange`.

use std::any::TypeId;
use std::fmt::Debug;

use xlayout::types::{
    DeleteUnit, InsertUnit, Nat, Permute, Permuted, Rearrange, RunTime, SliceDimension,
    SliceLayout, Sliced, WithUnit, WithoutUnit,
};
use xlayout::{
    Array, ArrayBase, ArrayLayout, Bitcast, Borrowed, ConstLayout, DynLayout, LayoutError,
    PackedView, View, ViewMut, layout,
};

/// Whether two types are the same one.
fn same<A: 'static, B: 'static>() {
    assert_eq!(
        TypeId::of::<A>(),
        TypeId::of::<B>(),
        "{} is not {}",
        std::any::type_name::<A>(),
        std::any::type_name::<B>()
    );
}

/// Law 1: every element keeps its linear index, and there is no other element.
fn rearranged<A, How>(layout: &A, before: impl Fn(&[usize]) -> Vec<usize>)
where
    A: ArrayLayout + Rearrange<How>,
    A::Coordinates: for<'a> TryFrom<&'a [usize], Error: Debug>,
{
    let changed = layout.rearranged();
    assert_eq!(changed.buffer_len(), layout.buffer_len());
    assert_eq!(changed.elements(), layout.elements());
    assert_eq!(changed.element_bits(), layout.element_bits());
    changed.for_each_index(|index| {
        let old = before(index.as_ref());
        let old = A::Coordinates::try_from(&old[..]).expect("the rank is that of the layout");
        assert!(layout.in_bounds(&old));
        assert_eq!(changed.linear_index(index), layout.linear_index(&old));
    });
}

macro_rules! permutations {
    ($([$($a:tt)*] by $($p:literal)* is [$($b:tt)*];)*) => {$(
        type By = ($(Nat<$p>,)*);
        same::<Permuted<layout!($($a)*), By>, layout!($($b)*)>();
        rearranged::<_, Permute<By>>(&layout!($($a)*), |index| {
            let mut old = vec![0; index.len()];
            for (&to, &i) in [$($p),*].iter().zip(index) {
                let to: usize = to;
                old[to] = i;
            }
            old
        });
    )*};
}

#[test]
fn permutations_are_the_layouts_that_one_would_write() {
    macro_rules! one_by_one {
        ($($case:tt by $($p:literal)* is $b:tt;)*) => {$({ permutations!($case by $($p)* is $b;); })*};
    }
    one_by_one! {
        [f32[2,3]] by 1 0 is [f32[3,2]{0,1}];
        [f32[2,3]{0,1}] by 1 0 is [f32[3,2]{1,0}];
        [f32[2,3]] by 0 1 is [f32[2,3]];
        [f32[5]] by 0 is [f32[5]];
        [s8[2,3,4]] by 2 0 1 is [s8[4,2,3]{0,2,1}];
        [s8[2,3,4]] by 1 2 0 is [s8[3,4,2]{1,0,2}];
        [s8[2,3,4]{0,2,1}] by 2 1 0 is [s8[4,3,2]{2,0,1}];
        [bf16[4,6]{1,0:T(2,4)(2,1)}] by 1 0 is [bf16[6,4]{0,1:T(2,4)(2,1)}];
        [f32[3,4,6]{2,1,0:T(2,4)}] by 0 2 1 is [f32[3,6,4]{1,2,0:T(2,4)}];
        [f32[5,3,4]{2,1,0:T(*,8)}] by 2 0 1 is [f32[4,5,3]{0,2,1:T(*,8)}];
        [f32[2,3] <1,0>, padded_dimensions = [3, 5]] by 1 0 is [f32[3,2] <0,1>, padded_dimensions = [5, 3]];
        [f32[2,3]{1,0:L(8)S(1)}] by 1 0 is [f32[3,2]{0,1:L(8)S(1)}];
        [f32[8,4]{1,0:SC(0:4)}] by 1 0 is [f32[4,8]{0,1:SC(0:4)}];
        [f32[<=4,3]] by 1 0 is [f32[3,<=4]{0,1}];
        [f32[0,3]] by 1 0 is [f32[3,0]{0,1}];
        [u8[1,2,1,2,1,2,1,2]] by 7 0 6 1 5 2 4 3 is [u8[2,1,1,2,2,1,1,2]{0,2,4,6,7,5,3,1}];
        [u8[2,1,1,1,1,1,1,1,1,1,1,1,1,1,1,3]] by 15 14 13 12 11 10 9 8 7 6 5 4 3 2 1 0
            is [u8[3,1,1,1,1,1,1,1,1,1,1,1,1,1,1,2]{0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15}];
    }
    type Rows = layout!(f32[?,3]);
    same::<Permuted<Rows, (Nat<1>, Nat<0>)>, layout!(f32[3,?]{0,1})>();
    for n in [0, 1, 4] {
        let layout = layout!(f32[?,3,?]{1,2,0:T(2)})([n, 3, 5]).unwrap();
        rearranged::<_, Permute<(Nat<2>, Nat<0>, Nat<1>)>>(&layout, |i| vec![i[1], i[2], i[0]]);
        let rows = Rows::with_sizes([n, 3]).unwrap();
        assert_eq!(
            rows.rearranged_to::<Permute<(Nat<1>, Nat<0>)>>().sizes(),
            [3, n]
        );
    }
    // There and back.
    type A = layout!(bf16[16,24,8]{0,2,1:T(8,8)(2,1)});
    same::<Permuted<Permuted<A, (Nat<1>, Nat<2>, Nat<0>)>, (Nat<2>, Nat<0>, Nat<1>)>, A>();
}

/// `Rearrange::rearranged` with the change as an argument.
trait RearrangedTo: Sized {
    fn rearranged_to<How>(&self) -> Self::Layout
    where
        Self: Rearrange<How>,
    {
        self.rearranged()
    }
}
impl<L: ArrayLayout> RearrangedTo for L {}

#[test]
fn every_permutation_of_every_layout_of_rank_three() {
    macro_rules! each {
        ([$($order:tt)*] $permutations:tt) => { $(each!(@ $order $permutations);)* };
        (@ $order:tt [$($p:tt)*]) => { $(each!(one $order $p);)* };
        (one [$($o:literal)*] [$($p:literal)*]) => {
            each!(law [$($p)*] layout!(s8[2,3,4]{$($o),*}));
            each!(law [$($p)*] layout!(s8[2,3,4]{$($o),*:T(2,3)}));
            each!(law [$($p)*] layout!(s8[2,3,4]{$($o),*:T(4)(2,1)L(8)}));
            each!(law [$($p)*] layout!(s8[2,3,4] <$($o),*>, padded_dimensions = [3, 5, 4]));
            each!(law [$($p)*] layout!(s8[?,3,4]{$($o),*:T(2)})([2, 3, 4]).unwrap());
        };
        (law [$($p:literal)*] $layout:expr) => {
            rearranged::<_, Permute<($(Nat<$p>,)*)>>(&$layout, |index| {
                let mut old = vec![0; 3];
                for (to, &i) in [$($p),*].into_iter().zip(index) {
                    let to: usize = to;
                    old[to] = i;
                }
                old
            });
        };
    }
    each! {
        [[0 1 2] [0 2 1] [1 0 2] [1 2 0] [2 0 1] [2 1 0]]
        [[0 1 2] [0 2 1] [1 0 2] [1 2 0] [2 0 1] [2 1 0]]
    }
}

/// `layout!` of what is in brackets.
macro_rules! of {
    ([$($a:tt)*]) => { layout!($($a)*) };
}

/// Every range of every dimension: a slice lies where it should, or there is a reason for none.
#[test]
fn every_slice() {
    macro_rules! each {
        ($tile:literal: $($a:tt $($dim:literal)*;)*) => {$($({
            let layout = of!($a);
            let (size, whole) = (layout.sizes()[$dim], layout.shape());
            let mut found = 0;
            for (start, end) in (0..=size).flat_map(|end| (0..=end).map(move |start| (start, end))) {
                let places: Vec<i32> = (0..layout.buffer_len() as i32).collect();
                let view = View::new(&places[..], layout).unwrap();
                match view.try_slice::<$dim>(start..end) {
                    Ok(_) => found += 1,
                    Err(why) => {
                        let at_edge = |n: usize| n.is_multiple_of($tile);
                        let inside = !at_edge(start) || !at_edge(end) && end != size;
                        assert!(inside, "{whole} {} {start}..{end}: {why}", $dim);
                        continue;
                    }
                }
                sliced($dim, start, &layout, |places| {
                    let view = View::new(places, layout).unwrap();
                    let part = view.try_slice::<$dim>(start..end).unwrap();
                    (if start == end { 0 } else { first(part.memory()) }, *part.layout())
                });
            }
            assert!(found > size, "{whole}: {found}");
        })*)*};
    }
    each! { 1:
        [s32[5]] 0;
        [s32[3,4]] 0 1;
        [s32[3,4]{0,1}] 0 1;
        [s32[2,3,4]] 0 1 2;
        [s32[2,3,4]{1,2,0}] 0 1 2;
        [s32[2,3,4]{0,2,1}] 0 1 2;
        [s32[2,1,4]{0,2,1}] 0 1 2;
        [s32[2,2,2,3]{1,3,0,2}] 0 1 2 3;
        [s32[3,5]{1,0:T(2)}] 0;
    }
    each! { 1:
        [s32[3,4,5]{2,0,1:T(4,2)}] 1;
        [s32[9,3]{1,0:T(1,2)}] 0;
    }
    each! { 2:
        [s32[8,6]{1,0:T(2,2)}] 0;
        [s32[7,3]{1,0:T(2,2)}] 0;
        [s32[6,8]{0,1:T(2,2)}] 1;
    }
    each! { 4:
        [s32[9,4]{1,0:T(4,4)(2,1)}] 0;
        [s32[10]{0:T(4)}] 0;
        [s32[12]{0:T(4)(2)}] 0;
    }
}

#[test]
fn unit_dimensions() {
    macro_rules! insert {
        ($([$($a:tt)*] $dim:literal is [$($b:tt)*];)*) => {$(
            same::<WithUnit<layout!($($a)*), $dim>, layout!($($b)*)>();
            rearranged::<_, InsertUnit<$dim>>(&layout!($($a)*), |index| {
                let mut old = index.to_vec();
                assert_eq!(old.remove($dim), 0);
                old
            });
            // And back.
            same::<WithoutUnit<layout!($($b)*), $dim>, layout!($($a)*)>();
            delete::<layout!($($b)*)>();
            fn delete<L>()
            where
                L: ConstLayout + Rearrange<DeleteUnit<$dim>>,
                L::Coordinates: for<'a> TryFrom<&'a [usize], Error: Debug>,
            {
                rearranged::<L, DeleteUnit<$dim>>(&L::NEW, |index| {
                    let mut old = index.to_vec();
                    old.insert($dim, 0);
                    old
                });
            }
        )*};
    }
    macro_rules! one_by_one {
        ($($a:tt $dim:literal is $b:tt;)*) => {$({ insert!($a $dim is $b;); })*};
    }
    one_by_one! {
        [f32[2,3]] 0 is [f32[1,2,3]{2,1,0}];
        [f32[2,3]] 1 is [f32[2,1,3]{2,0,1}];
        [f32[2,3]] 2 is [f32[2,3,1]{1,0,2}];
        [f32[2,3]{0,1}] 1 is [f32[2,1,3]{0,2,1}];
        [f32[]] 0 is [f32[1]];
        [s8[7]] 0 is [s8[1,7]];
        [s8[7]] 1 is [s8[7,1]{0,1}];
        [f32[4,6]{1,0:T(2,4)}] 1 is [f32[4,1,6]{2,0,1:T(2,4)}];
        [f32[4,6]{1,0:T(2,4)}] 2 is [f32[4,6,1]{1,0,2:T(2,4)}];
        [f32[2,3] <0,1>, padded_dimensions = [3, 5]] 1 is [f32[2,1,3] <0,2,1>, padded_dimensions = [3, 1, 5]];
        [f32[2,3]{1,0:L(8)E(32)S(1)}] 0 is [f32[1,2,3]{2,1,0:L(8)E(32)S(1)}];
        [f32[<=4,3]] 0 is [f32[1,<=4,3]];
        [u8[2,1,1,1,1,1,1,1,1,1,1,1,1,1,3]] 15 is
            [u8[2,1,1,1,1,1,1,1,1,1,1,1,1,1,3,1]{14,13,12,11,10,9,8,7,6,5,4,3,2,1,0,15}];
    }
    // A unit dimension goes from wherever it is in memory.
    same::<WithoutUnit<layout!(f32[2,1,3]{1,2,0}), 1>, layout!(f32[2,3]{1,0})>();
    same::<WithoutUnit<layout!(f32[2,1,3]{1,0,2}), 1>, layout!(f32[2,3]{0,1})>();
    same::<WithoutUnit<layout!(f32[1,1,3]{1,0,2}), 0>, layout!(f32[1,3]{0,1})>();
    let rows = layout!(f32[?,3])([4, 3]).unwrap();
    rearranged::<_, InsertUnit<1>>(&rows, |i| vec![i[0], i[2]]);
    same::<WithUnit<layout!(f32[?,3]), 1>, layout!(f32[?,1,3]{2,0,1})>();
    rearranged::<_, DeleteUnit<1>>(&rows.rearranged_to::<InsertUnit<1>>(), |i| {
        vec![i[0], 0, i[1]]
    });
}

/// Law 2: every element of a slice lies where it lies in the whole, and nothing else is written.
fn sliced<A, S, const N: usize>(
    dim: usize,
    start: usize,
    layout: &A,
    part: impl Fn(&[i32]) -> (usize, S),
) where
    A: ArrayLayout<Coordinates = [usize; N]>,
    S: ArrayLayout<Coordinates = [usize; N]>,
{
    let places: Vec<i32> = (0..layout.buffer_len() as i32).collect();
    let (first, slice) = part(&places);
    let (mut count, mut expected) = (0, layout.sizes());
    expected[dim] = slice.sizes()[dim];
    assert_eq!(slice.sizes(), expected);
    assert!(first + slice.buffer_len() <= layout.buffer_len());
    slice.for_each_index(|index| {
        let mut old = *index;
        old[dim] += start;
        assert!(layout.in_bounds(&old));
        assert!(slice.linear_index(index) < slice.buffer_len());
        assert_eq!(first + slice.linear_index(index), layout.linear_index(&old));
        count += 1;
    });
    assert_eq!(count, slice.elements());
    let mut visited = 0;
    slice.for_each_in_memory(|index, linear| {
        assert_eq!(linear, slice.linear_index(index));
        assert_eq!(slice.multi_index(linear), Some(*index));
        visited += 1;
    });
    assert_eq!(visited, count);
}

/// Where a view begins in a memory that counts its places.
fn first(memory: &[i32]) -> usize {
    memory.first().map_or(0, |&first| first as usize)
}

macro_rules! slices {
    ($($a:tt $dim:literal: $($start:literal $len:literal),*;)*) => {$($(
        sliced($dim, $start, &of!($a), |places| {
            let view = View::new(places, of!($a)).unwrap();
            let part = view.slice::<$dim, $start, $len>();
            (first(part.memory()), *part.layout())
        });
        sliced($dim, $start, &of!($a), |places| {
            let view = View::new(places, of!($a)).unwrap();
            let part = view.try_slice_at::<$dim, $len>($start).unwrap();
            (first(part.memory()), *part.layout())
        });
    )*)*};
}

macro_rules! run_time_slices {
    ($($a:tt $dim:literal: $($start:literal $len:literal),*;)*) => {$($(
        sliced($dim, $start, &of!($a), |places| {
            let view = View::new(places, of!($a)).unwrap();
            let part = view.try_slice::<$dim>($start..$start + $len).unwrap();
            (first(part.memory()), *part.layout())
        });
    )*)*};
}

#[test]
fn slices_lie_in_the_whole() {
    macro_rules! both {
        ($($t:tt)*) => { slices!($($t)*); run_time_slices!($($t)*); };
    }
    both! {
        [s32[3,4]] 0: 0 3, 0 1, 1 2, 2 1, 1 1, 3 0, 0 0;
        [s32[3,4]] 1: 0 4, 0 1, 1 2, 3 1, 2 2, 4 0;
        [s32[3,4]{0,1}] 0: 0 3, 1 2, 2 1;
        [s32[3,4]{0,1}] 1: 0 4, 1 2, 3 1;
        [s32[5]] 0: 0 5, 2 2, 4 1;
        [s32[2,3,4]] 1: 0 3, 1 1, 1 2, 2 1;
        [s32[2,3,4]{0,2,1}] 2: 0 4, 1 3;
        [s32[2,3,4]{0,2,1}] 1: 2 1, 0 2;
        [s32[1,3]] 0: 0 1;
        [s32[6,3]{1,0:T(2,2)}] 0: 0 2, 2 2, 2 4, 4 2, 0 6;
        [s32[5,3]{1,0:T(2,2)}] 0: 0 2, 2 2, 4 1, 2 3, 0 5;
        [s32[7,3]{0,1:T(2)}] 1: 1 2, 0 1, 2 1;
        [s32[7,4]{1,0:T(4,4)(2,1)}] 0: 0 4, 4 3;
        [s32[3,4]{1,0:S(1)}] 1: 1 2;
    }
    slices! {
        [s32[3,4] <1,0>, padded_dimensions = [4, 6]] 1: 0 4, 1 2, 3 1;
        [s32[3,4] <1,0>, padded_dimensions = [4, 6], padding_value = one] 0: 0 3, 1 2;
        [s32[3,4] <0,1>, padded_dimensions = [4, 6]] 1: 1 2, 0 4;
        [s32[<=3,4]] 1: 1 2;
    }
    same::<Sliced<layout!(f32[24,256]{1,0:T(8,128)}), 0, 8>, layout!(f32[8,256]{1,0:T(8,128)})>();
    same::<Sliced<layout!(f32[3,4]{0,1}), 1, 2>, layout!(f32[3,2]{0,1})>();
    same::<
        Sliced<layout!(f32[3,4]), 1, 2>,
        SliceLayout<layout!(f32[3,2] <1,0>, padded_dimensions = [3, 4])>,
    >();
    same::<<layout!(f32[3,4]) as SliceDimension<0, RunTime>>::Layout, layout!(f32[?,4])>();
    same::<<layout!(f32[?,4]) as SliceDimension<0, RunTime>>::Layout, layout!(f32[?,4])>();
    // A part of a part.
    for (y, x) in (0..2).flat_map(|y| (0..2).map(move |x| (y, x))) {
        let data: Vec<i32> = (0..24).collect();
        let view = View::new(&data[..], layout!(s32[4,6])).unwrap();
        let part = view
            .slice::<1, 2, 3>()
            .slice::<0, 1, 2>()
            .slice::<1, 1, 2>();
        assert_eq!(part[[y, x]], view[[y + 1, x + 3]]);
        let part = view
            .try_slice::<1>(2..5)
            .unwrap()
            .try_slice::<0>(1..3)
            .unwrap();
        assert_eq!(part[[y, x]], view[[y + 1, x + 2]]);
    }
    // A part without a gap is an array like any other.
    const { assert!(Bitcast::<Sliced<layout!(f32[1,8,3]), 1, 4>, layout!(f32[4,3])>::IS_RESHAPE) };
    const {
        assert!(!Bitcast::<Sliced<layout!(f32[2,8,3]), 1, 4>, layout!(f32[2,4,3])>::IS_RESHAPE);
    }
}

#[test]
fn slices_of_run_time_sizes() {
    for rows in 0..5 {
        let layout = layout!(s32[?,3]{1,0})([rows, 3]).unwrap();
        for (start, end) in (0..=rows).flat_map(|end| (0..=end).map(move |start| (start, end))) {
            sliced(0, start, &layout, |places| {
                let view = View::new(places, layout).unwrap();
                let part = view.try_slice::<0>(start..end).unwrap();
                let len = part.memory().len();
                assert_eq!(len, 3 * (end - start));
                // Where nothing is left the layout alone says where.
                (
                    if len == 0 { 0 } else { first(part.memory()) },
                    *part.layout(),
                )
            });
        }
    }
    let tiled = layout!(s32[?,3]{1,0:T(2,2)})([5, 3]).unwrap();
    let data = vec![0; tiled.buffer_len()];
    let view = View::new(&data[..], tiled).unwrap();
    let message =
        |found: Result<_, LayoutError>| found.map(drop::<ArrayBase<_, _>>).unwrap_err().to_string();
    assert_eq!(
        message(view.try_slice::<0>(1..4)),
        "a slice of dimension 0 cannot begin at 1, inside a tile; begin it at 0 or 2"
    );
    assert_eq!(
        message(view.try_slice::<0>(2..3)),
        "a slice of dimension 0 cannot end at 3, inside a tile; end it at 4, or where a tile before it ends"
    );
    assert_eq!(
        message(view.try_slice::<0>(..=5)),
        "a slice of dimension 0 from 0 to 6 is out of bounds: the dimension has size 5"
    );
    #[expect(clippy::reversed_empty_ranges, reason = "a mistake")]
    let backwards = view.try_slice::<0>(3..2);
    assert!(message(backwards).contains("from 3 to 2 is out of bounds"));
    assert!(view.try_slice::<0>(usize::MAX..).is_err());
    assert!(view.try_slice::<0>(..=usize::MAX).is_err());
    assert!(view.try_slice::<0>(2..).is_ok() && view.try_slice::<0>(4..5).is_ok());
}

#[test]
fn slices_that_would_allocate_what_is_not_theirs_have_no_layout() {
    // The tail alignment of the part would reach behind the whole.
    let data = [0; 16];
    let view = View::new(&data[..], layout!(s32[3,4]{1,0:L(16)})).unwrap();
    let found = view.try_slice_at::<0, 1>(2).map(|_| ()).unwrap_err();
    assert!(
        found.to_string().contains("no layout of its own"),
        "{found}"
    );
    // Padding of the part would be elements of the whole, even where that is one row of tiles.
    let tiles = View::new(&data[..], layout!(s32[4,4]{1,0:T(4,2)})).unwrap();
    let found = tiles.try_slice_at::<0, 2>(0).map(|_| ()).unwrap_err();
    assert!(found.to_string().contains("end it at 4"), "{found}");
    assert!(tiles.try_slice::<0>(..3).is_err() && tiles.try_slice::<0>(..4).is_ok());
    let split = View::new(&data[..], layout!(s32[4,4]{1,0:SC(0:1)})).unwrap();
    assert!(split.try_slice_at::<0, 2>(0).is_err());
}

#[test]
fn what_is_written_to_a_part_is_written_to_the_whole() {
    let mut array = Array::from_fn(layout!(s32[4,6]), |&[y, x]| (10 * y + x) as i32).unwrap();
    let mut middle = array.as_view_mut().slice::<0, 1, 2>().slice::<1, 2, 3>();
    middle.for_each_mut(|_, slot| *slot = -*slot);
    middle[[0, 0]] = 99;
    // The gaps are other elements, which no padding fills.
    middle.fill_padding();
    let expected = |y: usize, x: usize| match (y, x) {
        (1, 2) => 99,
        (1..3, 2..5) => -((10 * y + x) as i32),
        _ => (10 * y + x) as i32,
    };
    array.for_each(|&[y, x], &value| assert_eq!(value, expected(y, x), "{y} {x}"));
    // Owned arrays keep their memory and change their shape.
    let owned = array
        .permute::<(Nat<1>, Nat<0>)>()
        .insert_unit::<1>()
        .delete_unit::<1>();
    assert_eq!(owned[[2, 1]], 99);
    let typed: &Array<i32, layout!(s32[6,4]{0,1})> = &owned;
    assert_eq!(typed.memory()[8], 99);
}

#[test]
fn packed_arrays_change_their_shape() {
    let bytes: Vec<u8> = vec![0x10, 0x32, 0x54];
    let view = PackedView::new(&bytes[..], layout!(s4[2,3]{1,0:E(4)})).unwrap();
    let transposed = view.permute::<(Nat<1>, Nat<0>)>();
    for (y, x) in (0..2).flat_map(|y| (0..3).map(move |x| (y, x))) {
        assert_eq!(transposed.get(&[x, y]), view.get(&[y, x]));
    }
}

/// A product by columns of `b`, whose three sizes follow from what is passed.
fn matmul<const M: usize, const K: usize, const N: usize>(
    a: View<'_, f32, layout!(f32[M,K]{1,0})>,
    b: View<'_, f32, layout!(f32[K,N]{0,1})>,
    mut out: ViewMut<'_, f32, layout!(f32[M,N])>,
) {
    // The transpose of `b` is row-major, as `a` is.
    let b: View<'_, f32, layout!(f32[N,K]{1,0})> = b.permute::<(Nat<1>, Nat<0>)>();
    let a = a.insert_unit::<0>();
    for i in 0..M {
        for j in 0..N {
            out[[i, j]] = (0..K).map(|k| a[[0, i, k]] * b[[j, k]]).sum();
        }
    }
}

/// A kernel that takes its blocks from whatever it is given.
fn sum_of_rows<S: Borrowed<Item = f32>, const M: usize, const N: usize>(
    rows: ArrayBase<S, layout!(f32[M,N]{1,0})>,
) -> f32 {
    let first = rows.slice::<0, 0, 2>();
    let mut sum = 0.0;
    first.for_each(|_, &value| sum += value);
    sum
}

#[test]
fn generic_functions_infer_the_sizes() {
    let a = Array::from_fn(layout!(f32[2,3]), |&[i, k]| (1 + i + 2 * k) as f32).unwrap();
    let b = Array::from_fn(layout!(f32[3,4]{0,1}), |&[k, j]| (1 + 3 * k + j) as f32).unwrap();
    let mut out = Array::zeros(layout!(f32[2,4])).unwrap();
    matmul(a.as_view(), b.as_view(), out.as_view_mut());
    for (i, j) in (0..2).flat_map(|i| (0..4).map(move |j| (i, j))) {
        let expected: f32 = (0..3).map(|k| a[[i, k]] * b[[k, j]]).sum();
        assert_eq!(out[[i, j]], expected);
    }
    // A reshape to parameters that are found from elsewhere.
    let flat = a.as_view().reshape::<layout!(f32[6])>();
    assert_eq!(flat[[4]], a[[1, 1]]);
    assert_eq!(sum_of_rows(a.as_view()), 1.0 + 3.0 + 5.0 + 2.0 + 4.0 + 6.0);
}

/// A slice of a layout that only the run time knows is the part, or is refused for a reason.
#[test]
fn slices_of_run_time_layouts() {
    fn parts<const DIM: usize>(text: &str) -> usize {
        let layout: DynLayout = text.parse().expect("a layout");
        let data: Vec<i32> = (0..layout.buffer_len() as i32).collect();
        let view = View::new(&data[..], layout.clone()).expect("as long as the layout says");
        let size = layout.sizes().as_ref()[DIM];
        let mut found = 0;
        for start in 0..=size {
            for end in start..=size {
                let Ok(part) = view.as_view().try_slice::<DIM>(start..end) else {
                    assert!((start, end) != (0, size), "{text}: the whole is a part");
                    continue;
                };
                found += 1;
                assert_eq!(part.layout().sizes().as_ref()[DIM], end - start);
                part.layout().for_each_index(|index| {
                    let mut whole = index.clone();
                    whole.as_mut()[DIM] += start;
                    assert_eq!(part.get(index), view.get(&whole), "{text} {start}..{end}");
                });
            }
        }
        found
    }
    // All 15 parts of 4 steps where they are together; only the whole and the 5 empty ones
    // elsewhere.
    assert_eq!(parts::<0>("s32[4,3]{1,0}"), 15);
    assert_eq!(parts::<1>("s32[4,4]{1,0}"), 1);
    assert_eq!(parts::<1>("s32[3,4]{0,1}"), 15);
    assert_eq!(parts::<1>("s32[1,4]{1,0}"), 15);
    assert_eq!(parts::<0>("s32[4]{0:T(2)}"), 9);
    assert_eq!(parts::<0>("s32[4,3]{1,0:T(2,2)}"), 8);
    assert_eq!(parts::<0>("s32[<=4,3]{1,0}"), 15);
    assert_eq!(parts::<0>("s32[4,3]{1,0}, padded_dimensions = [5, 4]"), 15);
    assert_eq!(parts::<0>("s32[4,3]{1,0:L(16)}"), 6);

    let layout: DynLayout = "s32[2]".parse().expect("a layout");
    let view = View::new(&[0, 1][..], layout).expect("as long as the layout says");
    assert_eq!(
        view.as_view()
            .try_slice::<7>(..)
            .map(|_| ())
            .map_err(|error| error.to_string()),
        Err(
            "there is no dimension 7 to slice: the layout has rank 1, and dimensions count from 0"
                .into()
        )
    );
    assert_eq!(
        view.as_view().try_slice_at::<0, 1>(1).map(|part| part[[0]]),
        Ok(1)
    );
    assert_eq!(
        view.try_slice_at::<0, { usize::MAX }>(1)
            .map(|_| ())
            .map_err(|error| error.to_string()),
        Err(format!(
            "a slice of dimension 0 from 1 to {} is out of bounds: the dimension has size 2",
            usize::MAX
        ))
    );
}

/// A run-time size must have room for the splits, as it must in a `DynLayout` (law 3).
#[test]
fn splits_are_checked_against_run_time_sizes() {
    type Split = layout!(f32[?,4]{1,0:SC(0:2)});
    let pattern: xlayout::ArrayShape = "f32[?,4]{1,0:SC(0:2)}".parse().unwrap();
    for rows in 0..6 {
        let typed = Split::with_sizes([rows, 4]);
        let dynamic = xlayout::DynLayout::with_sizes(&pattern, &[rows, 4]);
        assert_eq!(typed.is_ok(), rows > 2, "{rows}");
        assert_eq!(
            typed.map(xlayout::DynLayout::from).ok(),
            dynamic.ok(),
            "{rows}"
        );
    }
}
