//! What the checks of a kernel's declaration need, which the compiler runs: loops in a const
//! context, and messages that are put together there.

/// `for` over the numbers of a range, or over the items of a slice, in a const context. The end of
/// a range is computed before each step.
macro_rules! each {
    ($i:ident, $first:tt..$end:expr, $body:block) => {{
        let mut next = $first;
        while next < $end {
            let $i = next;
            next += 1;
            $body
        }
    }};
    ($item:ident, $list:expr, $body:block) => {{
        let list: &[_] = $list;
        let mut next = 0;
        while next < list.len() {
            let $item = &list[next];
            next += 1;
            $body
        }
    }};
}

/// Stops the compiler with a message. A plain `panic!` or `assert!` would show the source of the
/// standard library; `track_caller` shows the line that called this.
#[track_caller]
pub(crate) const fn stop(message: &str) -> ! {
    panic!("{}", message)
}

/// The largest number of bytes of a message.
const CAPACITY: usize = 480;

/// A message of at most 480 bytes, made in a const context.
pub(crate) struct ConstText {
    bytes: [u8; CAPACITY],
    len: usize,
}

impl ConstText {
    pub(crate) const fn new(text: &str) -> Self {
        let empty = Self {
            bytes: [0; CAPACITY],
            len: 0,
        };
        empty.text(text)
    }

    /// Adds a text, or nothing if it does not fit as a whole.
    pub(crate) const fn text(mut self, text: &str) -> Self {
        let bytes = text.as_bytes();
        if self.len + bytes.len() > CAPACITY {
            return self;
        }
        let mut at = 0;
        while at < bytes.len() {
            self.bytes[self.len] = bytes[at];
            self.len += 1;
            at += 1;
        }
        self
    }

    pub(crate) const fn as_str(&self) -> &str {
        let (message, _) = self.bytes.split_at(self.len);
        match core::str::from_utf8(message) {
            Ok(text) => text,
            Err(_) => stop("a message is put together from whole texts"),
        }
    }
}
