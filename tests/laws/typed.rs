//! Law 3: a layout known at compile time, in whole or in part, and its `DynLayout` give the same
//! answer to every question. (The `DynLayout` is checked against the reference.)

use std::collections::HashSet;

use xlayout::shape::Mode;
use xlayout::types::FromDynLayout;
use xlayout::{
    Array, ArrayLayout, ArrayShape, ConstLayout, DynLayout, Element, ElementType, Index,
    LinearIndex, Specialize, branded,
    dtype::{AnyType, StoredAs},
    layout,
};

/// What all functions of `ArrayLayout` answer, as values of the same types for all layouts: the
/// compiler makes code for the questions once for each layout, and for the comparison once.
#[derive(Debug, PartialEq)]
struct Answers {
    element_type: ElementType,
    sizes: Vec<usize>,
    /// Elements, places, bits of an element, bytes, places of padding.
    counts: [usize; 5],
    expansion_ratio: f64,
    /// Exhaustive, contiguous, strided, unique.
    properties: [bool; 4],
    strides: Option<Vec<usize>>,
    /// The index of each element in row-major sequence, and its linear index.
    elements: Vec<(Vec<usize>, usize)>,
    /// Of each place, also of some beyond the last one: its index, whether it has one, its bit.
    places: Vec<(Option<Vec<usize>>, bool, (usize, u32))>,
    in_memory: Vec<(Vec<usize>, usize)>,
}

impl Answers {
    fn of<L: ArrayLayout>(layout: &L) -> Self {
        let mut elements = Vec::new();
        layout.for_each_index(|index| {
            elements.push((index.as_ref().to_vec(), layout.linear_index(index)));
        });
        let mut in_memory = Vec::new();
        layout.for_each_in_memory(|index, place| in_memory.push((index.as_ref().to_vec(), place)));
        let len = layout.buffer_len();
        let places = (0..=len).chain([len + 1, len * 2 + 7, usize::MAX]);
        let place = |place| {
            let index = layout.multi_index(place);
            let index = index.as_ref().map(|index| index.as_ref().to_vec());
            let has_one = layout.linear(place).is_ok();
            (index, has_one, layout.bit_offset(place))
        };
        let strides = layout.strides();
        Self {
            element_type: layout.element_type(),
            sizes: layout.shape().as_ref().to_vec(),
            counts: [
                layout.elements(),
                len,
                layout.element_bits(),
                layout.bytes(),
                layout.padding(),
            ],
            expansion_ratio: layout.expansion_ratio(),
            properties: [
                layout.is_exhaustive(),
                layout.is_contiguous(),
                layout.is_strided(),
                layout.is_unique(),
            ],
            strides: strides.as_ref().map(|strides| strides.as_ref().to_vec()),
            elements,
            places: places.map(place).collect(),
            in_memory,
        }
    }
}

/// What the iterators give, which is what the loops of [`Answers`] gave.
fn iterators<L: ArrayLayout>(layout: &L, answers: &Answers) {
    let indices = layout.indices();
    let indices: Vec<_> = indices
        .map(|index| index.coordinates().as_ref().to_vec())
        .collect();
    let pair = |(index, linear): (Index<L>, LinearIndex<L>)| {
        (index.coordinates().as_ref().to_vec(), linear.get())
    };
    let mut stepped = Vec::new();
    // A `for` loop steps; `fold` below runs loops of its own.
    for item in layout.indices_in_memory() {
        stepped.push(pair(item));
    }
    let folded = layout.indices_in_memory().fold(vec![], |mut all, item| {
        all.push(pair(item));
        all
    });
    let mut rest = layout.indices_in_memory();
    let _ = rest.next();
    let rest: Vec<_> = rest.map(pair).collect();
    iterated(answers, &indices, [&stepped, &folded], &rest);
}

fn iterated(
    answers: &Answers,
    indices: &[Vec<usize>],
    in_memory: [&[(Vec<usize>, usize)]; 2],
    rest: &[(Vec<usize>, usize)],
) {
    assert!(answers.elements.iter().map(|(index, _)| index).eq(indices));
    assert_eq!(in_memory, [&answers.in_memory[..]; 2]);
    assert_eq!(answers.in_memory.get(1..).unwrap_or_default(), rest);
    let places: HashSet<usize> = answers.elements.iter().map(|(_, place)| *place).collect();
    let [.., is_unique] = answers.properties;
    assert_eq!(is_unique, places.len() == indices.len());
}

