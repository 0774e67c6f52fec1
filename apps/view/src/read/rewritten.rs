//! Texts that say in other words what a notation says.
//!
//! ```text
//! StableHLO  operand_layouts = [dense<[0, 1]> : tensor<2xindex>]    {0,1}
//! npy        {'descr': '<f8', 'fortran_order': True, 'shape': (3,)} shape=(3,), dtype='<f8', order='F'
//! TVM        Tensor[(2, 3), float32]    R.Tensor((2, 3), dtype="float32")    float32[2, 3]
//! PyTorch    x.as_strided((2, 3), (3, 1))                           torch.Size([2, 3]), stride=(3, 1)
//! xDSL       StridedLayoutAttr((3, 1), 5)                           strided<[3, 1], offset: 5>
//! cuDNN      "dim":[2,3] … "stride":[1,2]    .set_dim({2, 3})    torch.Size([2,3]), stride=(1,2)
//! MIGraphX   half_type, {2, 3}, {1, 2}   !migraphx.shaped<2x3xf16, 1x2>
//! TensorRT   NC/32HW32                                              aBcd32b of oneDNN
//! OpenVINO   b_fs_yx_fsv16                                          aBcd16b of oneDNN
//! ```

/// A text of a notation that says the same.
pub(super) fn rewritten(text: &str) -> Option<String> {
    of_dense(text)
        .or_else(|| of_npy(text))
        .or_else(|| of_ndarray(text))
        .or_else(|| of_tvm(text))
        .or_else(|| of_view(text))
        .or_else(|| of_xdsl(text))
        .or_else(|| of_cudnn(text))
        .or_else(|| of_migraphx(text))
        .or_else(|| of_openvino(text))
        .or_else(|| of_tensorrt(text))
}

/// The one layout among `operand_layouts = [dense<[0, 1]> : tensor<2xindex>]` of StableHLO, which
/// is minor_to_major.
pub(super) fn of_dense(text: &str) -> Option<String> {
    let (before, layout) = text.split_once("dense<[")?;
    let (dimensions, behind) = layout.split_once("]> : tensor<")?;
    let (of_type, behind) = behind.split_once('>')?;
    let is_begin = before.is_empty() || before.ends_with("layouts = [");
    let is_one = is_begin && of_type.ends_with("xindex") && !behind.contains("dense<");
    is_one.then(|| format!("{{{dimensions}}}"))
}

/// The header of a file of NumPy's.
fn of_npy(text: &str) -> Option<String> {
    let value = |key: &str| Some(text.split_once(key)?.1.trim_start());
    let order = value("'fortran_order':")?;
    let order = if order.starts_with("True") { 'F' } else { 'C' };
    let (dtype, _) = value("'descr':")?.strip_prefix('\'')?.split_once('\'')?;
    let (sizes, _) = value("'shape':")?.split_once(')')?;
    Some(format!("shape={sizes}), dtype='{dtype}', order='{order}'"))
}

/// NumPy's array, whose sizes come first.
fn of_ndarray(text: &str) -> Option<String> {
    let is_short = text.contains("np.ndarray((") && !text.contains("shape=");
    is_short.then(|| text.replacen("ndarray((", "ndarray(shape=(", 1))
}

/// A type of TVM's Relay or Relax, or a buffer of its scripts with nothing but sizes and a type.
fn of_tvm(text: &str) -> Option<String> {
    let heads = ["Tensor[(", "R.Tensor((", "T.Buffer(("];
    let inner = heads
        .iter()
        .find_map(|head| text.trim().strip_prefix(head))?;
    // `(T.int64(16),), "float32")`
    let inner = inner.replace("T.int64(", "").replace("),)", ",)");
    let inner = inner.strip_suffix([']', ')'])?;
    let (sizes, element_type) = inner.rsplit_once("),")?;
    let sizes = sizes.replace([')', ' '], "");
    let sizes = sizes.trim_end_matches(',').replace(',', ", ");
    let element_type = element_type.trim().trim_start_matches("dtype=");
    let name = element_type.trim_matches(['"', '\'']);
    let is_name = name.chars().all(|letter| letter.is_ascii_alphanumeric());
    is_name.then(|| format!("{name}[{sizes}]"))
}

