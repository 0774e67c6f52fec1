use xlayout::ConstLayout;
use xlayout::types::{At, Nat, ElementWidth, Fill, StaticLayout, TailAlign, MetadataBytes, MinorToMajor, Padded, MemSpace, SplitDim, Star, Tile, Zero};

type Rows<A> = StaticLayout<f32, (Nat<2>, Nat<3>), MinorToMajor<(Nat<1>, Nat<0>)>, A>;
type Order<O> = StaticLayout<f32, (Nat<2>, Nat<3>), MinorToMajor<O>, ()>;

const fn len<X: ConstLayout>() -> usize {
    X::BUFFER_LEN
}

const DIMENSION_TWICE: usize = len::<Order<(Nat<1>, Nat<1>)>>();
const DIMENSION_OUT_OF_RANGE: usize = len::<Order<(Nat<2>, Nat<0>)>>();
const DIMENSION_NEGATIVE: usize = len::<Order<(At<-1>, Nat<0>)>>();
const RANK_TOO_SMALL: usize = len::<Order<(Nat<0>,)>>();
const RANK_TOO_LARGE: usize = len::<Order<(Nat<1>, Nat<0>, Nat<2>)>>();
const TILE_ZERO: usize = len::<Rows<(Tile<(Nat<0>,)>,)>>();
const TILE_EMPTY: usize = len::<Rows<(Tile<()>,)>>();
const TILE_ENDS_IN_A_STAR: usize = len::<Rows<(Tile<(Nat<2>, Star)>,)>>();
const TAIL_ZERO: usize = len::<Rows<(TailAlign<0>,)>>();
const BYTES_TOO_MANY: usize = len::<Rows<(TailAlign<16>, ElementWidth<{ i64::MAX as usize }>)>>();
const PREFIX_NEGATIVE: usize = len::<Rows<(MetadataBytes<-1>,)>>();
const SPLIT_OF_NO_DIMENSION: usize = len::<Rows<(SplitDim<99, (At<1>,)>,)>>();
const SPLIT_TWICE: usize = len::<Rows<(SplitDim<0, (At<1>,)>, SplitDim<0, (At<1>,)>)>>();
const PADDED_TOO_SHORT: usize = len::<Rows<(Padded<(Nat<3>,)>,)>>();
const PADDED_BELOW: usize = len::<Rows<(Padded<(Nat<2>, Nat<2>)>,)>>();
const PADDED_NEGATIVE: usize = len::<Rows<(Padded<(At<-2>, At<-3>)>,)>>();
const PADDED_AND_TILED: usize = len::<Rows<(Tile<(Nat<2>,)>, Padded<(Nat<3>, Nat<4>)>)>>();
const ATTRIBUTE_TWICE: usize = len::<Rows<(TailAlign<4>, TailAlign<8>)>>();
const SPACE_TWICE: usize = len::<Rows<(MemSpace<1>, MemSpace<2>)>>();
const OUT_OF_SEQUENCE: usize = len::<Rows<(Fill<Zero>, Tile<(Nat<2>,)>)>>();
const SIZES_OVERFLOW: usize =
    len::<StaticLayout<u8, (Nat<{ 1 << 32 }>, Nat<{ 1 << 32 }>), MinorToMajor<(Nat<1>, Nat<0>)>, ()>>();
const HIDDEN_OVERFLOW: usize =
    len::<StaticLayout<u8, (Nat<{ 1 << 62 }>, Nat<4>, Nat<0>), MinorToMajor<(Nat<0>, Nat<1>, Nat<2>)>, ()>>();
const SIZE_ABOVE_63_BITS: usize = len::<StaticLayout<u8, (Nat<{ 1 << 63 }>,), MinorToMajor<(Nat<0>,)>, ()>>();

fn main() {}
