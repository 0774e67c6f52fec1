//! Changed and sliced layouts, as types, against every element of the layouts they are made of.

use std::fmt::Debug;
use std::string::{String, ToString};
use std::{format, vec};

use super::*;
use crate::layouts::types::{
    MemSpace, MetadataBytes, MinorToMajor, MixedLayout, Nat, Padded, RunTime, StaticLayout,
};
use crate::{ArrayLayout, ConstLayout, DynLayout, SliceView};

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
    assert_eq!(cut_whole.element_type(), crate::ElementType::F32);
    assert_eq!(cut_whole.shape(), [3, 4]);
    assert_eq!(cut_whole.strides(), Some([7, 1]));
    assert_eq!(cut_whole.array_shape(), Whole::NEW.array_shape());
    assert_eq!(
        format!("{cut_whole:?}"),
        format!("SliceLayout({:?})", Whole::NEW)
    );
    assert!(cut_whole == SliceLayout(Whole::NEW));
    let mut visited = vec![];
    let mut expected = vec![];
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

/// A header lists the sizes of the whole: a changed layout has none, as that of a `DynLayout`, and
/// no element moves.
#[test]
fn a_header_describes_no_changed_layout() {
    type Attributes = (MemSpace<1>, MetadataBytes<8>, Padded<(Nat<2>, Nat<5>)>);
    type Whole = StaticLayout<f32, (Nat<2>, Nat<3>), Rows2, Attributes>;
    type Open = MixedLayout<f32, (RunTime, Nat<3>), Rows2, Attributes>;
    type Swap = Permute<(Nat<1>, Nat<0>)>;
    fn swapped<L>(whole: &L) -> String
    where
        L: Rearrange<Swap, Coordinates = [usize; 2]>,
        L::Layout: ArrayLayout<Coordinates = [usize; 2]>,
    {
        let () = L::FITS;
        let changed = whole.rearranged();
        for (i, j) in (0..2).flat_map(|i| (0..3).map(move |j| (i, j))) {
            assert_eq!(changed.linear_index(&[j, i]), whole.linear_index(&[i, j]));
        }
        changed.array_shape().to_string()
    }
    assert_eq!(
        Whole::NEW.array_shape().to_string(),
        "f32[2,3]{1,0:S(1)M(8)}, padded_dimensions = [2, 5]"
    );
    let of_static = swapped(&Whole::NEW);
    assert_eq!(of_static, "f32[3,2]{0,1:S(1)}, padded_dimensions = [5, 2]");
    assert_eq!(swapped(&Open::with_sizes([2, 3]).unwrap()), of_static);
    let of_any = DynLayout::new(Whole::NEW.array_shape())
        .unwrap()
        .ranked::<2>()
        .unwrap();
    assert_eq!(swapped(&of_any), of_static);
    let more = Rearrange::<InsertUnit<0>>::rearranged(&Whole::NEW);
    assert_eq!(
        more.array_shape().to_string(),
        "f32[1,2,3]{2,1,0:S(1)}, padded_dimensions = [1, 2, 5]"
    );
    let values: std::vec::Vec<f32> = (0..10).map(|n| n as f32).collect();
    let view = SliceView::new(Whole::NEW, &values[..]).unwrap();
    assert_eq!(view.t()[[2, 1]], 7.0);
}

/// A change of dimensions is a change of the list of sizes, and no element moves.
#[test]
fn rearranged_layouts_keep_every_element() {
    type Tall = MixedLayout<f32, (RunTime, Nat<1>, Nat<3>), Rows3, ()>;
    let from = Tall::with_sizes([4, 1, 3]).unwrap();
    let less = Rearrange::<DeleteUnit<1>>::rearranged(&from);
    let more = Rearrange::<InsertUnit<0>>::rearranged(&from);
    let turned = Rearrange::<Permute<(Nat<2>, Nat<0>, Nat<1>)>>::rearranged(&from);
    assert_eq!(less.shape(), [4, 3]);
    assert_eq!(more.shape(), [1, 4, 1, 3]);
    assert_eq!(turned.shape(), [3, 4, 1]);
    from.for_each_in_memory(|&[i, j, k], linear| {
        assert_eq!(less.linear_index(&[i, k]), linear);
        assert_eq!(more.linear_index(&[0, i, j, k]), linear);
        assert_eq!(turned.linear_index(&[k, i, j]), linear);
    });
}