/// Compares all functions of `ArrayLayout` for both.
fn alike<L: ArrayLayout>(layout: &L, twin: &DynLayout) {
    let answers = Answers::of(layout);
    iterators(layout, &answers);
    // With run-time sizes a digit may stay an inner one that these very sizes make the top one.
    let key = |mode: Mode| (mode.dim, mode.divisor, mode.size, mode.stride);
    let modes = (!merges(layout)).then(|| layout.modes().map(key).collect());
    same(twin, &answers, modes);
}

fn same(twin: &DynLayout, answers: &Answers, modes: Option<Vec<(usize, usize, usize, usize)>>) {
    assert_eq!(*answers, Answers::of(twin), "{twin}");
    if let Some(modes) = modes {
        let key = |mode: Mode| (mode.dim, mode.divisor, mode.size, mode.stride);
        assert_eq!(modes, twin.modes().map(key).collect::<Vec<_>>(), "{twin}");
    }
}

/// Whether digits of merged coordinates are left. Then one map may have two tables, the known limit
/// of law 6: a table for any size may merge what a table for one size need not.
fn merges(layout: &impl ArrayLayout) -> bool {
    layout.modes().any(|mode| mode.dim >= layout.rank())
}

/// The additional functions of a layout that is known at compile time.
fn fixed<L>(text: &str)
where
    L: ConstLayout + FromDynLayout + PartialEq + std::fmt::Debug + std::fmt::Display,
    DynLayout: From<L>,
{
    let twin: DynLayout = text
        .parse()
        .unwrap_or_else(|error| panic!("{text}: {error}"));
    let of_type = DynLayout::from(L::NEW);
    assert_eq!(L::NEW.to_string(), of_type.to_string());
    alike(&L::NEW, &twin);
    alike(&of_type, &twin);
    assert_eq!(L::SIZES, twin.dims(), "{text}");
    let order = twin
        .array_shape()
        .layout
        .as_ref()
        .expect("it was lowered")
        .minor_to_major
        .clone();
    assert!(
        L::MINOR_TO_MAJOR
            .iter()
            .map(|&d| d as i64)
            .eq(order.iter().copied()),
        "{text}"
    );
    assert_eq!(L::MODES, twin.mode_table(), "{text}");
    assert_eq!(
        (L::BUFFER_LEN, L::ELEMENTS, L::BYTES),
        (twin.buffer_len(), twin.elements(), twin.bytes())
    );
    assert_eq!(L::from_dyn(&twin), Ok(L::NEW), "{text}");
    assert!(Specialize::<L>::specialize(&twin).is_ok(), "{text}");
    assert!(Specialize::<L>::specialize(twin.clone()).is_ok(), "{text}");
    for index in L::NEW.indices() {
        let linear = index.linear();
        assert_eq!(LinearIndex::new(linear.get()), Some(linear), "{text}");
        assert_eq!(linear.to_index(&L::NEW), index, "{text}");
    }
}

/// Every element type that Rust carries: what is written to the one is read from the other.
fn carried<L: ArrayLayout + Clone, T: Element + PartialEq + std::fmt::Debug>(
    layout: &L,
    twin: &DynLayout,
    values: &[T],
) where
    L::Type: StoredAs<T>,
    AnyType: StoredAs<T>,
{
    let mut array = Array::zeros(layout.clone()).expect("the type is the layout's");
    let values: Vec<T> = values
        .iter()
        .copied()
        .cycle()
        .take(layout.elements())
        .collect();
    array
        .copy_from_row_major(&values)
        .expect("there are as many");
    let of_twin = xlayout::SliceView::new(twin, array.memory()).expect("it is the same memory");
    let mut read = vec![T::ZERO; values.len()];
    of_twin.to_row_major(&mut read).expect("there are as many");
    assert_eq!(read, values, "{twin}");
}

macro_rules! fixed {
    ($([$($text:tt)*])*) => {$(
        fixed::<layout!($($text)*)>(stringify!($($text)*));
    )*};
}

