//! The numbers of layouts as typenum's types: each is the constant of the same name.

use std::any::type_name;

use typenum::{
    Const, IsLess, Prod, ToUInt, True, U0, U1, U2, U3, U5, U6, U7, U8, U15, U16, U24, U32, U60,
    U100, U400, U1000, U4096, Unsigned,
};
use xlayout_core::dtype::{self, DType};
use xlayout_core::types::{
    At, AtMost, ElementWidth, Fill, MemSpace, MetadataBytes, MinorToMajor, Nat, Num, Padded,
    SplitDim, Star, StaticLayout, TailAlign, Tile, Zero,
};
use xlayout_typenum::{TypeBits, TypeNumbers, TypeStrides, Typenum};

/// A tuple of typenum's numbers.
trait List {
    fn list() -> Vec<usize>;
}

macro_rules! lists {
    ($($name:ident)*) => {
        impl<$($name: Unsigned),*> List for ($($name,)*) {
            fn list() -> Vec<usize> {
                vec![$($name::USIZE),*]
            }
        }
    };
}
lists!();
lists!(A);
lists!(A B);
lists!(A B C);
lists!(A B C D);
lists!(A B C D E);
lists!(A B C D E F);
lists!(A B C D E F G);
lists!(A B C D E F G H);
lists!(A B C D E F G H I J K L M N O P);

/// The law of `TypeNumbers`.
fn twins<X: TypeNumbers<Dims: List, MinorToMajor: List>>() {
    let shape = X::NEW.array_shape().to_string();
    assert_eq!(X::Dims::list(), X::SIZES, "Dims of {shape}");
    assert_eq!(
        X::MinorToMajor::list(),
        X::MINOR_TO_MAJOR,
        "MinorToMajor of {shape}"
    );
    assert_eq!(X::Len::USIZE, X::BUFFER_LEN, "Len of {shape}");
    assert_eq!(X::Elements::USIZE, X::ELEMENTS, "Elements of {shape}");
    assert_eq!(
        X::ElementBits::USIZE,
        X::NEW.element_bits(),
        "ElementBits of {shape}"
    );
    assert_eq!(X::Bytes::USIZE, X::BYTES, "Bytes of {shape}");
}

/// The laws of `TypeNumbers` and `TypeStrides`.
fn all_twins<X: TypeStrides<Strides: List, Dims: List, MinorToMajor: List>>() {
    twins::<X>();
    assert_eq!(
        X::Strides::list(),
        X::STRIDES,
        "Strides of {}",
        X::NEW.array_shape()
    );
}

/// `fixed!(f32 [2 3] {0 1} Tile<…>, TailAlign<…>)`
macro_rules! fixed {
    ($dtype:ident [$($n:literal)*] {$($d:literal)*} $($attribute:ty),*) => {
        StaticLayout<dtype::$dtype, ($(Nat<$n>,)*), MinorToMajor<($(Nat<$d>,)*)>, ($($attribute,)*)>
    };
}

/// `T(…)`
macro_rules! tile {
    ($($n:literal)*) => { Tile<($(Nat<$n>,)*)> };
}

#[test]
fn dense_layouts() {
    macro_rules! each {
        ($($dtype:ident [$($n:literal)*] {$($d:literal)*})*) => {
            $(all_twins::<fixed!($dtype [$($n)*] {$($d)*})>();)*
        };
    }
    each! {
        f32 [] {}
        f64 [7] {0}
        f32 [0] {0}
        f32 [2 3] {0 1}
        f32 [2 3] {1 0}
        bf16 [1 1] {1 0}
        c128 [1000 1000] {0 1}
        s8 [3 5 7] {2 1 0}
        s8 [3 5 7] {2 0 1}
        s8 [3 5 7] {1 2 0}
        s8 [3 5 7] {1 0 2}
        s8 [3 5 7] {0 2 1}
        s8 [3 5 7] {0 1 2}
        pred [3 0 7] {0 1 2}
        pred [0 3 0] {1 2 0}
        s4 [3 5] {1 0}
        u16 [2 3 4 5] {1 3 0 2}
        c64 [2 3 4 5 6] {4 0 3 1 2}
        f8e4m3fn [2 3 4 5 6 7] {5 0 4 1 3 2}
        s64 [2 1 3 1 5 1 7] {6 4 2 0 1 3 5}
        f16 [2 3 2 3 2 3 2 3] {7 0 6 1 5 2 4 3}
        s8 [2 1 3 2 1 3 2 1 3 2 1 3 2 1 3 2] {15 0 14 1 13 2 12 3 11 4 10 5 9 6 8 7}
    }
}

