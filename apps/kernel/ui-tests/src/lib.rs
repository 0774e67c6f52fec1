//! Good kernels are in `good`, mistakes in `bad`, each with the `.stderr` that the compiler prints;
//! `tests/ui.rs` compiles them.
