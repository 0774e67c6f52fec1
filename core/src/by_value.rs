//! Traits of a generic type by what its values hold: deriving would ask the same of the parameters.

/// Writes `Clone`, `PartialEq`, `Eq` and others that are named:
/// `by_value! { [D: RawBits] Raw<D>: Copy Hash = |it| it.0 }` for values that are what `it.0` is. A
/// type that is not `Copy` has a `Clone` of its own.
#[doc(hidden)]
#[macro_export]
macro_rules! by_value {
    ($generics:tt $of:ty: $($more:ident)* = |$it:ident| $value:expr) => {
        $crate::by_value!(@ Eq $generics $of = |$it| $value);
        $($crate::by_value!(@ $more $generics $of = |$it| $value);)*
    };
    (@ Eq [$($generics:tt)*] $of:ty = |$it:ident| $value:expr) => {
        impl<$($generics)*> PartialEq for $of {
            #[inline]
            fn eq(&self, other: &Self) -> bool {
                let $it = self;
                let left = &$value;
                let $it = other;
                *left == $value
            }
        }

        impl<$($generics)*> Eq for $of {}
    };
    (@ Copy [$($generics:tt)*] $of:ty = |$it:ident| $value:expr) => {
        impl<$($generics)*> Clone for $of {
            #[inline(always)]
            fn clone(&self) -> Self {
                *self
            }
        }

        impl<$($generics)*> Copy for $of {}
    };
    (@ Ord [$($generics:tt)*] $of:ty = |$it:ident| $value:expr) => {
        impl<$($generics)*> PartialOrd for $of {
            fn partial_cmp(&self, other: &Self) -> Option<::core::cmp::Ordering> {
                Some(self.cmp(other))
            }
        }

        impl<$($generics)*> Ord for $of {
            fn cmp(&self, other: &Self) -> ::core::cmp::Ordering {
                let $it = self;
                let left = &$value;
                let $it = other;
                ::core::cmp::Ord::cmp(left, &$value)
            }
        }
    };
    (@ Hash [$($generics:tt)*] $of:ty = |$it:ident| $value:expr) => {
        impl<$($generics)*> ::core::hash::Hash for $of {
            fn hash<H: ::core::hash::Hasher>(&self, state: &mut H) {
                let $it = self;
                ::core::hash::Hash::hash(&$value, state);
            }
        }
    };
}
