//! Text that is put together at compile time, for the messages of failed const checks.

use core::fmt;

use crate::explain::{Explain, Say};

/// Stops the compiler with a message. A plain `panic!` or `assert!` would show the source of the
/// standard library; `track_caller` shows the line that stopped.
#[track_caller]
pub const fn stop(message: &str) -> ! {
    panic!("{}", message)
}

/// A message of at most 480 bytes, made in a const context.
pub struct ConstText {
    bytes: [u8; 480],
    len: usize,
    /// Where the message ends and what to write begins, with a semicolon between them.
    parts: [usize; 2],
}

impl ConstText {
    /// The text of `template`, with a number in the place of each `{}`.
    #[inline]
    pub const fn new(template: &str, numbers: &[usize]) -> Self {
        let empty = Self {
            bytes: [0; 480],
            len: 0,
            parts: [0; 2],
        };
        empty.filled(template, numbers)
    }

    /// Adds the text of `template`, with a number in the place of each `{}`.
    #[inline]
    pub const fn filled(mut self, template: &str, numbers: &[usize]) -> Self {
        let mut rest = template;
        each!(k, 0..numbers.len(), {
            let (before, after) = rest.split_at(next_place(rest));
            self = self.text(before).number(numbers[k]);
            rest = after.split_at("{}".len()).1;
        });
        self.text(rest)
    }

    /// Adds text; what does not fit is left out.
    #[inline]
    pub const fn text(mut self, text: &str) -> Self {
        let bytes = text.as_bytes();
        if self.len + bytes.len() > self.bytes.len() {
            return self;
        }
        each!(k, 0..bytes.len(), {
            self.bytes[self.len] = bytes[k];
            self.len += 1;
        });
        self
    }

    /// Adds a number.
    #[inline]
    const fn number(mut self, mut n: usize) -> Self {
        let mut digits = [0; 20];
        let mut at = digits.len();
        loop {
            at -= 1;
            digits[at] = b'0' + (n % 10) as u8;
            n /= 10;
            if n == 0 {
                break;
            }
        }
        while at < digits.len() && self.len < self.bytes.len() {
            self.bytes[self.len] = digits[at];
            self.len += 1;
            at += 1;
        }
        self
    }

    /// Adds numbers in brackets: `[1, 3]`.
    #[inline]
    pub const fn list(mut self, numbers: &[usize]) -> Self {
        self = self.text("[");
        each!(k, 0..numbers.len(), {
            if k > 0 {
                self = self.text(", ");
            }
            self = self.number(numbers[k]);
        });
        self.text("]")
    }

    /// Ends the message, and adds what to write instead, with a number in the place of each `{}`.
    #[inline]
    pub const fn help(mut self, template: &str, numbers: &[usize]) -> Self {
        let message = self.len;
        self = self.text("; ");
        self.parts = [message, self.len];
        self.filled(template, numbers)
    }

    /// The message and what to write instead, with a semicolon between them.
    #[inline]
    pub const fn as_str(&self) -> &str {
        self.between(0, self.len)
    }

    const fn between(&self, start: usize, end: usize) -> &str {
        match core::str::from_utf8(self.bytes.split_at(end).0.split_at(start).1) {
            Ok(text) => text,
            Err(_) => stop("a message is put together from whole texts"),
        }
    }
}

/// Where the first `{}` of a template is.
const fn next_place(template: &str) -> usize {
    let bytes = template.as_bytes();
    let mut at = 0;
    while bytes[at] != b'{' || bytes[at + 1] != b'}' {
        at += 1;
    }
    at
}

/// The words of a running program are those of the compiler.
impl Explain for ConstText {
    fn explain(&self, say: &mut Say<'_>) -> fmt::Result {
        let [message, help] = self.parts;
        say(
            format_args!("{}", self.between(0, message)),
            format_args!("{}", self.between(help, self.len)),
        )
    }
}

/// An enum of errors that a program and the compiler tell alike: a table as that of
/// [`error_table`](crate::error_table), its texts for [`ConstText`], with a number in the place of
/// each `{}`. A row `=> (text)` is such a text.
#[doc(hidden)]
#[macro_export]
macro_rules! const_error_table {
    (
        $(#[$of_enum:meta])*
        pub enum $name:ident {
            $(
                $(#[$of_kind:meta])*
                $kind:ident
                $({ $($(#[$of_field:meta])* $field:ident: $type:ty),* $(,)? })?
                => $row:tt
            )*
        }
    ) => {
        $(#[$of_enum])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum $name {
            $(
                $(#[$of_kind])*
                $kind $({ $($(#[$of_field])* $field: $type),* })?,
            )*
        }

        impl $name {
            /// What is wrong and what to write, as the compiler says it.
            #[doc(hidden)]
            #[inline]
            #[must_use]
            #[allow(unused_variables, reason = "not every message names every field")]
            pub const fn text(self) -> $crate::const_text::ConstText {
                match self {
                    $(Self::$kind $({ $($field),* })? => $crate::const_error_row!($row),)*
                }
            }
        }

        impl $crate::explain::Explain for $name {
            fn explain(&self, say: &mut $crate::explain::Say<'_>) -> ::core::fmt::Result {
                self.text().explain(say)
            }
        }

        $crate::shown!($name);
    };
}

/// One row of a [`const_error_table`].
#[doc(hidden)]
#[macro_export]
macro_rules! const_error_row {
    ([$message:expr $(, $of_message:expr)*; $help:literal $(, $of_help:expr)* $(,)?]) => {
        $crate::const_text::ConstText::new($message, &[$($of_message),*]).help($help, &[$($of_help),*])
    };
    (($text:expr)) => {
        $text
    };
}