macro_rules! strided {
    ($([$($text:tt)*])*) => {$(
        fixed::<layout!($($text)*)>(stringify!($($text)*));
        let twin: DynLayout = stringify!($($text)*).parse().expect("it was read above");
        assert_eq!(Some(<layout!($($text)*)>::STRIDES), twin.strides().as_deref());
        const { assert!(<layout!($($text)*)>::BUFFER_LEN < u32::MAX as usize) };
        for index in layout!($($text)*).indices() {
            let narrow = index.coordinates().map(|i| i as u32);
            let linear = layout!($($text)*).linear_index_u32(&narrow);
            assert_eq!(linear as usize, index.linear().get());
        }
    )*};
}

#[test]
fn dense_and_padded() {
    strided! {
        [f32[]] [f32[]{:L(8)}] [s8[0]] [s8[1]] [u16[7]{0}] [f64[7]{0:L(16)}] [pred[3,0,2]{1,0,2}]
        [f32[2,3]] [f32[2,3]{1,0}] [f32[2,3]{0,1}] [f32[1,3]{0,1}] [f32[3,1,1]{1,0,2}]
        [bf16[2,3,4]{2,0,1}] [c64[2,3,4]{0,1,2}] [c128[4,3,2,5]{1,3,0,2}]
        [s4[3,5]{1,0:E(4)}] [s4[3,5]{1,0}] [u2[3,3,3]{2,0,1:E(2)}] [u1[17]{0:L(32)E(1)}] [f32[2]{0:E(12)}]
        [f8e4m3fn[5,3]{0,1:S(1)}] [f16[3,5]{1,0:S(5)M(16)}] [f32[150,20]{0,1:SC(1:30)}] [f6e3m2fn[5]{0:E(6)}]
        [f32[2,3] <0,1>, padded_dimensions = [3, 5]]
        [f32[2,3] <1,0>, padded_dimensions = [3, 5], padding_value = one]
        [s32[2,1,3] <1,2,0>, padded_dimensions = [2, 4, 3], padding_value = lowest]
        [f32[0,3], padded_dimensions = [2, 3]]
        [f32[2,3,4] <2,0,1>, padded_dimensions = [2, 3, 4]]
        [f32[<=3,5]{0,1}] [u8[<=4,<=3,2]{1,2,0:M(8)}]
        [f32[1,2,1,2,1,2,1,2]{7,0,6,1,5,2,4,3}]
        [u8[2,1,1,2,1,1,2,1,1,2,1,1,2,1,1,2]{0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15}]
        // Tiles that change nothing.
        [f32[24,128]{1,0:T(8,128)}] [f32[7]{0:T(7)}] [f32[4,8]{1,0:T(1)}] [f32[16]{0:T(4)}]
    }
}

#[test]
fn tiled() {
    fixed! {
        [f32[]{:T(128)}] [f32[5]{0:T(4)}] [f32[5]{0:T(2,4)}] [bf16[100]{0:T(32)(16)(2,1)}]
        [f32[3,5]{1,0:T(2,2)}] [f32[5,3]{0,1:T(2,2)}] [f32[3,5]{1,0:T(8,128)}] [f32[3,5]{1,0:T(2,2)L(100)}]
        [f32[4,8]{1,0:T(2,4)(2,1)}] [bf16[16,20]{1,0:T(8,16)(2,1)}] [s8[33,20]{1,0:T(32,16)(4,1)}]
        [s4[64,20]{1,0:T(64,16)(8,1)E(4)}] [u2[5,7]{0,1:T(4,4)E(2)}] [pred[9,9]{1,0:T(8,8)(4,1)}]
        [f32[2,3,5]{2,1,0:T(2,4)}] [f32[2,3,5]{0,2,1:T(2,2,2)}] [f32[2,3,5,2]{3,0,2,1:T(2,4)(2,1)}]
        [f32[0,5]{1,0:T(2,2)}] [f32[3,0]{1,0:T(2,2)(2,1)}] [f32[<=3,5]{1,0:T(2,2)}]
        // Merged dimensions, of which some leave terms.
        [f32[4,6]{1,0:T(*,3)}] [f32[3,10]{1,0:T(2,*,4)}] [f32[3,5]{1,0:T(*,7)}] [f32[3,5]{0,1:T(*,4)(3)}]
        [f32[2,7,2,3,2]{4,3,2,1,0:T(*,*,2,*,3)}] [f32[7,9]{1,0:T(3,4)(2,3)}] [f32[7,9]{1,0:T(5,4)(3,3)(2)}]
        [f32[2,3,4,3]{3,1,2,0:T(2,*,5)(*,4)}] [f32[5,4,3]{2,1,0:T(4,3)(*,5)}] [f32[6]{0:T(4)(3)}]
        [u8[3,1,2,2,1,3]{5,4,3,2,1,0:T(2,2)(4,1)}]
    }
}

