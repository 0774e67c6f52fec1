//! The options of a plan.

/// The options of a plan.
#[derive(Clone, Copy, Debug)]
pub struct PlanOptions {
    /// How many units of work.
    pub units: usize,
    /// About how many bytes a file has that is written, at most.
    pub object_bytes: u64,
    /// About how many bytes of buffers a unit may use, in bytes; never more than two of its objects
    /// if its layouts can be cut.
    pub memory: u64,
}
