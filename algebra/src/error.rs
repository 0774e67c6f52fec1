//! The one error of this crate.

xlayout_shape::error_table! {
    /// Why there is no map, or no answer.
    #[derive(Clone, Copy, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum MapError {
        /// The map needs more terms than it has room for.
        TooManyTerms {
            /// How many there is room for.
            limit: usize,
        } => ["a map of more than {limit} terms";
            "write `Map<N>` with a greater `N`, or compose fewer maps"]
        /// The map needs more merged coordinates than it has room for.
        TooManySums {
            /// How many there is room for.
            limit: usize,
        } => ["a map of more than {limit} merged coordinates"; "compose fewer maps"]
        /// More dimensions than a map has room for.
        TooManyDimensions {
            /// How many there would be.
            found: usize,
            /// How many there is room for.
            limit: usize,
        } => ["{found} dimensions"; "write at most {limit} dimensions"]
        /// A size or an offset does not fit in 62 bits.
        Overflow => [
            "a size or an offset of 2^62 = 4611686018427387904 or more";
            "write smaller sizes and strides"
        ]
        /// There is no such dimension.
        NoDimension {
            /// The number of the dimension.
            dim: usize,
            /// How many dimensions there are.
            rank: usize,
        } => ["dimension {dim} of a map of {rank} dimensions"; "count dimensions from 0"]
        /// Two lists that must have equal lengths do not.
        LengthMismatch {
            /// How many are needed.
            expected: usize,
            /// How many there are.
            found: usize,
        } => ["{found} numbers in place of {expected}"; "write {expected} numbers"]
        /// A divisor of 0.
        ZeroDivisor => ["a digit whose divisor is 0"; "write a divisor of 1 or more"]
        /// A list that is not a permutation of the dimensions.
        NotPermutation => [
            "a list of dimensions that is no permutation";
            "name each dimension once"
        ]
        /// The sizes before and after a reshape differ.
        SizeMismatch {
            /// Elements before.
            expected: u64,
            /// Elements after.
            found: u64,
        } => ["{found} elements in place of {expected}"; "write sizes whose product is {expected}"]
        /// An index outside of the map.
        OutOfBounds {
            /// The first offset that is outside.
            index: i64,
            /// How many indices there are.
            size: u64,
        } => [
            "index {index} of a map of {size} indices";
            "use an index from 0 to {}", size.saturating_sub(1)
        ]
        /// The operation has no answer for a map with merged coordinates.
        Merged => ["a map with merged coordinates, of which this needs the strides";
            "write sizes that divide each other"]
        /// The map is not a sum of one stride for each digit of the index.
        NotStrided => ["a map that is not a sum of digits times strides of 0 or more";
            "use sizes that divide each other, and no negative strides"]
        /// Translates of the map's image do not fill an interval.
        NoComplement {
            /// The stride that does not fit.
            stride: u64,
            /// What it must be a multiple of.
            below: u64,
        } => [
            "stride {stride} is no multiple of {below}, so translates of the map leave holes or \
             overlap";
            "write a stride that is a multiple of {below}"
        ]
        /// The divisor of a division does not divide the map.
        NotDivisible {
            /// The number of indices.
            size: u64,
            /// The indices of a tile and of the rest.
            tiles: u64,
        } => [
            "tiles that hold {tiles} of {size} indices";
            "write a tile that divides {size} without a rest"
        ]
        /// Two indices have one offset.
        NotInjective {
            /// An index.
            first: u64,
            /// The other index.
            second: u64,
        } => [
            "indices {first} and {second} have the same offset";
            "write strides that keep them apart"
        ]
        /// The inverse exists, but only as a table.
        NeedsTable => ["an inverse that is no short sum of digits"; "use a table of the offsets"]
        /// The elements of the new width are not contiguous, or not aligned.
        NotContiguous {
            /// How many elements make one.
            ratio: u64,
        } => [
            "{ratio} elements that are not contiguous and aligned";
            "choose a dimension whose stride is 1, or a smaller width"
        ]
        /// A width that is not a multiple of the other one.
        WidthMismatch {
            /// Bits of an element before.
            from: u32,
            /// Bits of an element after.
            to: u32,
        } => [
            "elements of {from} bits as elements of {to} bits";
            "write a width that divides the other one"
        ]
        /// The map is not linear over bits.
        NotLinear => [
            "a map that is not linear over bits";
            "use sizes that are powers of two, and strides whose sums do not carry"
        ]
        /// The matrix has no inverse.
        Singular {
            /// Two indices differ by these bits and have one offset.
            kernel: u64,
        } => ["a matrix that maps {kernel:#b} to 0"; "use columns that are linearly independent"]
        /// A number of banks, bits or bytes that is not possible.
        BadBanks => [
            "a number of banks, a width or a number of lanes that is not possible";
            "write powers of two: at most 64 banks and 64 lanes"
        ]
        /// The decision took more work than its budget.
        Undecided {
            /// The budget.
            work: u32,
        } => ["not decided within {work} steps"; "give a greater `Budget`"]
    }
}

xlayout_shape::explained!(MapError);

/// What an operation returns.
pub(crate) type Result<R, E = MapError> = core::result::Result<R, E>;

impl MapError {
    /// The message without its numbers, for constants: a panic there has constant words.
    pub(crate) const fn words(&self) -> &'static str {
        match self {
            Self::TooManyTerms { .. } => "too many terms; write a greater capacity, `Map<128>`",
            Self::TooManySums { .. } => "the map has too many merged coordinates",
            Self::TooManyDimensions { .. } => "the map has too many dimensions",
            Self::Overflow => "a size or an offset does not fit in 62 bits",
            Self::Undecided { .. } => "the decision took more work than its budget",
            Self::NoComplement { .. } => "translates of the map leave holes or overlap",
            Self::NotDivisible { .. } => "the tile does not divide the map",
            Self::NotInjective { .. } => "two indices have one offset",
            Self::OutOfBounds { .. } => "an offset is outside of the map",
            _ => "the map does not exist; call the function at run time for the whole message",
        }
    }
}
