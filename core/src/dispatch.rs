//! `dispatch!`: code that is generic over the element type, for a type that is known at run time
//! only.

/// Runs code with the Rust type of an element type that is known at run time, such as
/// `layout.element_type()`. The compiler makes the code once for each type, so the code should be a
/// call of a generic function.
///
/// ```
/// use xlayout_core::{Array, ArrayLayout, DynLayout, Element, LayoutError, SliceView, dispatch};
///
/// fn memory_of_zeros<T: Element>(layout: &DynLayout) -> Result<usize, LayoutError> {
///     Ok(size_of_val(Array::<T, _>::zeros(layout)?.memory()))
/// }
/// fn mean<T: Element + Into<f64>>(bytes: &[u8], layout: &DynLayout) -> Result<f64, LayoutError> {
///     let view = SliceView::<T, _>::from_bytes(layout, bytes)?;
///     Ok(view.iter().map(|&x| x.into()).sum::<f64>() / view.iter().len() as f64)
/// }
///
/// let layout: DynLayout = "s8[2,2]{0,1}".parse()?;
/// let bytes = [0, 2, 3, 255];
/// // For every element type that arrays can have:
/// assert_eq!(dispatch!(layout.element_type(), T => memory_of_zeros::<T>(&layout))??, 4);
/// // For some:
/// let found = dispatch!(layout.element_type(), T: f32 | i8 | u8 => mean::<T>(&bytes, &layout))??;
/// assert_eq!(found, 1.0);
/// // With a value for all others in the place of an error:
/// let element_type = layout.element_type();
/// let found = dispatch!(element_type, T: f32 | f64 => mean::<T>(&bytes, &layout)?, _ => 0.0);
/// assert_eq!(found, 0.0);
/// # Ok::<(), LayoutError>(())
/// ```
///
/// Without a list of types, `T` is [`DType::RustType`](crate::dtype::DType::RustType): Rust's own
/// type, and [`Raw`](crate::Raw) for other element types. A list has Rust types, such as `f32`,
/// `half::bf16` or `Raw<dtype::bf16>`. Code with `SliceView::from_bytes` needs a list without
/// `bool`, since not every byte is one.
///
/// # Errors
/// Without an arm `_` the value is a `Result`: [`LayoutError::NoCode`](crate::LayoutError::NoCode)
/// for an element type that is not listed, and for `token`, `opaque` and tuples, which have no
/// elements.
#[macro_export]
macro_rules! dispatch {
    // As a name, `f32 => …` would be code for every type.
    ($of:expr, bool $($rest:tt)*) => { $crate::dispatch!() };
    ($of:expr, i8 $($rest:tt)*) => { $crate::dispatch!() };
    ($of:expr, i16 $($rest:tt)*) => { $crate::dispatch!() };
    ($of:expr, i32 $($rest:tt)*) => { $crate::dispatch!() };
    ($of:expr, i64 $($rest:tt)*) => { $crate::dispatch!() };
    ($of:expr, u8 $($rest:tt)*) => { $crate::dispatch!() };
    ($of:expr, u16 $($rest:tt)*) => { $crate::dispatch!() };
    ($of:expr, u32 $($rest:tt)*) => { $crate::dispatch!() };
    ($of:expr, u64 $($rest:tt)*) => { $crate::dispatch!() };
    ($of:expr, f32 $($rest:tt)*) => { $crate::dispatch!() };
    ($of:expr, f64 $($rest:tt)*) => { $crate::dispatch!() };
    ($element_type:expr, $T:ident => $body:expr $(, _ => $other:expr)? $(,)?) => {
        $crate::dispatch_all!(
            f16 bf16 c64 c128 s1 s2 s4 u1 u2 u4 f8e5m2 f8e4m3fn f8e4m3b11fnuz f8e5m2fnuz
                f8e4m3fnuz f8e4m3 f8e3m4 f8e8m0fnu f4e2m1fn f6e3m2fn f6e2m3fn:
            $element_type, $T => $body $(, _ => $other)?
        )
    };
    ($element_type:expr, $T:ident: $($rust:ty)|+ => $body:expr $(,)?) => {{
        let found: $crate::ElementType = $element_type;
        $crate::dispatch!(
            found,
            $T: $($rust)|+ => ::core::result::Result::<_, $crate::LayoutError>::Ok($body),
            _ => ::core::result::Result::Err($crate::LayoutError::NoCode { element_type: found })
        )
    }};
    ($element_type:expr, $T:ident: $($rust:ty)|+ => $body:expr, _ => $other:expr $(,)?) => {{
        let found: $crate::ElementType = $element_type;
        match () {
            $(() if found == <<$rust as $crate::Element>::Type as $crate::dtype::DType>::TYPE => {
                #[allow(dead_code, reason = "code may do without the name of the type")]
                type $T = $rust;
                $body
            })+
            () => $other,
        }
    }};
    ($($other:tt)*) => {
        ::core::compile_error! {
            "`dispatch!` takes an element type, a name for the Rust type, and code\n\
             help: write `dispatch!(layout.element_type(), T => run::<T>())`, or list Rust types: \
             `T: f32 | i8 => run::<T>()`"
        }
    };
}

/// `dispatch!` of all types: Rust's own, and the others by their names in `dtype`.
#[doc(hidden)]
#[macro_export]
macro_rules! dispatch_all {
    ($($raw:ident)*: $element_type:expr, $T:ident => $($rest:tt)*) => {
        $crate::dispatch!(
            $element_type,
            $T: bool | i8 | i16 | i32 | i64 | u8 | u16 | u32 | u64 | f32 | f64
                $(| $crate::Raw<$crate::dtype::$raw>)* => $($rest)*
        )
    };
}