/// A view of a tensor of PyTorch's, by its sizes and its strides in elements.
fn of_view(text: &str) -> Option<String> {
    let inner = text.trim().strip_prefix(".as_strided(")?;
    let (sizes, rest) = first_list(inner)?;
    let (strides, rest) = first_list(rest.trim_start_matches([',', ' ']))?;
    (rest == ")").then(|| format!("torch.Size([{sizes}]), stride=({strides})"))
}

/// The numbers of the list at the beginning, and the text behind it.
fn first_list(text: &str) -> Option<(&str, &str)> {
    let inner = text.strip_prefix(['(', '[', '{'])?;
    let (numbers, rest) = inner.split_once([')', ']', '}'])?;
    let is_of_list = |letter: char| letter.is_ascii_digit() || ", ".contains(letter);
    numbers.chars().all(is_of_list).then_some((numbers, rest))
}

/// The strides and the offset of a memref, in Python.
fn of_xdsl(text: &str) -> Option<String> {
    let inner = text.trim().strip_prefix("StridedLayoutAttr(")?;
    let inner = inner
        .strip_suffix(')')?
        .trim_start()
        .strip_prefix(['(', '['])?;
    let (strides, offset) = inner.split_once([')', ']'])?;
    let strides = strides.trim_end_matches([',', ' ']);
    let offset = offset.trim_start_matches([',', ' ']);
    let offset = if offset.is_empty() { "0" } else { offset };
    Some(format!("strided<[{strides}], offset: {offset}>"))
}

/// The numbers of a list behind these words, which stand once in the text.
fn list<'t>(text: &'t str, words: &str) -> Option<&'t str> {
    let (_, rest) = text.split_once(words)?;
    let inner = rest.trim_start().strip_prefix(['[', '{'])?;
    let (numbers, behind) = inner.split_once([']', '}'])?;
    let is_list = numbers
        .chars()
        .all(|c| c.is_ascii_digit() || ", ".contains(c));
    let is_once = words.is_empty() || !behind.contains(words);
    (is_list && is_once).then_some(numbers)
}

/// A tensor of cuDNN's, as its logs and programs write it. The type is given beside it.
fn of_cudnn(text: &str) -> Option<String> {
    let keys = [("\"dim\":", "\"stride\":"), ("set_dim(", "set_stride(")];
    keys.iter().find_map(|(sizes, strides)| {
        let [sizes, strides] = [list(text, sizes)?, list(text, strides)?];
        Some(format!("torch.Size([{sizes}]), stride=({strides})"))
    })
}

/// A shape of MIGraphX's, with strides in elements.
fn of_migraphx(text: &str) -> Option<String> {
    let text = text.trim();
    if let Some(inner) = text.strip_prefix("!migraphx.shaped<") {
        let (shape, strides) = inner.strip_suffix('>')?.split_once(", ")?;
        let strides = strides.replace('x', ", ");
        return Some(format!("memref<{shape}, strided<[{strides}]>>"));
    }
    let (name, rest) = text.split_once("_type, ")?;
    let (sizes, strides) = rest.split_once("}, ")?;
    let sizes = list(&format!("{sizes}}}"), "")?.to_owned();
    let strides = list(strides, "").filter(|_| strides.ends_with('}'))?;
    Some(format!(
        "torch.Size([{sizes}]), stride=({strides}), dtype=torch.{name}"
    ))
}

/// OpenVINO's format, whose letters are batch, features and the axes of space, or of weights; with
/// `s` behind the ones that are cut, and `fsv16` or `fsa16` for blocks.
fn of_openvino(text: &str) -> Option<String> {
    const AXES: &str = "gboifuvwzyx";
    let text = text.trim();
    let first = ["sa", "sv"].iter().filter_map(|mark| text.find(mark)).min();
    let (outer, blocks) = match first.and_then(|at| text[..at].rfind('_')) {
        Some(at) => text.split_at(at),
        None => (text, ""),
    };
    let letters: Vec<char> = outer.chars().filter(|c| !"s_".contains(*c)).collect();
    let is_axis = |letter: &char| AXES.contains(*letter);
    let is_known =
        letters.len() > 2 && letters.iter().all(is_axis) && outer.ends_with(['x', 'y', 'f']);
    let is_known = is_known
        && [['b', 'f'], ['o', 'i']]
            .iter()
            .any(|both| both.iter().all(|axis| letters.contains(axis)));
    let mut axes: Vec<char> = AXES.chars().filter(|axis| letters.contains(axis)).collect();
    axes.dedup();
    if !is_known || axes.len() != letters.len() {
        return None;
    }
    let name = |axis: char| {
        let place = axes.iter().position(|own| *own == axis)?;
        char::from_digit(place as u32 + 10, 36)
    };
    let mut tag: Vec<char> = letters
        .iter()
        .map(|axis| name(*axis))
        .collect::<Option<_>>()?;
    let mut inner = String::new();
    for block in blocks.split('_').filter(|block| !block.is_empty()) {
        let (axis, size) = block.split_once("sv").or(block.split_once("sa"))?;
        let own = name(axis.chars().next().filter(|_| axis.len() == 1)?)?;
        size.parse::<u32>().ok()?;
        inner += &format!("{size}{own}");
        for letter in tag.iter_mut().filter(|letter| **letter == own) {
            letter.make_ascii_uppercase();
        }
    }
    Some(tag.into_iter().collect::<String>() + &inner)
}

