//! Arrays: their layout, and their elements in logical sequence.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeStruct, Serializer};

use crate::array_layout::ArrayLayout;
use crate::element::Element;
use crate::element::StoredAs;
use crate::view::{ArrayBase, ArrayRef, Packed, Storage};
use crate::{Array, LayoutError};

const FIELDS: &[&str] = &["layout", "elements"];

fn write<W: Serializer, I: IntoIterator<Item: Serialize>>(
    serializer: W,
    layout: &impl Serialize,
    elements: impl Fn() -> I,
) -> Result<W::Ok, W::Error> {
    struct Elements<F>(F);
    impl<I: IntoIterator<Item: Serialize>, F: Fn() -> I> Serialize for Elements<F> {
        fn serialize<W: Serializer>(&self, serializer: W) -> Result<W::Ok, W::Error> {
            serializer.collect_seq((self.0)())
        }
    }
    let mut fields = serializer.serialize_struct("Array", 2)?;
    fields.serialize_field("layout", layout)?;
    fields.serialize_field("elements", &Elements(elements))?;
    fields.end()
}

/// The layout, and the elements in logical sequence, row-major. Padding is not written.
///
/// ```
/// use xlayout_core::{Array, DynLayout};
/// let layout: DynLayout = "f32[2,2]{0,1}".parse()?;
/// let array = Array::from_fn(layout, |at| (10 * at[0] + at[1]) as f32)?;
/// let text = serde_json::to_string(&array).unwrap();
/// assert_eq!(text, r#"{"layout":"f32[2,2]{0,1}","elements":[0.0,1.0,10.0,11.0]}"#);
/// assert_eq!(serde_json::from_str::<Array<f32, DynLayout>>(&text).unwrap(), array);
/// # Ok::<(), xlayout_core::LayoutError>(())
/// ```
impl<T: Element + Serialize, L: ArrayLayout + Serialize> Serialize for ArrayRef<T, L> {
    fn serialize<W: Serializer>(&self, serializer: W) -> Result<W::Ok, W::Error> {
        write(serializer, self.layout(), || self.iter())
    }
}

impl<S: Storage, L> Serialize for ArrayBase<S, L>
where
    ArrayRef<S::Item, L>: Serialize,
{
    fn serialize<W: Serializer>(&self, serializer: W) -> Result<W::Ok, W::Error> {
        (**self).serialize(serializer)
    }
}

impl<'de, T, L> Deserialize<'de> for Array<T, L>
where
    T: Element + Deserialize<'de>,
    L: ArrayLayout + Deserialize<'de>,
    L::Type: StoredAs<T>,
{
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_struct("Array", FIELDS, Fields(PhantomData))
    }
}

/// The layout, and the elements as numbers in logical sequence, row-major: with a sign if the
/// element type has one.
///
/// ```
/// use xlayout_core::{Array, DynLayout, Packed};
/// let layout: DynLayout = "s4[2,2]{1,0:E(4)}".parse()?;
/// let array = Array::packed_from_fn(layout, |at| at[0] as i8 - 1)?;
/// let text = serde_json::to_string(&array).unwrap();
/// assert_eq!(text, r#"{"layout":"s4[2,2]{1,0:E(4)}","elements":[-1,-1,0,0]}"#);
/// assert_eq!(serde_json::from_str::<Array<Packed, DynLayout>>(&text).unwrap(), array);
/// # Ok::<(), xlayout_core::LayoutError>(())
/// ```
impl<L: ArrayLayout + Serialize> Serialize for ArrayRef<Packed, L> {
    fn serialize<W: Serializer>(&self, serializer: W) -> Result<W::Ok, W::Error> {
        write(serializer, self.layout(), || self.iter())
    }
}

/// Reads a packed array; its padding is 0. A number that the element type does not have is an
/// error.
impl<'de, L: ArrayLayout + Deserialize<'de>> Deserialize<'de> for Array<Packed, L> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_struct("Array", FIELDS, Fields(PhantomData))
    }
}

/// An array that is read: what its layout and its elements make.
trait FromFields: Sized {
    type Item;
    type Layout: ArrayLayout;
    fn from_fields<E: Error>(layout: Self::Layout, elements: &[Self::Item]) -> Result<Self, E>;

    /// Makes the array of the fields that were found.
    ///
    /// # Errors
    /// When a field is missing, or there are more or fewer elements than the layout has.
    fn from_found<E: Error>(
        layout: Option<Self::Layout>,
        elements: Option<Vec<Self::Item>>,
    ) -> Result<Self, E> {
        let layout = layout.ok_or_else(|| E::missing_field("layout"))?;
        let elements = elements.ok_or_else(|| E::missing_field("elements"))?;
        let expected = layout.elements();
        let found = elements.len();
        if expected != found {
            return Err(E::custom(format_args!(
                "the layout {} has {expected} elements, found {found}; write one for each index, row-major",
                layout.array_shape()
            )));
        }
        Self::from_fields(layout, &elements)
    }
}

impl<T: Element, L: ArrayLayout> FromFields for Array<T, L>
where
    L::Type: StoredAs<T>,
{
    type Item = T;
    type Layout = L;

    fn from_fields<E: Error>(layout: L, elements: &[T]) -> Result<Self, E> {
        Array::from_row_major(layout, elements).map_err(|why: LayoutError| E::custom(why))
    }
}

impl<L: ArrayLayout> FromFields for Array<Packed, L> {
    type Item = i8;
    type Layout = L;

    fn from_fields<E: Error>(layout: L, elements: &[i8]) -> Result<Self, E> {
        let mut array = Array::packed_zeros(layout).map_err(|why: LayoutError| E::custom(why))?;
        for (at, &element) in elements.iter().enumerate() {
            let bits = element as u8 & ((1 << array.layout().element_bits()) - 1);
            if array.number(bits) != element {
                return Err(E::custom(format_args!(
                    "element {at} is {element}, which is no number of type {}",
                    array.layout().element_type()
                )));
            }
        }
        let copied = array.copy_from_row_major(elements);
        copied.map_err(|why: LayoutError| E::custom(why))?;
        Ok(array)
    }
}

struct Fields<A>(PhantomData<A>);

impl<'de, A> Visitor<'de> for Fields<A>
where
    A: FromFields<Item: Deserialize<'de>, Layout: Deserialize<'de>>,
{
    type Value = A;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array: its layout and its elements")
    }

    fn visit_seq<S: SeqAccess<'de>>(self, mut fields: S) -> Result<Self::Value, S::Error> {
        A::from_found(fields.next_element()?, fields.next_element()?)
    }

    fn visit_map<M: MapAccess<'de>>(self, mut fields: M) -> Result<Self::Value, M::Error> {
        let mut layout = None;
        let mut elements = None;
        while let Some(field) = fields.next_key::<String>()? {
            let again = match &*field {
                "layout" => layout.replace(fields.next_value()?).is_some(),
                "elements" => elements.replace(fields.next_value()?).is_some(),
                _ => return Err(M::Error::unknown_field(&field, FIELDS)),
            };
            if again {
                return Err(M::Error::custom(format_args!("duplicate field `{field}`")));
            }
        }
        A::from_found(layout, elements)
    }
}
