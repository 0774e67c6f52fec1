//! Changed and sliced layouts, as types, against every element of the layouts they are made of.

use std::fmt::Debug;
use std::{format, vec};

use super::*;
use crate::types::{MinorToMajor, MixedLayout, Nat, Padded, RunTime, StaticLayout};
use crate::{ArrayLayout, ConstLayout};

type Rows2 = MinorToMajor<(Nat<1>, Nat<0>)>;
type Rows3 = MinorToMajor<(Nat<2>, Nat<1>, Nat<0>)>;

/// Each slice of a dense layout lies in the whole as its `SliceLayout` says.
#[test]
fn a_cut_is_the_padded_layout_without_its_end() {
    type Whole = StaticLayout<f32, (Nat<3>, Nat<4>), Rows2, (Padded<(Nat<5>, Nat<7>)>,)>;
    type Empty = StaticLayout<f32, (Nat<0>, Nat<4>), Rows2, (Padded<(Nat<5>, Nat<7>)>,)>;
    fn cut<L: ConstLayout + Debug + PartialEq>() -> SliceLayout<L> {
        SliceLayout(L::NEW)
    }
    let cut_whole = cut::<Whole>();
    let mut last = 0;
    Whole::NEW.for_each_in_memory(|_, linear| last = linear);
    assert_eq!(cut_whole.buffer_len(), last + 1);
    assert_eq!(<SliceLayout<Whole>>::BUFFER_LEN, last + 1);
    assert_eq!(<SliceLayout<Whole>>::BYTES, 4 * (last + 1));
    assert_eq!(cut_whole.bytes(), 4 * (last + 1));
    assert_eq!(cut::<Empty>().buffer_len(), 0);
    assert_eq!((cut_whole.elements(), cut_whole.rank()), (12, 2));
    assert_eq!(cut_whole.element_type(), crate::PrimitiveType::F32);
    assert_eq!(cut_whole.sizes(), [3, 4]);
    assert_eq!(cut_whole.strides(), Some([7, 1]));
    assert_eq!(cut_whole.shape(), Whole::NEW.shape());
    assert_eq!(
        format!("{cut_whole:?}"),
        format!("SliceLayout({:?})", Whole::NEW)
    );
    assert!(cut_whole == SliceLayout(Whole::NEW));
    let (mut visited, mut expected) = (vec![], vec![]);
    cut_whole.for_each_in_memory(|index, linear| visited.push((*index, linear)));
    Whole::NEW.for_each_in_memory(|index, linear| expected.push((*index, linear)));
    assert_eq!(visited, expected);
    for (index, linear) in expected {
        assert_eq!(cut_whole.linear_index(&index), linear);
        assert_eq!(cut_whole.multi_index(linear), Some(index));
        assert_eq!(cut_whole.multi_index_of_element(linear), index);
    }
    assert_eq!(cut_whole.multi_index(4), None);
    type Rows = MixedLayout<f32, (RunTime, Nat<3>), Rows2, (Padded<(Nat<4>, Nat<5>)>,)>;
    let sliced = SliceLayout(Rows::with_sizes([2, 3]).unwrap());
    assert!(sliced.in_bounds_again(&[1, 2]) && !sliced.in_bounds_again(&[2, 0]));
    assert!(sliced != SliceLayout(Rows::with_sizes([1, 3]).unwrap()));
}

/// A change of dimensions is a change of the list of sizes, and no element moves.
#[test]
fn rearranged_layouts_keep_every_element() {
    type Tall = MixedLayout<f32, (RunTime, Nat<1>, Nat<3>), Rows3, ()>;
    let from = Tall::with_sizes([4, 1, 3]).unwrap();
    let less = Rearrange::<DeleteUnit<1>>::rearranged(&from);
    let more = Rearrange::<InsertUnit<0>>::rearranged(&from);
    let turned = Rearrange::<Permute<(Nat<2>, Nat<0>, Nat<1>)>>::rearranged(&from);
    assert_eq!(less.sizes(), [4, 3]);
    assert_eq!(more.sizes(), [1, 4, 1, 3]);
    assert_eq!(turned.sizes(), [3, 4, 1]);
    from.for_each_in_memory(|&[i, j, k], linear| {
        assert_eq!(less.linear_index(&[i, k]), linear);
        assert_eq!(more.linear_index(&[0, i, j, k]), linear);
        assert_eq!(turned.linear_index(&[k, i, j]), linear);
    });
}
