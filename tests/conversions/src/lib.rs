//! Arrays to and from other libraries, each in one line: see `tests`.
