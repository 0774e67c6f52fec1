//! XLA's utilities under XLA's names.

pub(crate) mod xla_functions;
