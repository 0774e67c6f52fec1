//! Five tasks as a user of the library writes them.
//!
//! ```sh
//! cargo run --example tasks
//! ```
//!
//! Each file was written at once, from the documentation, before it was compiled for the first time
//! (2026-11-23, Rust 1.95). The table counts the attempts that did not compile.
//!
//! | file | task | failed |
//! |---|---|---|
//! | `weights.rs` | a struct of weights in several layouts, and a layer of a network | 0 |
//! | `convolution.rs` | a convolution with a halo, on threads | 0 |
//! | `packed_dot.rs` | the product of a matrix of 4-bit weights and a vector | 0 |
//! | `backends.rs` | a trait whose implementations say the layouts, and generic code over it | 0 |
//! | `cholesky.rs` | a Cholesky factor, block by block, in one array | 0 |

mod backends;
mod cholesky;
mod convolution;
mod packed_dot;
mod weights;

use xlayout::LayoutError;

fn main() -> Result<(), LayoutError> {
    weights::run()?;
    convolution::run()?;
    packed_dot::run()?;
    backends::run()?;
    cholesky::run()
}

/// Each task checks its own result.
#[cfg(test)]
#[test]
fn tasks() -> Result<(), LayoutError> {
    main()
}
