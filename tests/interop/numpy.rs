//! Compares arrays with NumPy 2.4 with ml_dtypes 0.6.

use serde_json::Value;
use xlayout::ElementType;
use xlayout::interop::{
    ArrayInterface, Contiguity, StridedArray, StridesKind, TypeStr, from_numpy_name, numpy_name,
};
use xlayout::xla::layout_util;

const NUMPY: &str = include_str!("numpy.jsonl");

fn lines(key: &str) -> Vec<Value> {
    let all = NUMPY
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    all.filter(|line| !line[key].is_null()).collect()
}

fn numbers(value: &Value) -> Vec<i64> {
    value
        .as_array()
        .expect("a list")
        .iter()
        .map(|n| n.as_i64().expect("a number"))
        .collect()
}

/// `flags.c_contiguous` and `flags.f_contiguous`, also of strides that NumPy would not make.
#[test]
fn flags() {
    let lines = lines("strides");
    assert!(lines.len() >= 200);
    for line in lines {
        let element: TypeStr = line["t"].as_str().unwrap().parse().unwrap();
        let element = element.element_type().unwrap();
        let sizes = numbers(&line["shape"]);
        let strides = numbers(&line["strides"]);
        let bytes = i64::from(element.bytes().unwrap());
        let flags = Contiguity {
            c: line["c"] == true,
            f: line["f"] == true,
        };
        assert_eq!(Contiguity::new(&sizes, &strides, bytes), flags, "{line}");
        // A contiguous array is dense; its layout has the same flags.
        let host = StridedArray::new(element, &sizes, &strides);
        if flags.c || flags.f {
            let shape = host.unwrap().dense().unwrap();
            assert_eq!(Contiguity::of_shape(&shape), flags, "{line}: {shape}");
            let layout = shape.layout.as_ref().unwrap();
            // The flags leave out dimensions of size 1, which have a place in the layout.
            let is_row_major = layout_util::is_monotonic_with_dim0_major(layout);
            assert!(!is_row_major || flags.c, "{line}: {shape}");
            let is_column_major = layout_util::is_monotonic_with_dim0_minor(layout);
            assert!(!is_column_major || flags.f, "{line}: {shape}");
            if sizes.iter().all(|&size| size != 1) {
                assert_eq!(is_row_major, flags.c, "{line}: {shape}");
            }
        } else if let Ok(shape) = host.and_then(|host| host.dense()) {
            assert_eq!(Contiguity::of_shape(&shape), flags, "{line}: {shape}");
        }
    }
}

/// The text of `__array_interface__`, for all kinds of views.
#[test]
fn interfaces() {
    let mut seen = Vec::new();
    for line in lines("text") {
        let read = line["text"].as_str().unwrap().parse::<ArrayInterface>();
        let answer = read.and_then(|interface| {
            let host = interface.to_strided_array()?;
            let flags = Contiguity::new(host.shape(), &host.byte_strides()?, {
                i64::from(host.stored().element_type.bytes().unwrap_or(0))
            });
            assert_eq!(
                (flags.c, flags.f),
                (line["c"] == true, line["f"] == true),
                "{line}"
            );
            if matches!(host.kind(), StridesKind::Dense) {
                // Printed again it is the same to NumPy.
                let again = ArrayInterface::new(&host.dense()?)?;
                assert_eq!(again, interface, "{line}");
                assert_eq!(again.to_string().parse::<ArrayInterface>()?, interface);
            }
            Ok(format!(
                "{:?} {} {}",
                host.kind(),
                host.stored(),
                host.first_element()
            ))
        });
        let answer = answer.unwrap_or_else(|error| error.message().to_string());
        seen.push(format!("{}: {answer}", line["of"].as_str().unwrap()));
    }
    let expected = [
        "base: Dense f32[4,6]{1,0} 0",
        "base.T: Dense f32[6,4]{0,1} 0",
        "base[::-1]: Reversed f32[4,6]{1,0} 18",
        "base[:, :3]: Padded f32[4,3]{1,0}, padded_dimensions = [4, 6] 0",
        "base[:, ::2]: dimension 1 varies fastest and steps by 8 bytes, where an element takes 4 \
         bytes",
        "base[:, 0:1]: Padded f32[4,1]{1,0}, padded_dimensions = [4, 6] 0",
        "base[1:3]: Dense f32[2,6]{1,0} 0",
        "np.broadcast_to(base[0], (3,6)): Broadcast f32[1,6]{1,0} 0",
        "np.zeros((2,0,3),'i8'): Dense s64[2,0,3]{2,1,0} 0",
        "np.zeros((),'b1'): Dense pred[] 0",
        "np.zeros(3,'c8'): Dense c64[3]{0} 0",
        "np.zeros((2,1,3),'f2',order='F'): Dense f16[2,1,3]{0,1,2} 0",
        "np.zeros(3,'>i4'): `>i4` has big-endian elements",
        "np.zeros(3,'U2'): XLA has no element type that NumPy calls `<U2`",
        "np.zeros(3,'M8[s]'): XLA has no element type that NumPy calls `<M8[s]`",
        "base[::-1, ::-1]: Reversed f32[4,6]{1,0} 23",
        "base[None, :, None]: Dense f32[1,4,1,6]{3,2,1,0} 0",
        "np.zeros((2,3,4),'u2').transpose(1,0,2): Dense u16[3,2,4]{2,0,1} 0",
        "np.lib.stride_tricks.sliding_window_view(np.zeros(5,'f4'),3): dimension 0 steps by 4 \
         bytes, but dimension 1 spans 12: their elements overlap or interleave",
        "np.zeros(3,'O'): XLA has no element type that NumPy calls `|O`",
        "np.zeros(3,[('a','i4'),('b','f4')]): `V8` says only that an element takes 8 bytes",
        "np.zeros(3,'>u1'): Dense u8[3]{0} 0",
    ];
    assert_eq!(seen, expected);
}

/// The names and type strings of all element types.
#[test]
fn types() {
    let mut named = 0;
    for line in lines("name") {
        let name = line["name"].as_str().unwrap();
        let typestr = line["typestr"].as_str().unwrap();
        let element = from_numpy_name(name).expect(name);
        assert_eq!(numpy_name(element), Some(name));
        let own = TypeStr::new(element).unwrap();
        assert_eq!(own.to_string(), typestr, "{name}");
        let read: TypeStr = typestr.parse().unwrap();
        assert_eq!(read, own);
        match read.element_type() {
            Ok(read) => assert_eq!(read, element),
            Err(_) => assert!(typestr.contains('V'), "{name}"),
        }
        named += 1;
    }
    let all = ElementType::all().filter(|ty| ty.is_array()).count();
    assert_eq!(named, all);
}

#[test]
fn types_of_ml_dtypes() {
    let text = "{'shape': (2, 4), 'typestr': '<V1', 'strides': (1, 2), 'version': 3}";
    let interface: ArrayInterface = text.parse().unwrap();
    let shape = |ty| interface.to_shape_of(ty).map(|shape| shape.to_string());
    // As many bytes as elements: NumPy does not pack.
    assert_eq!(shape(ElementType::S4).unwrap(), "s4[2,4]{0,1}");
    assert_eq!(shape(ElementType::F8e4m3fn).unwrap(), "f8e4m3fn[2,4]{0,1}");
    assert_eq!(
        shape(ElementType::S8).unwrap_err().to_string(),
        "elements of type `s8` do not go by `<V1`; name the type that the array has",
    );
    let packed = "s4[2,4]{1,0:E(4)}".parse().unwrap();
    assert!(ArrayInterface::new(&packed).is_err());
}
