//! The author of a kernel writes the whole message. It is no `core::error::Error`, but is shown
//! alike.

#[test]
fn the_error_of_a_kernel_is_its_message() {
    let error = xlayout_kernel::Error::invalid_argument("the width is 0");
    assert_eq!(error.to_string(), error.message());
    assert_eq!(format!("{error:?}"), error.message());
}
