//! What all errors have in common: one row for each kind, and the same form when they are shown.

use core::fmt::{self, Arguments, Display, Formatter};
use core::ops::Range;

use crate::words::from_fn;

/// Takes what is wrong, in one line, and what to write instead.
pub type Say<'a> = dyn FnMut(Arguments<'_>, Arguments<'_>) -> fmt::Result + 'a;

/// An error or a kind of error: the words for what is wrong, and for what to write instead.
///
/// All errors of these crates are shown in one form: `{message} (at byte {n}); {help}`, with the
/// place if the error is about a place of a text.
pub trait Explain {
    /// Calls `say` once, with the message and the help.
    ///
    /// # Errors
    /// Those of `say`.
    fn explain(&self, say: &mut Say<'_>) -> fmt::Result;

    /// The bytes of the text that the error is about, if it is about a place of a text.
    fn span(&self) -> Option<Range<usize>> {
        None
    }
}

/// The message of an error alone.
pub fn message<E: Explain + ?Sized>(error: &E) -> impl Display + '_ {
    from_fn(|f| error.explain(&mut |message, _| f.write_fmt(message)))
}

/// The help of an error alone.
pub fn help<E: Explain + ?Sized>(error: &E) -> impl Display + '_ {
    from_fn(|f| error.explain(&mut |_, help| f.write_fmt(help)))
}

/// The whole error: what, where, and what to write.
///
/// # Errors
/// Those of the formatter.
pub fn show(error: &dyn Explain, f: &mut Formatter<'_>) -> fmt::Result {
    error.explain(&mut |message, help| {
        f.write_fmt(message)?;
        if let Some(span) = error.span() {
            write!(f, " (at byte {})", span.start)?;
        }
        write!(f, "; {help}")
    })
}

/// What the public error of a crate has: that of [`shown!`], and `message`, `help` and `span` for
/// programs that lay the parts out themselves. Each crate has one; what it can say is a kind of
/// that error.
#[doc(hidden)]
#[macro_export]
macro_rules! explained {
    ($error:ty $(, $kind:ident: $bound:path)?) => {
        $crate::shown!($error $(, $kind: $bound)?);

        impl $(<$kind: $bound>)? $error {
            /// What is wrong, in one line.
            #[inline]
            pub fn message(&self) -> impl ::core::fmt::Display + '_ {
                $crate::explain::message(self)
            }

            /// What to write instead.
            #[inline]
            pub fn help(&self) -> impl ::core::fmt::Display + '_ {
                $crate::explain::help(self)
            }

            /// The bytes of the text that it is about; `None` where there is no text.
            #[inline]
            #[must_use]
            pub fn span(&self) -> Option<::core::ops::Range<usize>> {
                $crate::explain::Explain::span(self)
            }
        }

        impl $(<$kind: $bound>)? ::core::error::Error for $error {}
    };
}

/// The same as `Display`, because `main` and `unwrap` print it.
#[doc(hidden)]
#[macro_export]
macro_rules! debug_as_display {
    ($error:ty $(, $kind:ident: $bound:path)?) => {
        impl $(<$kind: $bound>)? ::core::fmt::Debug for $error {
            #[inline]
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                ::core::fmt::Display::fmt(self, f)
            }
        }
    };
}

/// What an error has, and a reason that an error passes on: `Display` and `Debug` with its message,
/// place and help. (`main` prints the `Debug` of its error.)
#[doc(hidden)]
#[macro_export]
macro_rules! shown {
    ($error:ty $(, $kind:ident: $bound:path)?) => {
        /// What is wrong, where, and what to write instead.
        impl $(<$kind: $bound>)? ::core::fmt::Display for $error {
            #[inline]
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                $crate::explain::show(self, f)
            }
        }

        $crate::debug_as_display!($error $(, $kind: $bound)?);
    };
}

