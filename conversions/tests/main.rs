//! Round trips of arrays through the other crates, and what is refused.

#[cfg(feature = "candle-core")]
mod candle;
mod cases;
#[cfg(feature = "candle-core")]
mod errors;
#[cfg(feature = "faer")]
mod faer;
mod memory;
#[cfg(feature = "nalgebra")]
mod nalgebra;
#[cfg(feature = "ndarray")]
mod ndarray;
