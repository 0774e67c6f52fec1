//! Arrays of new memory, and in the bytes of a buffer.

#[cfg(feature = "alloc")]
use super::Array;
use super::{View, ViewMut, unchecked};
use crate::element::{DType, Element};
use crate::laid_out::{CarriedBy, LaidOut};
use crate::misfit::Misfit;

/// Checks that elements of a Rust type are those of a layout.
pub(super) fn check_element<T: Element>(layout: &impl LaidOut) -> Result<(), Misfit> {
    let expected = <T::Type as DType>::TYPE;
    if layout.element_type() != expected {
        return Err(Misfit::ElementType {
            expected,
            found: layout.element_type(),
        });
    }
    let bits = 8 * size_of::<T>();
    if layout.element_bits() != bits {
        return Err(Misfit::ElementBits {
            expected: bits,
            found: layout.element_bits(),
        });
    }
    Ok(())
}

impl<'a, T: Element, L: LaidOut> View<'a, T, L>
where
    L::Type: CarriedBy<T>,
{
    /// The array in the bytes of a buffer, such as one that another program made.
    ///
    /// ```
    /// use xlayout_core::{Dyn, View, ViewMut};
    ///
    /// let layout: Dyn = "s8[2,2]{0,1}".parse().unwrap();
    /// let mut bytes = [1, 2, 3, 255];
    /// assert_eq!(View::<i8, _>::from_bytes(&bytes, &layout).unwrap()[[1, 1]], -1);
    /// ViewMut::<i8, _>::from_bytes(&mut bytes, &layout).unwrap()[[0, 1]] = -2;
    /// assert_eq!(bytes, [1, 2, 254, 255]);
    /// ```
    ///
    /// # Errors
    /// When the element type is not the layout's, when the number of bytes is not
    /// [`LaidOut::bytes`], or when the bytes do not begin at a multiple of the element's alignment.
    pub fn from_bytes(bytes: &'a [u8], layout: L) -> Result<Self, Misfit> {
        check_element::<T>(&layout)?;
        Self::new(
            unchecked::elements_of_bytes(bytes, layout.places())?,
            layout,
        )
    }
}

impl<'a, T: Element, L: LaidOut> ViewMut<'a, T, L>
where
    L::Type: CarriedBy<T>,
{
    /// The array in the bytes of a buffer, to write.
    ///
    /// # Errors
    /// As [`View::from_bytes`](View::from_bytes).
    pub fn from_bytes(bytes: &'a mut [u8], layout: L) -> Result<Self, Misfit> {
        check_element::<T>(&layout)?;
        Self::new(
            unchecked::elements_of_bytes_mut(bytes, layout.places())?,
            layout,
        )
    }
}

#[cfg(feature = "alloc")]
// The bounds are at the functions: there the compiler says which is not met, and `Element` says what
// to do; at the `impl` it says that the function is not found.
impl<T, L: LaidOut> Array<T, L> {
    /// An array of zeros; its padding has the layout's padding value, zero where it names none.
    ///
    /// ```
    /// use xlayout_core::{Array, Dyn, Misfit};
    /// let layout: Dyn = "f32[2,3]{1,0:T(2,4)}".parse().unwrap();
    /// let array = Array::<f32, _>::zeros(layout).unwrap();
    /// assert_eq!(array.memory(), [0.0; 8]);
    ///
    /// let large: Dyn = "u8[1000000000000]".parse::<Dyn>().unwrap();
    /// assert!(matches!(Array::<f32, _>::zeros(large), Err(Misfit::ElementType { .. })));
    /// ```
    ///
    /// # Errors
    /// When the element type is not the layout's, before memory is asked for;
    /// [`Misfit::OutOfMemory`] when there is none for so many bytes.
    pub fn zeros(layout: L) -> Result<Self, Misfit>
    where
        T: Element,
        L::Type: CarriedBy<T>,
    {
        check_element::<T>(&layout)?;
        let places = layout.places();
        let mut data = alloc::vec::Vec::new();
        data.try_reserve_exact(places)
            .map_err(|_| Misfit::OutOfMemory {
                element_type: layout.element_type(),
                places,
                bytes: layout.bytes(),
            })?;
        data.resize(places, T::ZERO);
        let mut array = Self::new(data, layout)?;
        array.fill_padding();
        Ok(array)
    }

    /// An array with an element for each index; its padding has the layout's padding value.
    ///
    /// ```
    /// use xlayout_core::{Array, Strided};
    /// let layout: Strided<2> = "s32[2,3]{0,1}".parse().unwrap();
    /// let array = Array::from_fn(layout, |&[y, x]| (10 * y + x) as i32).unwrap();
    /// assert_eq!(array.memory(), [0, 10, 1, 11, 2, 12]);
    /// ```
    ///
    /// # Errors
    /// As [`Array::zeros`].
    pub fn from_fn(layout: L, mut element: impl FnMut(&L::Coordinates) -> T) -> Result<Self, Misfit>
    where
        T: Element,
        L::Type: CarriedBy<T>,
    {
        let mut array = Self::zeros(layout)?;
        array.for_each_mut(|index, slot| *slot = element(index));
        Ok(array)
    }
}
