//! Text that is put together at compile time, for the messages of failed const checks.

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
}

#[expect(
    clippy::new_without_default,
    reason = "it is made in const contexts only, where `Default` cannot be called"
)]
impl ConstText {
    #[inline]
    pub const fn new() -> Self {
        Self {
            bytes: [0; 480],
            len: 0,
        }
    }

    /// Adds text; what does not fit is left out.
    #[inline]
    pub const fn text(mut self, text: &str) -> Self {
        let bytes = text.as_bytes();
        if self.len + bytes.len() > self.bytes.len() {
            return self;
        }
        let mut k = 0;
        while k < bytes.len() {
            self.bytes[self.len] = bytes[k];
            self.len += 1;
            k += 1;
        }
        self
    }

    /// Adds a number.
    #[inline]
    pub const fn number(mut self, mut n: usize) -> Self {
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
        let mut k = 0;
        while k < numbers.len() {
            if k > 0 {
                self = self.text(", ");
            }
            self = self.number(numbers[k]);
            k += 1;
        }
        self.text("]")
    }

    #[inline]
    pub const fn as_str(&self) -> &str {
        match core::str::from_utf8(self.bytes.split_at(self.len).0) {
            Ok(text) => text,
            Err(_) => stop("a message is put together from whole texts"),
        }
    }
}
