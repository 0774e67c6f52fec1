//! One small text for each way to say sizes, strides, a type and an order.

use proptest::prelude::*;

use super::*;

/// What is asked: the commands, or the help.
fn asked(text: &str, given: &Given<'_>) -> String {
    let Some(Question { error, .. }) = question("SHAPE", text, given) else {
        return String::new();
    };
    let error = error.to_string();
    let commands: Vec<&str> = error.split("xlayout explain '").skip(1).collect();
    let arrays = commands.iter().filter_map(|rest| rest.split_once('\''));
    match commands.len() {
        0 => error,
        _ => joined(arrays.map(|(array, _)| array).collect::<Vec<_>>(), " or "),
    }
}

proptest! {
    /// And each place is in the text.
    #[test]
    fn no_text_panics(text in "(shape|stride|size=|dtype: |'[<>]f4'|row-major|[0-9x×,. ]{1,4}|[(\\[{<>}\\])]|[a-zA-Zé_&\n-]{1,3}|2x3xf32| of ){0,24}") {
        for sizes in [None, Some(&[2, 3][..])] {
            let given = Given { sizes, ..Given::default() };
            if let Some(question) = question("SHAPE", &text, &given) {
                for place in &question.error.mistakes()[0].places {
                    prop_assert!(text.get(place.span.clone()).is_some(), "{text}");
                }
            }
        }
    }
}

