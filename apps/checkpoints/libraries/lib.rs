//! Only the tests mean something.
