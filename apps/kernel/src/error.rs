//! Errors of kernels, and the types that a kernel may return.

use core::fmt;

/// The `Result` of a kernel. Its error is passed to XLA.
pub type Result<T, E = Error> = core::result::Result<T, E>;

/// The kind of an error, which in JAX is the first word of the message: one of absl's status codes.
///
/// Source: <https://abseil.io/docs/cpp/guides/status-codes>.
#[doc(alias = "XLA_FFI_Error_Code")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(i32)]
#[non_exhaustive]
pub enum Code {
    /// The caller stopped the operation.
    Cancelled = 1,
    /// The kind of the error is not known.
    Unknown = 2,
    /// An argument, a result or an attribute is not as declared, or is not valid.
    InvalidArgument = 3,
    /// The operation took too long.
    DeadlineExceeded = 4,
    /// Something that was asked for does not exist.
    NotFound = 5,
    /// Something that was to be made exists already.
    AlreadyExists = 6,
    /// The caller may not do this.
    PermissionDenied = 7,
    /// There is not enough memory, disk space or another resource.
    ResourceExhausted = 8,
    /// The operation is not possible in the present state.
    FailedPrecondition = 9,
    /// The operation was stopped because of another one that ran at the same time.
    Aborted = 10,
    /// A position is beyond the valid range.
    OutOfRange = 11,
    /// The operation is not implemented or not supported.
    Unimplemented = 12,
    /// A mistake in the program.
    Internal = 13,
    /// The operation is not possible now. A later attempt may succeed.
    Unavailable = 14,
    /// Data is lost or damaged.
    DataLoss = 15,
    /// The caller is not authenticated.
    Unauthenticated = 16,
}

/// Why a kernel failed: a code and a message, which XLA passes on to JAX.
///
/// `?` converts any error to this type. The code is then [`Code::Unknown`], and the message
/// contains the causes. (Like `anyhow::Error`, this type does not implement `core::error::Error`:
/// it could not have this conversion then.)
///
/// ```
/// use xlayout_kernel::{Code, Error, Result};
///
/// fn width(text: &str) -> Result<usize> {
///     let width: usize = text.parse()?;
///     if width == 0 {
///         return Err(Error::new(Code::InvalidArgument, "the width is 0"));
///     }
///     Ok(width)
/// }
/// assert_eq!(width("7").unwrap(), 7);
/// let error = width("x").unwrap_err();
/// assert_eq!(error.code(), Code::Unknown);
/// assert_eq!(error.message(), "invalid digit found in string");
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Error {
    code: Code,
    message: String,
    /// Whether the message names the kernel that failed.
    names_kernel: bool,
}

impl Error {
    /// An error with this code and message.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            names_kernel: false,
        }
    }

    /// The error for a kernel that panicked.
    #[cold]
    pub(crate) fn of_panic(name: &str, text: &str) -> Self {
        Self {
            code: Code::Internal,
            message: format!("kernel `{name}` panicked: {text}"),
            names_kernel: true,
        }
    }

    /// The same error, whose message begins with the name of the kernel.
    #[cold]
    pub(crate) fn of_kernel(mut self, name: &str) -> Self {
        if !self.names_kernel {
            self.message = format!("kernel `{name}`: {}", self.message);
            self.names_kernel = true;
        }
        self
    }

    /// An error of the caller: [`Code::InvalidArgument`].
    pub fn invalid_argument(message: impl Into<String>) -> Self {
        Self::new(Code::InvalidArgument, message)
    }

    /// An error of the kernel: [`Code::Internal`].
    pub fn internal(message: impl Into<String>) -> Self {
        Self::new(Code::Internal, message)
    }

    /// The code.
    #[must_use]
    pub const fn code(&self) -> Code {
        self.code
    }

    /// The message.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The same error with another code: `parse().map_err(|e| Error::from(e).with_code(…))`.
    #[must_use]
    pub fn with_code(mut self, code: Code) -> Self {
        self.code = code;
        self
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.message)
    }
}

/// The same as `Display`, because `main` and `unwrap` print it.
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl<E: core::error::Error> From<E> for Error {
    fn from(error: E) -> Self {
        let mut message = error.to_string();
        let mut source = error.source();
        // A limit, because a cyclic chain of causes has no end.
        for _ in 0..64 {
            let Some(cause) = source else {
                break;
            };
            let cause_text = cause.to_string();
            // Some errors already print their causes.
            if !message.contains(&cause_text) {
                message.push_str(": ");
                message.push_str(&cause_text);
            }
            source = cause.source();
        }
        Self::new(Code::Unknown, message)
    }
}

mod sealed {
    /// Only this crate implements it.
    pub trait Sealed {}
    impl Sealed for () {}
    impl<E: super::Failure> Sealed for core::result::Result<(), E> {}
}

/// What a kernel may return: nothing, or a `Result` of nothing. It is sealed.
#[diagnostic::on_unimplemented(
    message = "a kernel cannot return `{Self}`",
    label = "returns nothing, or `xlayout_kernel::Result<()>`",
    note = "what a kernel computes goes into its `Out` parameters, one number into an \
            `Out<layout!(f32[])>`: write `mut y: Out<layout!(f32[])>`, and `y[[]] = …` in the body"
)]
pub trait Outcome: sealed::Sealed {
    #[doc(hidden)]
    fn into_result(self) -> Result<()>;
}

impl Outcome for () {
    #[inline(always)]
    fn into_result(self) -> Result<()> {
        Ok(())
    }
}

impl<E: Failure> Outcome for core::result::Result<(), E> {
    #[inline(always)]
    fn into_result(self) -> Result<()> {
        self.map_err(Into::into)
    }
}

/// The error of a kernel: an [`Error`], or one of Rust's own, which `?` turns into one. Exactly the
/// types that are `Into<Error>` implement it.
#[diagnostic::on_unimplemented(
    message = "a kernel cannot fail with `{Self}`",
    label = "the error is `xlayout_kernel::Error`, or one that implements `core::error::Error`",
    note = "return `xlayout_kernel::Result<()>`; from a text, `Error::internal(text)` or \
            `Error::invalid_argument(text)` makes an error"
)]
pub trait Failure: Into<Error> {}

#[diagnostic::do_not_recommend]
impl<E: Into<Error>> Failure for E {}

/// Converts the return value of a kernel. The macro calls it.
#[doc(hidden)]
#[inline(always)]
pub fn into_result(outcome: impl Outcome) -> Result<()> {
    outcome.into_result()
}

#[cfg(test)]
mod tests {
    use super::Error;

    /// The author of a kernel writes the whole message. It is no `core::error::Error`, but is shown
    /// alike.
    #[test]
    fn the_error_of_a_kernel_is_its_message() {
        let error = Error::invalid_argument("the width is 0");
        assert_eq!(error.to_string(), error.message());
        assert_eq!(format!("{error:?}"), error.message());
    }
}
