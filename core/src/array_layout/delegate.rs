//! Methods of layouts that answer what another layout answers.

/// Writes methods of [`ArrayLayout`](super::ArrayLayout) that pass the question to an expression of
/// `self`: `delegate! { self.whole: element_type rank }`. The coordinates are those of that layout.
macro_rules! delegate {
    ($self:ident.$inner:tt: $($method:ident)*) => {
        $($crate::array_layout::delegate! { @ $method ($self) ($self.$inner) })*
    };
    (*$self:ident: $($method:ident)*) => {
        $($crate::array_layout::delegate! { @ $method ($self) (**$self) })*
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
    (@ stride_of ($self:ident) ($inner:expr)) => {
        #[inline(always)]
        fn stride_of(&$self, mode: &$crate::modes::Mode) -> usize {
            $inner.stride_of(mode)
        }
    };
    (@ is_reversed ($self:ident) ($inner:expr)) => {
        #[inline(always)]
        fn is_reversed(&$self, dimension: usize) -> bool {
            $inner.is_reversed(dimension)
        }
    };
    (@ owns_padding ($self:ident) ($inner:expr)) => {
        #[inline(always)]
        fn owns_padding(&$self) -> bool {
            $inner.owns_padding()
        }
    };
    (@ element_type ($self:ident) ($inner:expr)) => {
        #[inline(always)]
        fn element_type(&$self) -> $crate::PrimitiveType {
            $inner.element_type()
        }
    };
    (@ rank ($self:ident) ($inner:expr)) => {
        #[inline(always)]
        fn rank(&$self) -> usize {
            $inner.rank()
        }
    };
    (@ sizes ($self:ident) ($inner:expr)) => {
        #[inline(always)]
        fn sizes(&$self) -> Self::Coordinates {
            $inner.sizes()
        }
    };
    (@ in_bounds ($self:ident) ($inner:expr)) => {
        #[inline(always)]
        fn in_bounds(&$self, index: &Self::Coordinates) -> bool {
            $inner.in_bounds(index)
        }
    };
    (@ in_bounds_again ($self:ident) ($inner:expr)) => {
        #[inline(always)]
        fn in_bounds_again(&$self, index: &Self::Coordinates) -> bool {
            $inner.in_bounds_again(index)
        }
    };
    (@ linear_index_in_bounds ($self:ident) ($inner:expr)) => {
        #[inline(always)]
        fn linear_index_in_bounds(&$self, index: &[usize]) -> Option<usize> {
            $inner.linear_index_in_bounds(index)
        }
    };
    (@ linear_index ($self:ident) ($inner:expr)) => {
        #[inline(always)]
        fn linear_index(&$self, index: &Self::Coordinates) -> usize {
            $inner.linear_index(index)
        }
    };
    (@ multi_index ($self:ident) ($inner:expr)) => {
        #[inline(always)]
        fn multi_index(&$self, linear_index: usize) -> Option<Self::Coordinates> {
            $inner.multi_index(linear_index)
        }
    };
    (@ multi_index_of_element ($self:ident) ($inner:expr)) => {
        #[inline(always)]
        fn multi_index_of_element(&$self, linear_index: usize) -> Self::Coordinates {
            $inner.multi_index_of_element(linear_index)
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
    (@ shape ($self:ident) ($inner:expr)) => {
        #[inline]
        fn shape(&$self) -> $crate::ArrayShape {
            $inner.shape()
        }
    };
    (@ strides ($self:ident) ($inner:expr)) => {
        #[inline]
        fn strides(&$self) -> Option<Self::Coordinates> {
            $inner.strides()
        }
    };
    (@ for_each_in_memory ($self:ident) ($inner:expr)) => {
        #[inline(always)]
        fn for_each_in_memory(&$self, visit: impl FnMut(&Self::Coordinates, usize)) {
            $inner.for_each_in_memory(visit);
        }
    };
}

pub(crate) use delegate;
