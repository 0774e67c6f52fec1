//! Compiles every file of `good` and of `bad`, as the UI tests of the library do.

#[path = "../../../../ui-tests/tests/ui.rs"]
mod cases;
