//! The notations of other libraries, as text and as numbers: reading never panics; what is read and
//! printed reads back equal; elements lie where strides, an offset and arithmetic without limits
//! say.
#![no_main]

use std::fmt::{Debug, Display};
use std::str::FromStr;

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use xlayout_core::{ArrayLayout, ArrayShape, DynCoordinates, DynLayout, ElementType, List};
use xlayout_interop::{
    ArrayInterface, Contiguity, CuteLayout, DlDataType, DlTensor, Given, JaxLayout, MemRef,
    Notation, NumpyOrder, StridedArray, TypeStr,
};

#[derive(Arbitrary, Debug)]
enum Input<'a> {
    Text(&'a str),
    Shape(&'a str),
    Strides {
        element_type: u8,
        sizes: Vec<u8>,
        /// Small steps as a rule, any number now and then.
        strides: Vec<(i8, Option<i64>)>,
        offset: i64,
        dtype: (u8, u8),
    },
}

/// Arrays of more elements are read, not walked through.
const MOST: i128 = 4096;

fuzz_target!(|input: Input| match input {
    Input::Text(text) => texts(text),
    Input::Shape(text) => {
        if let Ok(shape) = text.parse::<ArrayShape>() {
            every_notation(&shape);
        }
    }
    Input::Strides {
        element_type,
        sizes,
        strides,
        offset,
        dtype,
    } => {
        let types: Vec<_> = ElementType::all().collect();
        let element_type = types[usize::from(element_type) % types.len()];
        let sizes: Vec<i64> = sizes
            .iter()
            .take(6)
            .map(|size| i64::from(size % 9))
            .collect();
        let strides: Vec<i64> = strides
            .iter()
            .take(6)
            .map(|(small, any)| any.unwrap_or(i64::from(*small)))
            .collect();
        numbers(element_type, &sizes, &strides, offset, dtype);
    }
});

fn texts(text: &str) {
    if let Some(array) = again::<ArrayInterface>(text) {
        if let Ok(host) = array.to_strided_array() {
            let strides = array.strides.as_ref().map(|strides| strides.as_slice());
            walk(&host, &array.shape, strides, true);
        }
        for element_type in ElementType::all() {
            let _ = array.to_shape_of(element_type);
        }
    }
    if let Some(memref) = again::<MemRef>(text) {
        let _ = (
            memref.to_shape(),
            memref.to_strided_array(),
            memref.offset(),
        );
    }
    if let Ok(cute) = text.parse::<CuteLayout>() {
        // Nesting that means nothing is not printed: what is printed is read as it is.
        let printed = cute.to_string();
        let back: CuteLayout = printed.parse().expect(&printed);
        assert_eq!(back.to_string(), printed);
        cute_map(&cute);
    } else {
        again::<CuteLayout>(text);
    }
    if let Some(jax) = again::<JaxLayout>(text) {
        for element_type in [ElementType::F32, ElementType::S4, ElementType::Pred] {
            let layout = jax.to_layout(element_type);
            if let Ok(printed) = JaxLayout::new(&layout) {
                assert_eq!(printed.major_to_minor, jax.major_to_minor);
            }
            let _ = jax.to_shape(element_type, &[2, 3]);
        }
    }
    if let Some(typestr) = again::<TypeStr>(text)
        && let Ok(element_type) = typestr.element_type()
    {
        assert_eq!(
            TypeStr::new(element_type).map(|own| own.element_type().is_ok()),
            Ok(true)
        );
    }
    again::<NumpyOrder>(text);
    // As every row of the table reads it, with what the text may leave out and without.
    for sizes in [&[][..], &[5], &[3, 17], &[2, 17, 5, 7]] {
        let given = Given {
            sizes: Some(sizes),
            element_type: Some(ElementType::Bf16),
            axes: Given::axes_of(sizes.len()),
        };
        for given in [
            given,
            Given {
                axes: None,
                ..given
            },
            Given::default(),
        ] {
            let _ = Notation::of(text, &given);
            for row in Notation::ALL {
                let read = row.read_each(text, &given, &mut |array| {
                    printed(&array.shape);
                    Ok(())
                });
                if let Err(error) = read {
                    assert!(!error.to_string().is_empty());
                    let span = error.span().unwrap_or(0..0);
                    assert!(text.get(span).is_some(), "{text:?}: {error}");
                }
            }
        }
    }
}

/// What every notation prints of a shape is read again as the same map, but for strides with gaps.
fn printed(shape: &ArrayShape) {
    let sizes: Option<Vec<i64>> = shape.dims.iter().map(|dim| dim.bound()).collect();
    let (Some(sizes), Some(expected)) = (sizes, map(shape)) else {
        return;
    };
    for row in Notation::ALL {
        let given = Given {
            sizes: Some(&sizes),
            element_type: Some(shape.element_type),
            axes: Given::axes_of(sizes.len()).filter(|_| row.key == "tvm"),
        };
        let Ok(text) = row.print(shape, &given).map(|text| text.to_string()) else {
            continue;
        };
        if row.key == "memref_buffer" {
            continue;
        }
        assert_eq!(
            Notation::of(&text, &given).map(|found| found.key),
            Some(row.key),
            "{text}"
        );
        match row.read(&text, &given) {
            Ok(back) => assert_eq!(map(&back).as_ref(), Some(&expected), "{shape} as {text}"),
            Err(error) => assert!(
                ["memref", "cute", "torch", "numpy", "dlpack"].contains(&row.key)
                    || shape.dims.iter().any(|dim| dim.is_dynamic()),
                "{shape} as {text}: {error}"
            ),
        }
    }
}

/// Reads a text, and what is printed of it: both are equal. An error says something.
fn again<T>(text: &str) -> Option<T>
where
    T: FromStr<Err: Display> + Display + PartialEq + Debug,
{
    match text.parse::<T>() {
        Ok(read) => {
            let printed = read.to_string();
            match printed.parse::<T>() {
                Ok(back) => assert_eq!(back, read, "{printed}"),
                Err(error) => panic!("{printed}: {error}"),
            }
            Some(read)
        }
        Err(error) => {
            assert!(!error.to_string().is_empty());
            None
        }
    }
}

fn numbers(
    element_type: ElementType,
    sizes: &[i64],
    strides: &[i64],
    offset: i64,
    (code, bits): (u8, u8),
) {
    let _ = Contiguity::new(sizes, strides, offset);
    let list = |items: &[i64]| List::try_from_iter(items.iter().copied()).expect("there is a heap");
    if let Ok(host) = StridedArray::new(element_type, sizes, strides) {
        walk(&host, sizes, Some(strides), true);
        every_notation(host.stored());
    }
    if let Ok(host) = StridedArray::from_element_strides(element_type, sizes, strides) {
        walk(&host, sizes, Some(strides), false);
        every_notation(host.stored());
    }
    let dtype = DlDataType {
        code,
        bits,
        lanes: 1,
    };
    let tensor = DlTensor {
        dtype,
        shape: list(sizes),
        strides: Some(list(strides)),
        byte_offset: offset as u64,
        subbyte_type_padded: offset % 2 == 0,
    };
    if let Ok(host) = tensor.to_strided_array() {
        assert_eq!(
            DlDataType::new(host.stored().element_type).as_ref(),
            Ok(&dtype)
        );
        walk(&host, sizes, Some(strides), false);
    }
    if let Ok(typestr) = TypeStr::new(element_type) {
        let interface = ArrayInterface {
            typestr,
            shape: list(sizes),
            strides: Some(list(strides)),
            offset,
        };
        assert_eq!(
            again::<ArrayInterface>(&interface.to_string()),
            Some(interface)
        );
    }
}

/// Every index: where the strides lead to is where the stored layout puts it, counted from the
/// first element.
fn walk(host: &StridedArray, sizes: &[i64], strides: Option<&[i64]>, in_bytes: bool) {
    assert_eq!(host.shape(), sizes);
    let _ = (host.kind(), host.dense(), host.byte_strides());
    let count: i128 = sizes.iter().map(|&size| i128::from(size)).product();
    let (Some(strides), Ok(stored)) = (strides, DynLayout::new(host.stored().clone())) else {
        return;
    };
    if count > MOST {
        return;
    }
    let unit = match host.stored().element_type.bytes() {
        Some(bytes) if in_bytes => i128::from(bytes),
        _ => 1,
    };
    for number in 0..count {
        let mut rest = number;
        let mut offset = 0;
        let mut index = vec![0; sizes.len()];
        for d in (0..sizes.len()).rev() {
            let size = i128::from(sizes[d]);
            let i = rest % size;
            rest /= size;
            offset += i * i128::from(strides[d]);
            index[d] = match (host.is_broadcast(d), host.is_reversed(d)) {
                (true, _) => 0,
                (_, true) => (size - 1 - i) as usize,
                _ => i as usize,
            };
        }
        let place = stored.linear_index(&DynCoordinates::from(&index[..]));
        assert_eq!(
            (place as i128 - i128::from(host.first_element())) * unit,
            offset,
            "{host:?} {index:?}"
        );
    }
}

/// The linear index of every element, in logical sequence; nothing for many elements.
fn map(shape: &ArrayShape) -> Option<Vec<usize>> {
    let layout = DynLayout::new(shape.clone()).ok()?;
    (layout.elements() as i128 <= MOST).then(|| {
        let mut all = Vec::new();
        layout.for_each_index(|index| all.push(layout.linear_index(index)));
        all
    })
}

/// A layout in the words of every library, and back: the elements lie where they lay.
fn every_notation(shape: &ArrayShape) {
    printed(shape);
    let expected = map(shape);
    let same = |back: ArrayShape| {
        if let (Some(expected), Some(found)) = (&expected, map(&back)) {
            assert_eq!(&found, expected, "{shape} as {back}");
        }
    };
    if let Ok(host) = StridedArray::of_shape(shape)
        && let Ok(back) = host.padded()
    {
        same(back);
    }
    if let Ok(interface) = ArrayInterface::new(shape) {
        assert_eq!(
            again::<ArrayInterface>(&interface.to_string()).as_ref(),
            Some(&interface)
        );
        if let Ok(back) = interface.to_shape_of(shape.element_type) {
            same(back);
        }
    }
    if let Ok(tensor) = DlTensor::new(shape)
        && let Ok(back) = tensor.to_shape()
    {
        same(back);
    }
    if let Ok(memref) = MemRef::new(shape) {
        assert_eq!(again::<MemRef>(&memref.to_string()).as_ref(), Some(&memref));
        let known = shape
            .dims
            .iter()
            .all(|dim| matches!(dim, xlayout_core::Dim::Static(_)));
        if known && let Ok(back) = memref.to_shape() {
            same(back);
        }
    }
    if let Ok(memref) = MemRef::physical(shape) {
        let _ = (memref.to_string(), memref.to_shape());
    }
    if let Ok(cute) = CuteLayout::new(shape) {
        let printed = cute.to_string();
        let back: CuteLayout = printed.parse().expect(&printed);
        assert_eq!(back.to_string(), printed);
        let dims: Option<Vec<i64>> = shape.dims.iter().map(|dim| dim.bound()).collect();
        if let Some(dims) = dims
            && let Ok(back) = cute.to_shape_with(shape.element_type, &dims)
        {
            same(back);
        }
    }
    if let Some(layout) = &shape.layout
        && let Ok(jax) = JaxLayout::new(layout)
    {
        assert_eq!(again::<JaxLayout>(&jax.to_string()).as_ref(), Some(&jax));
        let dims: Option<Vec<i64>> = shape.dims.iter().map(|dim| dim.bound()).collect();
        if let Some(dims) = dims
            && let Ok(back) = jax.to_shape(shape.element_type, &dims)
        {
            same(back);
        }
    }
}

/// Every coordinate of a CuTe layout, by its digits: where the layout that was found puts it.
fn cute_map(cute: &CuteLayout) {
    let Ok(shape) = cute.to_shape(ElementType::U8) else {
        return;
    };
    let Some(found) = map(&shape) else { return };
    let sizes: Vec<i64> = cute.shape().collect();
    for (number, found) in found.into_iter().enumerate() {
        let mut rest = number as i64;
        let mut offset = 0;
        for d in (0..sizes.len()).rev() {
            let mut coordinate = rest % sizes[d];
            rest /= sizes[d];
            for (size, stride) in cute.digits(d) {
                offset += coordinate % size * stride;
                coordinate /= size;
            }
        }
        assert_eq!(found as i64, offset, "{cute} as {shape}");
    }
}
