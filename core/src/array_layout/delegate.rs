//! Methods of layouts that answer what another layout answers.

/// Writes methods of [`ArrayLayout`](super::ArrayLayout) that pass the question to an expression of
/// `self`: `delegate! { self.whole: element_type rank }`. The coordinates are those of that layout.
macro_rules! delegate {
    ($self:ident.$inner:tt: $($method:ident)*) => {
        $(delegate! { @ $method ($self) ($self.$inner) })*
    };
    (*$self:ident: $($method:ident)*) => {
        $(delegate! { @ $method ($self) (**$self) })*
    };
    (@ region ($self:ident) ($inner:expr)) => {
        #[inline(always)]
        fn region<'a>(
            &'a $self,
            sizes: Self::Coordinates,
            token: $crate::array_layout::sealed::Token,
        ) -> Self::Region<'a>
        where
            Self: 'a,
        {
            $inner.region(sizes, token)
        }
    };
    (@ with_resolved ($self:ident) ($inner:expr)) => {
        #[inline(always)]
        fn with_resolved<R>(
            &$self,
            token: $crate::array_layout::sealed::Token,
            use_: impl FnOnce($crate::modes::Resolved<'_>) -> R,
        ) -> R {
            $inner.with_resolved(token, use_)
        }
    };
    (@ for_each_in_memory ($self:ident) ($inner:expr)) => {
        #[inline(always)]
        fn for_each_in_memory(&$self, visit: impl FnMut(&Self::Coordinates, usize)) {
            $inner.for_each_in_memory(visit);
        }
    };
    // Those whose answer is in an `ElementCounts`.
    (@ counts ($self:ident) ($numbers:expr)) => {
        #[inline(always)]
        fn elements(&$self) -> usize {
            $numbers.elements
        }

        #[inline(always)]
        fn buffer_len(&$self) -> usize {
            $numbers.buffer_len
        }

        #[inline(always)]
        fn element_bits(&$self) -> usize {
            $numbers.element_bits
        }

        #[inline]
        fn bytes(&$self) -> usize {
            $numbers.bytes()
        }
    };
    // Those of at most one argument: their signatures. The arm `=` writes them.
    (@ stride_of $this:tt $inner:tt) => {
        delegate!(= $this $inner stride_of(mode: &$crate::modes::Mode) -> usize);
    };
    (@ is_reversed $this:tt $inner:tt) => {
        delegate!(= $this $inner is_reversed(dimension: usize) -> bool);
    };
    (@ owns_padding $this:tt $inner:tt) => { delegate!(= $this $inner owns_padding() -> bool); };
    (@ element_type $this:tt $inner:tt) => {
        delegate!(= $this $inner element_type() -> $crate::ElementType);
    };
    (@ rank $this:tt $inner:tt) => { delegate!(= $this $inner rank() -> usize); };
    (@ shape $this:tt $inner:tt) => { delegate!(= $this $inner shape() -> Self::Coordinates); };
    (@ in_bounds $this:tt $inner:tt) => {
        delegate!(= $this $inner in_bounds(index: &Self::Coordinates) -> bool);
    };
    (@ in_bounds_again $this:tt $inner:tt) => {
        delegate!(= $this $inner in_bounds_again(index: &Self::Coordinates) -> bool);
    };
    (@ linear_index_in_bounds $this:tt $inner:tt) => {
        delegate!(= $this $inner linear_index_in_bounds(index: &[usize]) -> Option<usize>);
    };
    (@ linear_index $this:tt $inner:tt) => {
        delegate!(= $this $inner linear_index(index: &Self::Coordinates) -> usize);
    };
    (@ multi_index $this:tt $inner:tt) => {
        delegate!(= $this $inner multi_index(linear_index: usize) -> Option<Self::Coordinates>);
    };
    (@ multi_index_of_element $this:tt $inner:tt) => {
        delegate!(= $this $inner multi_index_of_element(linear_index: usize) -> Self::Coordinates);
    };
    (@ array_shape $this:tt $inner:tt) => {
        delegate!(= $this $inner array_shape() -> $crate::ArrayShape);
    };
    (@ strides $this:tt $inner:tt) => {
        delegate!(= $this $inner strides() -> Option<Self::Coordinates>);
    };
    (= ($self:ident) ($inner:expr) $method:ident($($argument:ident: $type:ty)?) -> $answer:ty) => {
        #[inline(always)]
        fn $method(&$self $(, $argument: $type)?) -> $answer {
            $crate::ArrayLayout::$method(&$inner $(, $argument)?)
        }
    };
}
pub(crate) use delegate;
