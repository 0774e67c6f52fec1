//! The layout of a part of most layouts, and the layout of a copy.

/// The layout of a part is a [`RegionLayout`](crate::RegionLayout) of a copy of this one,
/// or of a reference.
macro_rules! own_region {
    ($self:ident) => {
        own_region! { $self, Self, $self.clone() }
    };
    (&$self:ident) => {
        own_region! { $self, &'a Self, $self }
    };
    ($self:ident, $whole:ty, $value:expr) => {
        type Region<'a>
            = $crate::layouts::RegionLayout<$whole>
        where
            Self: 'a;

        #[inline(always)]
        fn region<'a>(
            &'a $self,
            sizes: Self::Coordinates,
            _: $crate::array_layout::sealed::Token,
        ) -> Self::Region<'a>
        where
            Self: 'a,
        {
            $crate::layouts::RegionLayout::new($value, sizes)
        }
    };
}

/// The layout of a copy: that of the array itself; or of a part, a dense one.
macro_rules! own_layout {
    ($self:ident) => {
        type Owned = Self;

        #[inline(always)]
        fn owned(&$self, _: $crate::array_layout::sealed::Token) -> Self {
            $self.clone()
        }
    };
    ($self:ident: StridedLayout) => {
        type Owned = $crate::layouts::StridedLayout<Self::Coordinates>;

        #[inline]
        fn owned(&$self, token: $crate::array_layout::sealed::Token) -> Self::Owned {
            $crate::layouts::StridedLayout::dense($self, token)
        }
    };
}

pub(crate) use own_layout;
pub(crate) use own_region;