#[test]
fn parts_in_words_and_fields() {
    for (text, arrays) in [
        (
            "x shape:[2, 3], stride:[1, 2], is_contiguous:false",
            "f32[2,3]{0,1}",
        ),
        ("dims = [2, 3], strides = [24, 8]", "f64[2,3]{1,0}"),
        (
            "EQ(x.size(0), 2); EQ(x.size(1), 3); EQ(x.stride(0), 1); EQ(x.stride(1), 2)",
            "f32[2,3]{0,1}",
        ),
        (
            "shape[0] = 2, shape[1] = 3, stride[0]: 3, stride[1]: 1",
            "f32[2,3]{1,0}",
        ),
        (
            "int order[2] = {1, 0};\nint dims[] = {2, 3};",
            "f32[2,3]{1,0} or f32[2,3]{0,1}",
        ),
        (
            "echo x.shape\necho x.strides\n\n[2, 3]\n[1, 2]",
            "f32[2,3]{0,1}",
        ),
        ("Input[Half(2,3)] -> Output", "f16[2,3]{1,0}"),
        (
            "input `[2,3]` strides `(1,2)` into `[3,2]`",
            "f32[2,3]{0,1}",
        ),
        (
            "l = [2, 3], perm = [1, 0]",
            "f32[2,3]{1,0} or f32[2,3]{0,1}",
        ),
        ("a `2 x 3` Fortran array", "f32[2,3]{0,1}"),
        ("a 2 by 3 matrix, column major", "f32[2,3]{0,1}"),
        (
            ">> a.shape\n(2, 3)\n>> a.flags\n C_CONTIGUOUS : False\n F_CONTIGUOUS : True",
            "f32[2,3]{0,1}",
        ),
        (
            "a `major_to_minor` of `(0, 1)` is row-major",
            "the text says an order and no sizes",
        ),
        ("(2, 3, 4, 4) vs. (2, 3, 8)", ""),
        ("extents<int, 2, 3>, lstride: [1, 2]", "f32[2,3]{0,1}"),
        (
            "a tensor of shape 2 x 3 with strides of 3 and 1, float16",
            "f16[2,3]{1,0}",
        ),
        (
            "print(y.shape, y.strides)\n((2, 3), (1, 2))",
            "f32[2,3]{0,1}",
        ),
        (
            "{\"dims\": [2, 3], \"dtype\": \"F16\", \"stride\": [1, 2]}",
            "f16[2,3]{0,1}",
        ),
        (
            "shape: (2, 3)\nstrides: (24, 8)\nitemsize: 8\nformat: 'd'",
            "f64[2,3]{1,0}",
        ),
        (
            "Buf { extents: vec![2, 3], scalarType: DataType::Float32 }",
            "f32[2,3]{1,0}",
        ),
        (
            "std::vector<int64_t> sizes = {2, 3}; auto stride = std::array<int, 2>{1, 2};",
            "f32[2,3]{0,1}",
        ),
        ("a column-major 2x3 matrix of int32", "s32[2,3]{0,1}"),
        (
            "Tensor(shape=(2, 3), order='F', dtype='<f8')",
            "f64[2,3]{0,1}",
        ),
        (
            "minor_to_major: [0, 1], dimensions: [2, 3]",
            "f32[2,3]{0,1}",
        ),
        (
            "shape (2, 3, 4), perm (2, 0, 1)",
            "f32[2,3,4]{2,0,1} or f32[2,3,4]{1,0,2}",
        ),
        (
            "shape=(2, 4), strides=(16, 4), dtype=dtype('u4')",
            "u32[2,4]{1,0}",
        ),
        (
            "%1 : <2x3xf16, 3x1> -> <2x3xf16, 1x2>",
            "f16[2,3]{1,0} or f16[2,3]{0,1}",
        ),
        (
            "shapeA: 2 x 3\nshapeB: 4 x 5",
            "f32[2,3]{1,0} or f32[4,5]{1,0}",
        ),
        (
            "size (2, 3) but stride [3, 1], expected stride [1, 2]",
            "f32[2,3]{1,0} or f32[2,3]{0,1}",
        ),
        ("(2, 3) (1, 2)", "f32[2,3]{0,1}"),
        (
            "sizes (2, 3), major_to_minor value of (1, 0)",
            "f32[2,3]{0,1}",
        ),
        ("Shape: ((2,2),2)\nStride: ((4,1),2)", ""),
        ("b = a.T\nprint(b)\n[[0 2]\n [1 3]]", ""),
        ("[[0 2]\n [1 3]]", ""),
        // A kernel has no place in memory.
        (
            "kernel_size=(2, 2), stride=(1, 1)",
            "the text says strides and no sizes",
        ),
        (
            "assert_eq!(row_major_strides(&[2, 3]), &[3, 1])",
            "f32[2,3]{1,0}",
        ),
        ("extents (e.g. [2, 3] for a 2×3 matrix)", "f32[2,3]{1,0}"),
        ("a 2 × 3 array, strides 1 2", "f32[2,3]{0,1}"),
        (
            "from_shape_vec::<u8>((2, 3).strides((1, 2)), vec![0; 6])",
            "u8[2,3]{0,1}",
        ),
        (
            "block_ptr(shape=(a, b), strides=(b, 1))",
            "the text has names for sizes",
        ),
        ("x.shape(0) == 2 && x.stride(1) == 3", ""),
        ("np.array([[1, 2], [3, 4]], dtype=np.int32)", ""),
        ("from_slice_with_strides(slice, 2, 3, 0, 1)", ""),
        (
            "stride (1, 2) and (2, 1)",
            "the text says strides and no sizes",
        ),
        (
            "sizes: (2, 3), strides: (4, 2)",
            "no array has them: dimension 1 varies",
        ),
        ("shape (2, 3) stride (1, 1)", "no array has them: "),
        ("shape [2, 3], order (0, 1, 2)", "no array has them: "),
        (
            "sizes 1x2, sizes 3x4, sizes 5x6, stride (1, 1), stride (2, 1)",
            "give one array alone",
        ),
        (
            "size=[s0, 28], stride=[28, 1]",
            "the text has names for sizes",
        ),
        ("[s1**2*s0, 1]", "the text has names for sizes"),
        (
            "shape=[-1, 2], stride=[2, 1]",
            "the text has names for sizes",
        ),
        ("shape (2, 3), stride (3, 1), offset 4", "f32[2,3]{1,0}"),
        ("the size of it all is 5", ""),
        ("no layout", ""),
        ("((((((", ""),
        ("", ""),
    ] {
        let asked = asked(text, &Given::default());
        let is_right = match arrays {
            "" => asked.is_empty(),
            _ => asked.contains(arrays),
        };
        assert!(is_right, "{text}: {asked}");
    }
    let given = Given {
        sizes: Some(&[2, 3]),
        element_type: Some(ElementType::S64),
        axes: None,
    };
    for (text, arrays) in [
        (
            "eager (1, 2)  meta (3, 1)",
            "s64[2,3]{0,1} or s64[2,3]{1,0}",
        ),
        ("strides are (8, 16)", "s64[2,3]{0,1}"),
        ("its `minor_to_major` is (0, 1)", "s64[2,3]{0,1}"),
    ] {
        assert_eq!(asked(text, &given), arrays, "{text}");
    }
    let question = question("SHAPE", "shape (2, 3), offset 4", &Given::default());
    let error = question.unwrap().error;
    assert!(
        error.to_string().ends_with("it names are left out"),
        "{error}"
    );
}