#[test]
fn elements_are_read_as_written() {
    macro_rules! carried {
        ($([$($text:tt)*] $values:expr;)*) => {$(
            let twin: DynLayout = stringify!($($text)*).parse().expect("it is a layout");
            carried(&layout!($($text)*), &twin, &$values);
        )*};
    }
    carried! {
        [pred[3,5]{1,0:T(2,2)}] [true, false, true, true];
        [s8[3,5]{0,1}] [1_i8, -1, 5];
        [s16[3,5]{1,0:T(2,4)(2,1)}] [1_i16, -1, 5];
        [s32[3,5]{0,1:T(2,2)}] [1_i32, -1, 5];
        [s64[3,5]{0,1:L(100)}] [1_i64, -1, 5];
        [u8[3,5], padded_dimensions = [4, 5]] [1_u8, 2, 5];
        [u16[3,5]{1,0:T(8,128)(2,1)}] [1_u16, 2, 5];
        [u32[0,5]{1,0:T(8,128)}] [1_u32];
        [u64[]{:T(128)}] [1_u64];
        [f32[3,5]{1,0:T(*,7)}] [1.5_f32, 2.0, f32::INFINITY];
        [f64[2,3,2]{1,0,2:T(2,2)(2,1)}] [1.5_f64, 2.0, 3.0];
    }
}

macro_rules! mixed {
    ($([$($text:tt)*] $($sizes:expr),* ;)*) => {$(
        for sizes in [$($sizes),*] {
            type L = layout!($($text)*);
            let text = stringify!($($text)*);
            let shape: ArrayShape = text.parse().expect("it is a shape");
            let twin = DynLayout::with_sizes(&shape, &sizes).unwrap_or_else(|error| panic!("{text}: {error}"));
            let layout = layout!($($text)*)(sizes).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(Some(layout), L::with_sizes(sizes).ok());
            alike(&layout, &twin);
            alike(&DynLayout::from(layout), &twin);
            if !merges(&layout) {
                assert_eq!(L::from_dyn(&twin), Ok(layout), "{text}");
                assert!(Specialize::<L>::specialize(&twin).is_ok(), "{text}");
            }
        }
    )*};
}

#[test]
fn mixed_static_and_dynamic() {
    mixed! {
        [f32[?]] [0], [1], [7];
        [f32[?]{0:T(4)}] [0], [1], [4], [7], [8];
        [f32[?,3]{1,0}] [0, 3], [1, 3], [4, 3];
        [f32[?,3]{0,1}] [0, 3], [1, 3], [4, 3];
        [f32[2,?]{0,1}] [2, 0], [2, 1], [2, 5];
        [f32[?,?]{1,0}] [1, 1], [3, 5], [0, 5], [5, 0], [1, 7], [7, 1];
        [s4[?,5]{0,1:L(8)E(4)}] [3, 5], [1, 5];
        [f32[?,?,4]{1,2,0:S(1)}] [2, 3, 4], [1, 3, 4], [2, 1, 4], [0, 0, 4];
        [f32[?,5]{1,0:T(2,2)}] [3, 5], [1, 5], [2, 5], [0, 5], [4, 5];
        [f32[3,?]{1,0:T(2,2)}] [3, 5], [3, 1], [3, 2], [3, 0], [3, 4];
        [f32[?,?]{0,1:T(2,4)(2,1)}] [3, 5], [1, 1], [2, 4], [4, 2], [9, 9], [0, 9];
        [bf16[?,300]{1,0:T(8,128)(2,1)}] [1, 300], [8, 300], [17, 300];
        [f32[<=4,?]{1,0}] [4, 5], [4, 0];
        [f32[?,3] <0,1>, padded_dimensions = [4, 5]] [0, 3], [2, 3], [4, 3];
        [f32[?,2,3]{2,1,0:T(*,4)}] [2, 2, 3], [0, 2, 3], [1, 2, 3];
        [f32[?,2,3]{2,1,0:T(2,*,4)}] [3, 2, 3], [1, 2, 3];
        [f32[?,9]{1,0:T(3,4)(2,3)}] [7, 9], [2, 9], [3, 9], [0, 9];
    }
}

