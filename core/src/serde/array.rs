//! Arrays: their layout, and their elements in logical sequence.

use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeStruct, Serializer};

use crate::array_layout::ArrayLayout;
use crate::element::Element;
use crate::element::StoredAs;
use crate::view::{ArrayBase, Storage};
use crate::{Array, LayoutError};

const FIELDS: &[&str] = &["layout", "elements"];

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
impl<S: Storage<Item: Serialize>, L: ArrayLayout + Serialize> Serialize for ArrayBase<S, L> {
    fn serialize<W: Serializer>(&self, serializer: W) -> Result<W::Ok, W::Error> {
        struct Elements<'a, S, L>(&'a ArrayBase<S, L>);
        impl<S: Storage<Item: Serialize>, L: ArrayLayout> Serialize for Elements<'_, S, L> {
            fn serialize<W: Serializer>(&self, serializer: W) -> Result<W::Ok, W::Error> {
                serializer.collect_seq(self.0.iter())
            }
        }
        let mut fields = serializer.serialize_struct("Array", 2)?;
        fields.serialize_field("layout", self.layout())?;
        fields.serialize_field("elements", &Elements(self))?;
        fields.end()
    }
}

/// Reads an array; its padding gets the layout's padding value. Another number of elements than the
/// layout has is an error.
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

fn array<T, L, E: Error>(layout: L, elements: &[T]) -> Result<Array<T, L>, E>
where
    T: Element,
    L: ArrayLayout,
    L::Type: StoredAs<T>,
{
    let (expected, found) = (layout.elements(), elements.len());
    if expected != found {
        return Err(E::custom(format_args!(
            "the layout {} has {expected} elements, found {found}; write one for each index, row-major",
            layout.shape()
        )));
    }
    let made = Array::zeros(layout).and_then(|mut array: Array<T, L>| {
        array.copy_from_row_major(elements)?;
        Ok(array)
    });
    made.map_err(|why: LayoutError| E::custom(why))
}

struct Fields<T, L>(PhantomData<(T, L)>);

impl<'de, T, L> Visitor<'de> for Fields<T, L>
where
    T: Element + Deserialize<'de>,
    L: ArrayLayout + Deserialize<'de>,
    L::Type: StoredAs<T>,
{
    type Value = Array<T, L>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array: its layout and its elements")
    }

    fn visit_seq<S: SeqAccess<'de>>(self, mut fields: S) -> Result<Self::Value, S::Error> {
        let Some(layout) = fields.next_element()? else {
            return Err(S::Error::missing_field("layout"));
        };
        let Some(elements) = fields.next_element_seed(Items(PhantomData))? else {
            return Err(S::Error::missing_field("elements"));
        };
        array::<T, L, _>(layout, &elements)
    }

    fn visit_map<M: MapAccess<'de>>(self, mut fields: M) -> Result<Self::Value, M::Error> {
        let (mut layout, mut elements) = (None, None);
        while let Some(field) = fields.next_key_seed(Field)? {
            if field == 0 && layout.replace(fields.next_value()?).is_some() {
                return Err(M::Error::duplicate_field("layout"));
            }
            if field == 1
                && elements
                    .replace(fields.next_value_seed(Items(PhantomData))?)
                    .is_some()
            {
                return Err(M::Error::duplicate_field("elements"));
            }
        }
        let Some(layout) = layout else {
            return Err(M::Error::missing_field("layout"));
        };
        let Some(elements) = elements else {
            return Err(M::Error::missing_field("elements"));
        };
        array::<T, L, _>(layout, &elements)
    }
}

/// The number of a field.
struct Field;

impl<'de> DeserializeSeed<'de> for Field {
    type Value = usize;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<usize, D::Error> {
        deserializer.deserialize_identifier(self)
    }
}

impl Visitor<'_> for Field {
    type Value = usize;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("`layout` or `elements`")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<usize, E> {
        match FIELDS.iter().position(|&field| field == name) {
            Some(field) => Ok(field),
            None => Err(E::unknown_field(name, FIELDS)),
        }
    }
}

/// A list of elements of any length.
struct Items<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> DeserializeSeed<'de> for Items<T> {
    type Value = Vec<T>;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Vec<T>, D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de, T: Deserialize<'de>> Visitor<'de> for Items<T> {
    type Value = Vec<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of elements")
    }

    fn visit_seq<S: SeqAccess<'de>>(self, mut items: S) -> Result<Vec<T>, S::Error> {
        // The length in the input is not trusted: memory grows as elements come.
        let mut read = Vec::new();
        while let Some(item) = items.next_element()? {
            read.push(item);
        }
        Ok(read)
    }
}
