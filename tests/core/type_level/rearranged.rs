//! Permutations, and dimensions of size 1: every element keeps its linear index.

use std::any::TypeId;
use std::fmt::Debug;

use xlayout::types::{
    DeleteUnit, InsertUnit, Nat, Permute, Permuted, Rearrange, WithUnit, WithoutUnit,
};
use xlayout::{ArrayLayout, ConstLayout, layout};

/// Whether two types are the same one.
pub(crate) fn same<A: 'static, B: 'static>() {
    assert_eq!(
        TypeId::of::<A>(),
        TypeId::of::<B>(),
        "{} is not {}",
        std::any::type_name::<A>(),
        std::any::type_name::<B>()
    );
}

/// Law 1: every element keeps its linear index, and there is no other element. `before` gives the
/// index that an index was.
fn rearranged<A, How>(layout: &A, before: &dyn Fn(&[usize]) -> Vec<usize>)
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

/// The index before a permutation.
fn permuted(permutation: &[usize], index: &[usize]) -> Vec<usize> {
    let mut before = vec![0; index.len()];
    for (&to, &coordinate) in permutation.iter().zip(index) {
        before[to] = coordinate;
    }
    before
}

macro_rules! permutations {
    ($([$($a:tt)*] by $($p:literal)* is [$($b:tt)*];)*) => {$(
        type By = ($(Nat<$p>,)*);
        same::<Permuted<layout!($($a)*), By>, layout!($($b)*)>();
        rearranged::<_, Permute<By>>(&layout!($($a)*), &|index| permuted(&[$($p),*], index));
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
        rearranged::<_, Permute<(Nat<2>, Nat<0>, Nat<1>)>>(&layout, &|i| vec![i[1], i[2], i[0]]);
        let rows = Rows::with_sizes([n, 3]).unwrap();
        assert_eq!(
            rows.rearranged_to::<Permute<(Nat<1>, Nat<0>)>>().shape(),
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
        };
        (attributes [$($order:tt)*] $permutations:tt) => { $(each!(# $order $permutations);)* };
        (# $order:tt [$($p:tt)*]) => { $(each!(other $order $p);)* };
        (other [$($o:literal)*] [$($p:literal)*]) => {
            each!(law [$($p)*] layout!(s8[2,3,4]{$($o),*:T(4)(2,1)L(8)}));
            each!(law [$($p)*] layout!(s8[2,3,4] <$($o),*>, padded_dimensions = [3, 5, 4]));
            each!(law [$($p)*] layout!(s8[?,3,4]{$($o),*:T(2)})([2, 3, 4]).unwrap());
        };
        (law [$($p:literal)*] $layout:expr) => {
            rearranged::<_, Permute<($(Nat<$p>,)*)>>(&$layout, &|index| permuted(&[$($p),*], index));
        };
    }
    each! {
        [[0 1 2] [0 2 1] [1 0 2] [1 2 0] [2 0 1] [2 1 0]]
        [[0 1 2] [0 2 1] [1 0 2] [1 2 0] [2 0 1] [2 1 0]]
    }
    // A permutation changes sizes and minor_to_major; the other attributes stay, or go with the
    // sizes.
    each! { attributes [[0 2 1] [2 0 1]] [[0 2 1] [1 0 2] [1 2 0] [2 1 0]] }
}

#[test]
fn unit_dimensions() {
    macro_rules! insert {
        ($([$($a:tt)*] $dim:literal is [$($b:tt)*];)*) => {$(
            same::<WithUnit<layout!($($a)*), $dim>, layout!($($b)*)>();
            rearranged::<_, InsertUnit<$dim>>(&layout!($($a)*), &|index| {
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
                rearranged::<L, DeleteUnit<$dim>>(&L::NEW, &|index| {
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
    rearranged::<_, InsertUnit<1>>(&rows, &|i| vec![i[0], i[2]]);
    same::<WithUnit<layout!(f32[?,3]), 1>, layout!(f32[?,1,3]{2,0,1})>();
    rearranged::<_, DeleteUnit<1>>(&rows.rearranged_to::<InsertUnit<1>>(), &|i| {
        vec![i[0], 0, i[1]]
    });
}