/// TensorRT's name of a format whose channels are in blocks.
fn of_tensorrt(text: &str) -> Option<String> {
    let (size, behind) = text.trim().strip_prefix("NC/")?.split_once("HW")?;
    let is_number = size.parse::<u32>().is_ok() && size == behind;
    is_number.then(|| format!("aBcd{size}b"))
}

#[cfg(test)]
mod tests {
    #[test]
    fn other_words() {
        for (text, same) in [
            ("bfyx", Some("abcd")),
            ("byxf", Some("acdb")),
            ("bfzyx", Some("abcde")),
            ("b_fs_yx_fsv16", Some("aBcd16b")),
            ("bs_fs_yx_bsv16_fsv32", Some("ABcd16a32b")),
            ("os_is_yx_isv16_osv8", Some("ABcd16b8a")),
            ("os_is_yx_isa8_osv8_isv2", Some("ABcd8b8a2b")),
            ("goiyx", Some("abcde")),
            ("b_fs_yx_fsv", None),
            ("b_fs_yx_qsv16", None),
            (
                "np.ndarray((2,), strides=(8,), dtype='f4')",
                Some("np.ndarray(shape=(2,), strides=(8,), dtype='f4')"),
            ),
            ("NC/32HW32", Some("aBcd32b")),
            ("NC/32HW", None),
            ("box", None),
            ("xyz", None),
            ("", None),
            ("Tensor[(2, 3), float32]", Some("float32[2, 3]")),
            ("Tensor[(2,), int8]", Some("int8[2]")),
            ("Tensor[(2, 3)]", None),
            (
                "T.Buffer((T.int64(2), T.int64(3)), \"float32\")",
                Some("float32[2, 3]"),
            ),
            ("R.Tensor((2,), dtype=\"int8\")", Some("int8[2]")),
            (
                ".as_strided({2, 3}, {1, 2})",
                Some("torch.Size([2, 3]), stride=(1, 2)"),
            ),
            (".as_strided((2, n), (n, 1))", None),
            (
                "{\"dim\":[2,3],\"name\":\"Q\",\"stride\":[1,2]}",
                Some("torch.Size([2,3]), stride=(1,2)"),
            ),
            (
                "x.set_dim({2, 3})\n  .set_stride({1, 2})",
                Some("torch.Size([2, 3]), stride=(1, 2)"),
            ),
            (
                "{\"dim\":[2],\"stride\":[1]},{\"dim\":[3],\"stride\":[1]}",
                None,
            ),
            ("x.set_dim({n, c}).set_stride({c, 1})", None),
            (
                "!migraphx.shaped<2x3xf16, 4x1>",
                Some("memref<2x3xf16, strided<[4, 1]>>"),
            ),
            (
                "half_type, {2, 3}, {4, 1}",
                Some("torch.Size([2, 3]), stride=(4, 1), dtype=torch.half"),
            ),
            ("half_type, {2, 3}", None),
            (
                "StridedLayoutAttr((24, 4, 1), 5)",
                Some("strided<[24, 4, 1], offset: 5>"),
            ),
            ("StridedLayoutAttr([1])", Some("strided<[1], offset: 0>")),
            ("StridedLayoutAttr(x)", None),
            (
                "{'descr': '<f8', 'fortran_order': True, 'shape': (3, 4), }",
                Some("shape=(3, 4), dtype='<f8', order='F'"),
            ),
            (
                "{'descr': '<f8', 'fortran_order': False, 'shape': (3,",
                None,
            ),
        ] {
            assert_eq!(super::rewritten(text).as_deref(), same, "{text}");
        }
    }
}
