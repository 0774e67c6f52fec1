use xlayout::FixedLayout;
use xlayout::fixed::{At, D, E, Fill, Fixed, L, M, MinorToMajor, Padded, S, Sc, Star, T, Zero};

type Rows<A> = Fixed<f32, (D<2>, D<3>), MinorToMajor<(D<1>, D<0>)>, A>;
type Order<O> = Fixed<f32, (D<2>, D<3>), MinorToMajor<O>, ()>;

const fn len<X: FixedLayout>() -> usize {
    X::LEN
}

const DIMENSION_TWICE: usize = len::<Order<(D<1>, D<1>)>>();
const DIMENSION_OUT_OF_RANGE: usize = len::<Order<(D<2>, D<0>)>>();
const DIMENSION_NEGATIVE: usize = len::<Order<(At<-1>, D<0>)>>();
const RANK_TOO_SMALL: usize = len::<Order<(D<0>,)>>();
const RANK_TOO_LARGE: usize = len::<Order<(D<1>, D<0>, D<2>)>>();
const TILE_ZERO: usize = len::<Rows<(T<(D<0>,)>,)>>();
const TILE_EMPTY: usize = len::<Rows<(T<()>,)>>();
const TILE_ENDS_IN_A_STAR: usize = len::<Rows<(T<(D<2>, Star)>,)>>();
const TAIL_ZERO: usize = len::<Rows<(L<0>,)>>();
const BYTES_TOO_MANY: usize = len::<Rows<(L<16>, E<{ i64::MAX as usize }>)>>();
const PREFIX_NEGATIVE: usize = len::<Rows<(M<-1>,)>>();
const SPLIT_OF_NO_DIMENSION: usize = len::<Rows<(Sc<99, (At<1>,)>,)>>();
const SPLIT_TWICE: usize = len::<Rows<(Sc<0, (At<1>,)>, Sc<0, (At<1>,)>)>>();
const PADDED_TOO_SHORT: usize = len::<Rows<(Padded<(D<3>,)>,)>>();
const PADDED_BELOW: usize = len::<Rows<(Padded<(D<2>, D<2>)>,)>>();
const PADDED_NEGATIVE: usize = len::<Rows<(Padded<(At<-2>, At<-3>)>,)>>();
const PADDED_AND_TILED: usize = len::<Rows<(T<(D<2>,)>, Padded<(D<3>, D<4>)>)>>();
const ATTRIBUTE_TWICE: usize = len::<Rows<(L<4>, L<8>)>>();
const SPACE_TWICE: usize = len::<Rows<(S<1>, S<2>)>>();
const OUT_OF_SEQUENCE: usize = len::<Rows<(Fill<Zero>, T<(D<2>,)>)>>();
const SIZES_OVERFLOW: usize =
    len::<Fixed<u8, (D<{ 1 << 32 }>, D<{ 1 << 32 }>), MinorToMajor<(D<1>, D<0>)>, ()>>();
const HIDDEN_OVERFLOW: usize =
    len::<Fixed<u8, (D<{ 1 << 62 }>, D<4>, D<0>), MinorToMajor<(D<0>, D<1>, D<2>)>, ()>>();
const SIZE_ABOVE_63_BITS: usize = len::<Fixed<u8, (D<{ 1 << 63 }>,), MinorToMajor<(D<0>,)>, ()>>();

fn main() {}