macro_rules! bits {
    (
        elements { $(
            $(#[$doc:meta])*
            $variant:ident = $number:literal, $name:ident, $bits:literal, $($text:tt),*;
            $memory:tt $libraries:tt
        )* }
        others $others:tt
    ) => {
        #[test]
        fn bits_of_every_row_of_the_table() {
            $(assert_eq!(
                <dtype::$name as TypeBits>::Bits::USIZE,
                8 * size_of::<<dtype::$name as DType>::RustType>(),
                stringify!($name)
            );)*
        }
    };
}
xlayout_core::for_each_element_type! { bits }

#[test]
fn every_element_type() {
    macro_rules! each {
        ($($dtype:ident)*) => {$(
            all_twins::<fixed!($dtype [3 5] {1 0})>();
            twins::<fixed!($dtype [3 5] {1 0} tile!(2 2))>();
            all_twins::<fixed!($dtype [3 5] {1 0} ElementWidth<4>)>();
        )*};
    }
    each! {
        pred s1 s2 s4 s8 s16 s32 s64 u1 u2 u4 u8 u16 u32 u64 f16 bf16 f32 f64 c64 c128
        f8e5m2 f8e4m3fn f8e4m3b11fnuz f8e5m2fnuz f8e4m3fnuz f8e4m3 f8e3m4 f8e8m0fnu
        f4e2m1fn f6e3m2fn f6e2m3fn
    }
}

#[test]
fn attributes_without_tiles() {
    all_twins::<fixed!(f32 [2 3] {1 0} TailAlign<100>)>();
    all_twins::<fixed!(f32 [2 0] {1 0} TailAlign<100>)>();
    all_twins::<fixed!(f32 [] {} TailAlign<7>)>();
    all_twins::<fixed!(s4 [3] {0} ElementWidth<4>)>();
    all_twins::<fixed!(s4 [3 3] {0 1} ElementWidth<3>)>();
    all_twins::<fixed!(f32 [2 3] {1 0} MemSpace<5>, MetadataBytes<16>)>();
    all_twins::<
        fixed!(f32 [150 200 100] {0 1 2} SplitDim<0, (At<30>,)>, SplitDim<1, (At<40>, At<130>)>),
    >();
    all_twins::<fixed!(f32 [2 3] {0 1} Padded<(Nat<3>, Nat<5>)>)>();
    all_twins::<fixed!(f32 [2 3] {1 0} Padded<(Nat<3>, Nat<5>)>, Fill<Zero>)>();
    all_twins::<fixed!(f32 [0 3 4] {1 0 2} Padded<(Nat<3>, Nat<5>, Nat<4>)>)>();
    all_twins::<
        fixed!(s2 [2 3] {0 1} TailAlign<4>, ElementWidth<2>, MemSpace<1>, MetadataBytes<8>, Padded<(Nat<3>, Nat<5>)>, Fill<Zero>),
    >();
}

#[test]
fn tiled_layouts() {
    macro_rules! each {
        ($($dtype:ident [$($n:literal)*] {$($d:literal)*} $(($($tile:tt)*))+;)*) => {$(
            twins::<fixed!($dtype [$($n)*] {$($d)*} $(tile!($($tile)*)),+)>();
            twins::<fixed!($dtype [$($n)*] {$($d)*} $(tile!($($tile)*)),+, TailAlign<10>, ElementWidth<5>)>();
        )*};
    }
    each! {
        f32 [] {} (256);
        f32 [] {} (2 2)(2);
        f32 [3 5] {1 0} (2 2);
        f32 [5 3] {0 1} (2 2);
        f32 [3 5] {1 0} (8 128);
        f32 [3] {0} (8 128);
        f32 [4 8] {1 0} (2 4)(2 1);
        bf16 [16 256] {1 0} (8 128)(2 1);
        bf16 [1024] {0} (1024)(128)(2 1);
        f32 [1000 100] {1 0} (8 128)(2 1);
        f32 [100 1000 3] {0 2 1} (8 128)(2 1);
        s8 [7 11 13] {2 1 0} (8 128)(4 1);
        s4 [7 11 13] {1 0 2} (8 128)(8 1);
        u8 [5 6 7] {0 1 2} (3)(2 2)(4 2 2);
        u8 [5 6 7] {0 1 2} (3 2 2)(5)(4 2 2 3);
        u8 [5 0 7] {0 1 2} (3 2 2)(5);
        u8 [5 6] {0 1} (1)(1 1)(1 1 1);
        u8 [2 3 4 5 6 7 8 9] {0 1 2 3 4 5 6 7} (2 2 2 2 2 2 2 2)(3 3 3);
        bf16 [2 1 3 2 1 3 2 1 3 2 1 3 2 1 3 2] {15 0 14 1 13 2 12 3 11 4 10 5 9 6 8 7} (2 2 4)(2 1);
    }
    twins::<fixed!(f32 [9 9] {1 0} Padded<(Nat<13>, Nat<10>)>)>();
    twins::<fixed!(f32 [9 9] {0 1} tile!(4 4), MemSpace<1>, SplitDim<1, (At<4>,)>, MetadataBytes<4>)>(
    );
    twins::<
        fixed!(f32 [9 9] {0 1} MemSpace<1>, SplitDim<1, (At<4>,)>, MetadataBytes<4>, Padded<(Nat<13>, Nat<10>)>),
    >();
}

#[test]
fn tiles_that_merge() {
    twins::<fixed!(f32 [2 7 8 11 10] {4 3 2 1 0} Tile<(Star, Star, Nat<2>, Star, Nat<3>)>)>();
    twins::<fixed!(f32 [2 7 8] {2 1 0} Tile<(Nat<2>, Star, Nat<8>)>)>();
    twins::<fixed!(f32 [2 7 8] {1 2 0} Tile<(Star, Nat<3>, Nat<8>)>, tile!(2 1))>();
    twins::<fixed!(f32 [7 8] {1 0} tile!(2 4), Tile<(Star, Star, Nat<5>)>)>();
    twins::<fixed!(f32 [7] {0} Tile<(Star, Star, Nat<5>)>)>();
    twins::<fixed!(f32 [] {} Tile<(Nat<2>, Star, Nat<5>)>)>();
    type A = fixed!(f32 [2 7 8 11 10] {4 3 2 1 0} Tile<(Star, Star, Nat<2>, Star, Nat<3>)>);
    assert_eq!(<A as TypeNumbers>::Len::USIZE, 12432);
}

#[test]
fn dimensions_of_other_kinds() {
    type P = Prod<U1000, U7>;
    all_twins::<StaticLayout<f32, (Num<Typenum<P>>, Nat<3>), MinorToMajor<(Nat<0>, Nat<1>)>, ()>>();
    all_twins::<StaticLayout<f32, (AtMost<9>, Num<Typenum<P>>), MinorToMajor<(Nat<1>, Nat<0>)>, ()>>(
    );
    twins::<
        StaticLayout<
            f32,
            (Num<Typenum<P>>, AtMost<3>),
            MinorToMajor<(Nat<0>, Nat<1>)>,
            (tile!(8 128),),
        >,
    >();
}

/// typenum's own division would meet the compiler's recursion limit here.
#[test]
#[cfg(target_pointer_width = "64")]
fn large_layouts() {
    all_twins::<fixed!(s8 [9223372036854775807] {0})>();
    all_twins::<fixed!(s8 [2147483647 4294967295] {0 1})>();
    all_twins::<fixed!(f32 [65536 65535] {0 1})>();
    all_twins::<fixed!(u8 [1048576 1000000] {1 0})>();
    twins::<fixed!(f32 [8192 65536] {1 0} tile!(8 128), tile!(2 1))>();
    twins::<fixed!(f32 [8192 65536] {1 0} tile!(8 128), tile!(2 1), TailAlign<10>, ElementWidth<5>)>(
    );
    twins::<fixed!(f32 [1024 1023 1022] {1 0 2} tile!(512 512), tile!(8 128), tile!(2 1))>();
    twins::<fixed!(s8 [2147483647 2147483647] {0 1} tile!(8 128), tile!(4 1), TailAlign<1000>)>();
    twins::<fixed!(s8 [1152921504606846975] {0} tile!(7), TailAlign<15>)>();
    twins::<fixed!(s4 [9223372036854775807] {0} ElementWidth<1>)>();
}

/// The largest layouts of a 32-bit target.
#[test]
fn layouts_that_are_large_in_32_bits() {
    all_twins::<fixed!(s8 [2147483647] {0})>();
    all_twins::<fixed!(s8 [32767 65535] {0 1})>();
    twins::<fixed!(s8 [32767 32767] {0 1} tile!(8 128), tile!(4 1), TailAlign<1000>)>();
    twins::<fixed!(s4 [2147483647] {0} ElementWidth<1>)>();
}

/// Compiles for two types that are one.
fn same<X, Y>()
where
    X: Same<As = Y>,
{
}

trait Same {
    type As;
}

impl<X> Same for X {
    type As = X;
}

#[test]
fn twins_are_types_of_typenum() {
    type A = fixed!(f32 [2 3] {0 1});
    same::<<A as TypeNumbers>::Len, U6>();
    same::<<A as TypeNumbers>::Elements, U6>();
    same::<<A as TypeNumbers>::ElementBits, U32>();
    same::<<A as TypeNumbers>::Bytes, U24>();
    same::<<A as TypeNumbers>::Dims, (U2, U3)>();
    same::<<A as TypeNumbers>::MinorToMajor, (U0, U1)>();
    same::<<A as TypeStrides>::Strides, (U1, U2)>();

    type B = fixed!(f32 [2 3] {1 0} Padded<(Nat<3>, Nat<5>)>);
    same::<<B as TypeNumbers>::Len, U15>();
    same::<<B as TypeNumbers>::Bytes, U60>();
    same::<<B as TypeStrides>::Strides, (U5, U1)>();

    type C = fixed!(f32 [3 5] {1 0} Tile<(Nat<8>, Nat<128>)>);
    same::<<C as TypeNumbers>::Bytes, U4096>();
    same::<<C as TypeNumbers>::Elements, U15>();

    // An array without elements, and numbers that shrink, are in typenum's normal form, too.
    type Empty = fixed!(f32 [2 0] {1 0} Tile<(Nat<8>, Nat<128>)>, TailAlign<100>);
    same::<<Empty as TypeNumbers>::Len, U0>();
    same::<<Empty as TypeNumbers>::Bytes, U0>();
    type PackedView = fixed!(s4 [3] {0} ElementWidth<4>);
    same::<<PackedView as TypeNumbers>::Bytes, U2>();
    type Aligned = fixed!(f32 [2 3] {1 0} TailAlign<100>);
    same::<<Aligned as TypeNumbers>::Len, U100>();
    same::<<Aligned as TypeNumbers>::Bytes, U400>();
}

/// What generic-array's `ArrayLength` is: a number that represents an array.
trait ArrayLength: Unsigned {
    type Of<X: Copy + Default>: AsMut<[X]> + Default;
}

impl ArrayLength for U6 {
    type Of<X: Copy + Default> = [X; 6];
}

impl ArrayLength for U16 {
    type Of<X: Copy + Default> = [X; 16];
}

struct Buffer<X: Copy + Default, Of: TypeNumbers<Len: ArrayLength>>(
    <Of::Len as ArrayLength>::Of<X>,
);

impl<X: Copy + Default, Of: TypeNumbers<Len: ArrayLength>> Buffer<X, Of> {
    fn new() -> Self {
        Self(Default::default())
    }
}

fn of_length<N: Unsigned, X: TypeNumbers<Len = N>>() -> usize {
    assert_eq!(X::BUFFER_LEN, N::USIZE);
    N::USIZE
}

fn small<X: TypeNumbers>() -> &'static str
where
    X::Len: IsLess<U1000, Output = True>,
{
    type_name::<X>()
}

fn row_major_pair<X, Y, Rows, Inner, Columns>() -> usize
where
    Rows: Unsigned,
    Inner: Unsigned,
    Columns: Unsigned,
    X: TypeStrides<Dims = (Rows, Inner), Strides = (Inner, U1)>,
    Y: TypeStrides<Dims = (Inner, Columns), Strides = (Columns, U1)>,
{
    assert_eq!(X::BUFFER_LEN, Rows::USIZE * Inner::USIZE);
    assert_eq!(Y::BUFFER_LEN, Inner::USIZE * Columns::USIZE);
    Rows::USIZE * Inner::USIZE * Columns::USIZE
}

fn square<const N: usize>() -> usize
where
    Const<N>: ToUInt,
    StaticLayout<f32, (Nat<N>, Nat<N>), MinorToMajor<(Nat<1>, Nat<0>)>, ()>: TypeNumbers,
{
    <StaticLayout<f32, (Nat<N>, Nat<N>), MinorToMajor<(Nat<1>, Nat<0>)>, ()> as TypeNumbers>::Len::USIZE
}

/// How many tiles of `N` elements there are, for any number that typenum has a name for.
fn tiles_of<const N: usize>() -> usize
where
    StaticLayout<f32, (Nat<100>,), MinorToMajor<(Nat<0>,)>, (Tile<(Nat<N>,)>,)>: TypeNumbers,
{
    <StaticLayout<f32, (Nat<100>,), MinorToMajor<(Nat<0>,)>, (Tile<(Nat<N>,)>,)> as TypeNumbers>::Len::USIZE / N
}

/// A dimension that is any number of typenum.
fn rows_of_three<P: Unsigned>() -> usize
where
    StaticLayout<f32, (Num<Typenum<P>>, Nat<3>), MinorToMajor<(Nat<1>, Nat<0>)>, ()>: TypeNumbers,
{
    <StaticLayout<f32, (Num<Typenum<P>>, Nat<3>), MinorToMajor<(Nat<1>, Nat<0>)>, ()> as TypeNumbers>::Len::USIZE
}

/// A part of one layout has the type of another.
fn halves<Whole, Half>()
where
    Half: TypeNumbers<Len: std::ops::Mul<U2, Output = Whole::Len>>,
    Whole: TypeNumbers,
{
    assert_eq!(Whole::BUFFER_LEN, 2 * Half::BUFFER_LEN);
}

#[test]
fn bounds_of_generic_functions() {
    type A = fixed!(f32 [2 3] {0 1});
    type Tiled = fixed!(f32 [3 5] {1 0} Tile<(Nat<4>, Nat<8>)>);
    assert_eq!(Buffer::<f32, A>::new().0.as_mut().len(), A::BUFFER_LEN);
    assert_eq!(of_length::<U6, A>(), 6);
    assert_eq!(of_length::<U32, Tiled>(), 32);
    assert!(small::<A>().contains("StaticLayout"));
    assert!(small::<Tiled>().contains("StaticLayout"));
    type Left = fixed!(f32 [8 3] {1 0});
    type Right = fixed!(f64 [3 5] {1 0});
    assert_eq!(row_major_pair::<Left, Right, U8, U3, U5>(), 120);
    assert_eq!(row_major_pair::<Left, Right, _, _, _>(), 120);
    assert_eq!(square::<16>(), 256);
    assert_eq!(tiles_of::<8>(), 13);
    assert_eq!(tiles_of::<7>(), 15);
    assert_eq!(tiles_of::<100>(), 1);
    assert_eq!(rows_of_three::<Prod<U1000, U7>>(), 21_000);
    halves::<fixed!(s8 [4 4] {1 0} Tile<(Nat<2>, Nat<4>)>), fixed!(f32 [8] {0})>();
    fn any<X: TypeNumbers>() -> usize {
        X::Bytes::USIZE
    }
    assert_eq!(any::<Tiled>(), 128);
}
