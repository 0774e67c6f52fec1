//! Which library printed the fields of a text, by the words that the text has.

use super::xla_type;
use crate::Given;

/// NumPy's view, whose strides are in bytes.
const NUMPY_VIEW: &str = "stride_tricks.as_strided(";

/// Which words a library's texts have: one of the first ones, and all of the others.
fn has(text: &str, any: &[&str], all: &[&str]) -> bool {
    any.iter().any(|word| text.contains(word)) && all.iter().all(|word| text.contains(word))
}

pub(crate) fn is_ndarray(text: &str, _: &Given<'_>) -> bool {
    has(text, &["ndim="], &["shape=[", "strides=[", "layout="])
}

pub(crate) fn is_dlpack(text: &str, _: &Given<'_>) -> bool {
    has(text, &["kDL", "DLTensor", "dltensor"], &[]) || has(text, &["dtype={"], &["shape={"])
}

pub(crate) fn is_torch(text: &str, _: &Given<'_>) -> bool {
    let words = ["torch.Size(", "size=", "stride", "FakeTensor(", "]["];
    let bare = ["size=(", "size=[", "stride=(", "stride=["];
    let pair = text.split_once("][").is_some_and(|(sizes, _)| {
        let word = sizes.split_once('[').map_or("", |(word, _)| word);
        xla_type(word.rsplit([' ', '"']).next().unwrap_or_default()).is_some()
    });
    // candle's layouts are as PyTorch's.
    let classes = [
        "torch.Size(",
        "assert_size_stride(",
        "_strided(",
        "_strided_cuda(",
        "_strided_cpu(",
        "start_offset:",
    ];
    let own = has(text, &words, &["torch."]) || has(text, &classes, &[]) || pair;
    let own = own && !text.contains(NUMPY_VIEW);
    let text = text.trim_start().trim_start_matches('(');
    own || bare.iter().any(|word| text.starts_with(word))
}

pub(crate) fn is_numpy(text: &str, given: &Given<'_>) -> bool {
    let text = text.trim_start();
    if is_dlpack(text, given) || is_torch(text, given) {
        return false;
    }
    text.starts_with("{'")
        || text.starts_with("{\"")
        || ["shape=", "strides="]
            .iter()
            .any(|begin| text.starts_with(begin))
        || text.contains("C_CONTIGUOUS")
        || text.contains(NUMPY_VIEW)
        || has(text, &["ndarray", "strides", "dtype("], &["shape"])
        || has(
            text,
            &["ShapeDtypeStruct(", "Array("],
            &["shape=", "dtype="],
        )
}
