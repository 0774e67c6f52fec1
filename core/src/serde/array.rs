//! Arrays: their layout, and their elements in logical sequence.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeStruct, Serializer};

use crate::array::{Array, ArrayBase, ArrayRef, Storage, Stored};
use crate::array_layout::ArrayLayout;
use crate::element::StoredAs;
use crate::layout_error::LayoutError;

const FIELDS: &[&str] = &["layout", "elements"];

/// The elements in logical sequence, as they are written.
struct AllElements<'a, T, L>(&'a ArrayRef<T, L>);

impl<T: Stored<Number: Serialize>, L: ArrayLayout> Serialize for AllElements<'_, T, L> {
    fn serialize<W: Serializer>(&self, serializer: W) -> Result<W::Ok, W::Error> {
        serializer.collect_seq(self.0.iter().map(T::number))
    }
}

/// The layout, and the elements in logical sequence, row-major; those of packed arrays as numbers.
/// Padding is not written.
///
/// ```
/// use xlayout_core::{Array, DynLayout, Packed};
/// let layout: DynLayout = "f32[2,2]{0,1}".parse()?;
/// let array = Array::from_fn(layout, |at| (10 * at[0] + at[1]) as f32)?;
/// let text = serde_json::to_string(&array).unwrap();
/// assert_eq!(text, r#"{"layout":"f32[2,2]{0,1}","elements":[0.0,1.0,10.0,11.0]}"#);
/// assert_eq!(serde_json::from_str::<Array<f32, DynLayout>>(&text).unwrap(), array);
///
/// let layout: DynLayout = "s4[2,2]{1,0:E(4)}".parse()?;
/// let array = Array::packed_from_fn(layout, |at| at[0] as i8 - 1)?;
/// let text = serde_json::to_string(&array).unwrap();
/// assert_eq!(text, r#"{"layout":"s4[2,2]{1,0:E(4)}","elements":[-1,-1,0,0]}"#);
/// assert_eq!(serde_json::from_str::<Array<Packed, DynLayout>>(&text).unwrap(), array);
/// # Ok::<(), xlayout_core::LayoutError>(())
/// ```
impl<T: Stored<Number: Serialize>, L: ArrayLayout + Serialize> Serialize for ArrayRef<T, L> {
    fn serialize<W: Serializer>(&self, serializer: W) -> Result<W::Ok, W::Error> {
        let mut fields = serializer.serialize_struct("Array", 2)?;
        fields.serialize_field("layout", self.layout())?;
        fields.serialize_field("elements", &AllElements(self))?;
        fields.end()
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

/// A number that the element type of a packed array does not have is an error.
impl<'de, T, L> Deserialize<'de> for Array<T, L>
where
    T: Stored<Number: Deserialize<'de>>,
    L: ArrayLayout + Deserialize<'de>,
    L::Type: StoredAs<T>,
{
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_struct("Array", FIELDS, Fields(PhantomData))
    }
}

/// Makes the array of the fields that were found.
///
/// # Errors
/// When a field is missing, there are more or fewer elements than the layout has, or one does not
/// fit.
fn from_found<T, L, E>(
    layout: Option<L>,
    elements: Option<Vec<T::Number>>,
) -> Result<Array<T, L>, E>
where
    T: Stored,
    L: ArrayLayout,
    E: Error,
{
    let layout = layout.ok_or_else(|| E::missing_field("layout"))?;
    let elements = elements.ok_or_else(|| E::missing_field("elements"))?;
    let expected = layout.elements();
    let found = elements.len();
    if expected != found {
        return Err(E::custom(format_args!(
            "the layout {} has {expected} elements, found {found}; write one for each index, \
             row-major",
            layout.array_shape()
        )));
    }
    let refused = |why: LayoutError| E::custom(why);
    let mut array = Array::<T, L>::zeros_of(layout).map_err(refused)?;
    for (at, &element) in elements.iter().enumerate() {
        if let Some(number) = T::beyond(array.layout(), element) {
            return Err(E::custom(format_args!(
                "element {at} is {number}, which is no number of type {}",
                array.layout().element_type()
            )));
        }
    }
    array.copy_from_row_major(&elements).map_err(refused)?;
    Ok(array)
}

struct Fields<A>(PhantomData<A>);

impl<'de, T, L> Visitor<'de> for Fields<Array<T, L>>
where
    T: Stored<Number: Deserialize<'de>>,
    L: ArrayLayout + Deserialize<'de>,
{
    type Value = Array<T, L>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array: its layout and its elements")
    }

    fn visit_seq<S: SeqAccess<'de>>(self, mut fields: S) -> Result<Self::Value, S::Error> {
        from_found(fields.next_element()?, fields.next_element()?)
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
        from_found(layout, elements)
    }
}
