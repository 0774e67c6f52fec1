//! The layout of a part of most layouts.

/// The layout of a part is a [`RegionLayout`](crate::region::RegionLayout) of a copy of this one, or of a reference.
macro_rules! own_region {
    ($self:ident) => {
        type Region<'a>
            = $crate::region::RegionLayout<Self>
        where
            Self: 'a;

        #[inline(always)]
        fn region<'a>(
            &'a $self,
            sizes: Self::Coordinates,
            _: $crate::array_layout::sealed::Token,
        ) -> $crate::region::RegionLayout<Self>
        where
            Self: 'a,
        {
            $crate::region::RegionLayout::new($self.clone(), sizes)
        }
    };
    (&$self:ident) => {
        type Region<'a>
            = $crate::region::RegionLayout<&'a Self>
        where
            Self: 'a;

        #[inline(always)]
        fn region<'a>(
            &'a $self,
            sizes: Self::Coordinates,
            _: $crate::array_layout::sealed::Token,
        ) -> $crate::region::RegionLayout<&'a Self>
        where
            Self: 'a,
        {
            $crate::region::RegionLayout::new($self, sizes)
        }
    };
}

pub(crate) use own_region;