/// A layout with a brand answers what the layout inside does: one of each kind of code.
#[test]
fn branded_layouts() {
    macro_rules! with_brand {
        ($([$($text:tt)*])*) => {$({
            let twin: DynLayout = stringify!($($text)*).parse().expect("it is a layout");
            branded(&twin, |layout| alike(&layout, &twin));
            branded(layout!($($text)*), |layout| alike(&layout, &twin));
        })*};
    }
    with_brand! {
        [f32[]] [f32[2,3]{0,1}] [f32[2,3] <0,1>, padded_dimensions = [3, 5]] [f32[<=3,5]{1,0:T(2,2)}]
        [s4[5,3]{0,1:E(4)}] [bf16[16,20]{1,0:T(8,16)(2,1)}] [f32[2,3,4,3]{3,1,2,0:T(2,*,5)(*,4)}]
    }
    for sizes in [[0, 5], [3, 5]] {
        let layout = layout!(f32[?,5]{1,0:T(2,2)})(sizes).expect("it is small");
        branded(layout, |branded| alike(&branded, &DynLayout::from(layout)));
    }
}

/// The inputs that a type refuses, with the numbers.
#[test]
fn another_layout_is_refused() {
    use xlayout::ElementType::{F32, S32};
    use xlayout::LayoutError;
    type A = layout!(f32[2,3]{0,1});
    type Rows = layout!(f32[?,3]{1,0});
    let element_type = LayoutError::ElementType {
        expected: F32,
        found: S32,
    };
    let rank = LayoutError::Rank {
        expected: 2,
        found: 3,
    };
    let bits = LayoutError::ElementBits {
        expected: 32,
        found: 16,
    };
    let space = LayoutError::MemorySpace {
        expected: 0,
        found: 1,
    };
    let columns = LayoutError::Size {
        dimension: 1,
        expected: 3,
        found: 4,
    };
    for (text, fixed, mixed) in [
        ("f32[2,3]{0,1}", None, Some(LayoutError::MemoryMap)),
        ("f32[2,3]{1,0}", Some(LayoutError::MemoryMap), None),
        (
            "f32[2,3]{1,0:T(8,128)}",
            Some(LayoutError::MemoryMap),
            Some(LayoutError::MemoryMap),
        ),
        (
            "f32[2,3]{0,1:L(8)}",
            Some(LayoutError::MemoryMap),
            Some(LayoutError::MemoryMap),
        ),
        ("f32[2,4]{1,0}", Some(columns.clone()), Some(columns)),
        ("f32[2,3,1]", Some(rank.clone()), Some(rank)),
        ("s32[2,3]", Some(element_type.clone()), Some(element_type)),
        ("f32[2,3]{0,1:E(16)}", Some(bits.clone()), Some(bits)),
        ("f32[2,3]{0,1:S(1)}", Some(space.clone()), Some(space)),
    ] {
        let twin: DynLayout = text.parse().expect("it is a layout");
        assert_eq!(A::from_dyn(&twin).err(), fixed, "{text}");
        assert_eq!(Rows::from_dyn(&twin).err(), mixed, "{text}");
    }
    // As many places, in another sequence.
    type Padded = layout!(f32[2,3] <0,1>, padded_dimensions = [3, 3]);
    let aligned: DynLayout = "f32[2,3]{0,1:L(9)}".parse().expect("it is a layout");
    assert_eq!(Padded::BUFFER_LEN, aligned.buffer_len());
    assert_eq!(
        Padded::from_dyn(&aligned).err(),
        Some(LayoutError::MemoryMap)
    );
    let beyond = LayoutError::AboveBound {
        dimension: 0,
        size: 5,
        bound: 4,
    };
    assert_eq!(
        layout!(f32[?,3], padded_dimensions = [4, 3])([5, 3]).err(),
        Some(beyond)
    );
    let shape: ArrayShape = "f32[<=4,3]".parse().expect("it is a shape");
    let above = LayoutError::AboveBound {
        dimension: 0,
        size: 5,
        bound: 4,
    };
    assert_eq!(DynLayout::with_sizes(&shape, &[5, 3]).err(), Some(above));
}