/// An enum of errors as a table. A row is a kind with its fields, its message and its help:
///
/// - `=> ["message {field}"; "help"]`: two texts for `format_args!`, each with its arguments;
/// - `=> ["message"; match (field) { case => ["help"] … }]`: a help for each case;
/// - `=> { match (field) { … } }`: a row for each case;
/// - `=> (field)`: what another error or kind says.
#[doc(hidden)]
#[macro_export]
macro_rules! error_table {
    (
        $(#[$of_enum:meta])*
        pub enum $name:ident {
            $(
                $(#[$of_kind:meta])*
                $kind:ident
                $({ $($(#[$of_field:meta])* $field:ident: $type:ty),* $(,)? })?
                $(( $inner:ident: $other:ty ))?
                => $row:tt
            )*
        }
    ) => {
        $(#[$of_enum])*
        pub enum $name {
            $(
                $(#[$of_kind])*
                $kind $({ $($(#[$of_field])* $field: $type),* })? $(($other))?,
            )*
        }

        $($($crate::error_from!($name $kind($other) $row);)?)*

        impl $crate::explain::Explain for $name {
            #[allow(
                unused_variables, unused_doc_comments,
                reason = "not every message names every field; the attributes have the rows' `cfg`s"
            )]
            fn explain(&self, say: &mut $crate::explain::Say<'_>) -> ::core::fmt::Result {
                match self {
                    $($(#[$of_kind])* Self::$kind $({ $($field),* })? $(($inner))? => $crate::error_row!(say $row),)*
                }
            }

            // Only errors inside have a place.
            #[allow(unused_variables, reason = "not every error inside is one that is passed on")]
            fn span(&self) -> Option<::core::ops::Range<usize>> {
                match self {
                    $($(Self::$kind($inner) => $crate::error_place!($row),)?)*
                    _ => None,
                }
            }
        }
    };
}

/// One row of an [`error_table`].
#[doc(hidden)]
#[macro_export]
macro_rules! error_row {
    ($say:ident [$message:literal $(, $of_message:expr)*; $help:literal $(, $of_help:expr)* $(,)?]) => {
        $say(
            ::core::format_args!($message $(, $of_message)*),
            ::core::format_args!($help $(, $of_help)*),
        )
    };
    ($say:ident [
        $message:literal $(, $of_message:expr)*;
        match ($subject:expr) { $($case:pat => [$help:literal $(, $of_help:expr)*])+ }
    ]) => {
        match ::core::format_args!($message $(, $of_message)*) {
            message => match $subject {
                $($case => $say(message, ::core::format_args!($help $(, $of_help)*)),)+
            },
        }
    };
    ($say:ident ($other:expr)) => { $crate::explain::Explain::explain($other, $say) };
    ($say:ident { match ($subject:expr) { $($case:pat $(if $guard:expr)? => $row:tt)+ } }) => {
        match $subject { $($case $(if $guard)? => $crate::error_row!($say $row),)+ }
    };
}

/// An error that is passed on becomes the one that passes it on.
#[doc(hidden)]
#[macro_export]
macro_rules! error_from {
    ($name:ident $kind:ident($other:ty) ($inner:expr)) => {
        impl From<$other> for $name {
            #[inline]
            fn from(error: $other) -> Self {
                Self::$kind(error)
            }
        }
    };
    ($name:ident $kind:ident($other:ty) $row:tt) => {};
}

/// The place of the error that a row of an [`error_table`] passes on.
#[doc(hidden)]
#[macro_export]
macro_rules! error_place {
    (($other:expr)) => {
        $crate::explain::Explain::span($other)
    };
    ($row:tt) => {
        None
    };
}

/// An enum with the words of each kind: `Equals => ["what it is called", "what to write"];`
#[doc(hidden)]
#[macro_export]
macro_rules! worded {
    (
        $(#[$of_enum:meta])*
        pub enum $name:ident, $visibility:vis $method:ident: $type:ty {
            $($(#[$of_kind:meta])* $kind:ident => $words:expr;)*
        }
    ) => {
        $(#[$of_enum])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum $name {
            $($(#[$of_kind])* $kind,)*
        }

        impl $name {
            $visibility const fn $method(self) -> $type {
                match self {
                    $(Self::$kind => $words,)*
                }
            }
        }
    };
}
