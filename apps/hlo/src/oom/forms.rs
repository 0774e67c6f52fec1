//! The sentences that say that memory ran out, of XLA and of what works beside it, as one table.

use std::sync::LazyLock;

use memchr::memmem::Finder;
use serde::Serialize;

use super::squeezed::squeezed;

/// What ran out of memory, or what else the sentence says: it decides what helps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Cause {
    /// A program that does not fit into the memory of the device.
    #[default]
    Program,
    /// The compiler could not make the program as small as it wanted to: a warning.
    Rematerialization,
    /// The arguments and results of a program alone are more than the compiler may use: a warning.
    Arguments,
    /// A kernel, in the memory of a core.
    Kernel,
    /// A running program that asked for memory.
    Request,
    /// A tensor of PyTorch's.
    Tensor,
    /// A server's cache of keys and values, as vLLM's.
    Cache,
    /// A compiled program that was to be loaded.
    Load,
    /// Memory of the host.
    Host,
    /// A buffer that is larger than the device gives in one piece, whatever is free.
    OneBuffer,
    /// An allocator, which then tries something else: no failure yet.
    Attempt,
    /// A buffer of another size than the program expects: that of another layout.
    Buffer,
    /// A result is in the memory of the host, and the program says that of the device.
    HostResult,
    /// Figures of a program or of an allocator, without a failure.
    Figures,
}

impl Cause {
    /// Whether nothing has failed yet.
    #[must_use]
    pub fn is_warning(self) -> bool {
        matches!(
            self,
            Self::Rematerialization | Self::Arguments | Self::Attempt | Self::Figures
        )
    }

    /// Whether the limit is what is free, not what the device has.
    #[must_use]
    pub fn is_request(self) -> bool {
        matches!(
            self,
            Self::Request | Self::Tensor | Self::Cache | Self::Load
        )
    }
}

/// A sentence.
pub(super) struct Form {
    /// The words at which it begins.
    pub(super) begins: &'static str,
    /// What it says from these words on, in any sequence, and behind a `<` what is before them. A
    /// name in braces is a field: bytes, without a unit behind a `#`, or what is before the next
    /// words. `Headline::fill` has the names. Without any, the words say it all.
    pub(super) says: &'static [&'static str],
    pub(super) cause: Cause,
    /// The memory, where the sentence does not name it.
    pub(super) space: &'static str,
}

const fn form(
    cause: Cause,
    space: &'static str,
    begins: &'static str,
    says: &'static [&'static str],
) -> Form {
    Form {
        begins,
        says,
        cause,
        space,
    }
}

/// What Tenstorrent's allocator says of each of its banks.
const BANKS: &[&str] = &[
    "needs to store {used}",
    "free: {limit}, largest",
    "free block: {piece}",
];

/// Each sentence. Where two begin at one place, the first one counts.
pub(super) const FORMS: &[Form] = &[
    // The TPU compiler.
    form(
        Cause::Program,
        "",
        "Ran out of memory in memory space ",
        &[
            "memory space {space}",
            "Used {used} of {limit}",
            "capacity by {excess}",
            "Scoped allocation with size {used} and limit {limit}",
            "Scoped allocation of {used} exceeded",
            "limit by {excess}",
            "on stack for {kernel}",
        ],
    ),
    form(
        Cause::Program,
        "vmem",
        "Scoped allocation ",
        &[
            "allocation with size {used} and limit {limit}",
            "allocation of {used} exceeded",
            "limit by {excess}",
        ],
    ),
    form(
        Cause::Program,
        "hbm",
        "Ran out of memory on HBM",
        &[
            "HLO temporaries ({used}",
            "available HBM ({limit}",
            "HLO module: {module}.",
        ],
    ),
    form(
        Cause::Program,
        "hbm",
        "TensorCore Hbm usage",
        &[
            "TensorCore Hbm usage: {used}",
            "TensorCore Hbm usage {used}",
            "SparseCore Hbm usage: {more}",
            "SparseCore Hbm usage {more}",
            "available bytes: {limit}",
        ],
    ),
    form(
        Cause::Program,
        "hbm",
        "TC Hbm usage",
        &[
            "TC Hbm usage: {used}",
            "SC Hbm usage: {more}",
            "SC Hbm usage {more}",
            "available bytes: {limit}",
        ],
    ),
    form(
        Cause::Program,
        "",
        "unlikely to have enough memory. Requires ",
        &["Requires {used}, has {limit} available"],
    ),
    form(
        Cause::Program,
        "",
        "would exceed memory (size=",
        &[
            "<Allocation (size={used#}) would",
            "exceed memory (size={limit#})",
            "shape = '{shape}'",
            "space={space},",
            "tag = '{tag}'",
        ],
    ),
    form(
        Cause::Rematerialization,
        "",
        "Can't reduce memory use below ",
        &[
            "below {limit}",
            "below {}({limit})",
            "reduced to {used}",
            "reduced to {}({used})",
        ],
    ),
    form(
        Cause::Arguments,
        "",
        "byte size of input/output arguments (",
        &["arguments ({used#})", "base limit ({limit#})"],
    ),
    // Running programs on TPUs.
    form(
        Cause::Request,
        "",
        "Attempting to allocate ",
        &[
            "allocate {used}",
            "There are {limit} free",
            "size of that heap is only {limit}",
            "maximum allowed buffer size of {limit}",
            "region of free memory is {piece}",
            "_HBM",
        ],
    ),
    form(
        Cause::Load,
        "hbm",
        "Attempting to reserve ",
        &[
            "<Error loading program '{module}'",
            "reserve {used}",
            "There are {limit} free",
            "and {piece} reservable",
        ],
    ),
    form(
        Cause::Request,
        "",
        "Could not allocate ",
        &[
            "allocate {used} in",
            "pinned host memory of size: {used#}",
            "; {piece} allocatable",
            ", {limit} available",
            "_HBM",
        ],
    ),
    form(
        Cause::Buffer,
        "",
        "but got buffer with incompatible size ",
        &[
            "<Executable({module}) expected",
            "<of size {used#} ({shape}) but",
            "incompatible size {limit#} ({got}):",
        ],
    ),
    form(
        Cause::HostResult,
        "",
        "is returned from the entry computation but the layout for this output is not set to host memory",
        &[],
    ),
    // Allocators of GPUs.
    form(
        Cause::Request,
        "",
        "ran out of memory trying to allocate ",
        &["allocate {used}", "(rounded to {used#})"],
    ),
    // Tenstorrent's runtime. Circular buffers grow from one end of a core's memory, other buffers
    // from the other one.
    form(
        Cause::Kernel,
        "L1",
        "Statically allocated circular buffers ",
        &[
            "grow to {used} which",
            "beyond max L1 size of {limit}",
            "L1 buffer allocated at {limit#} and",
            "region ends at {used#}",
        ],
    ),
    form(
        Cause::Request,
        "DRAM, of each bank",
        "DRAM buffer across ",
        BANKS,
    ),
    form(
        Cause::Request,
        "L1, of each bank",
        "L1 buffer across ",
        BANKS,
    ),
    form(
        Cause::Kernel,
        "L1",
        "Not enough L1 memory",
        &["l1Usage: {used#},"],
    ),
    // Neuron's runtime.
    form(Cause::Request, "", "nrt_tensor_allocate status=4", &[]),
    form(Cause::Load, "", "NRT_RESOURCE in nrt_load()", &[]),
    form(
        Cause::OneBuffer,
        "",
        "exceeds the max buffer size limit (",
        &["<size ({used#}) exceeds", "limit ({limit#})"],
    ),
    // A setting, at the beginning of each program on a GPU.
    form(
        Cause::Figures,
        "",
        "XLA backend will use up to ",
        &["up to {limit} on device"],
    ),
    // Without figures.
    form(Cause::Kernel, "tmem", "out of resource: tensor memory", &[]),
    form(
        Cause::Kernel,
        "shared memory",
        "uses too much shared data",
        &[],
    ),
    form(
        Cause::Request,
        "",
        "DriverError(CUDA_ERROR_OUT_OF_MEMORY",
        &[],
    ),
    form(Cause::Request, "", "MEM_OBJECT_ALLOCATION", &[]),
    form(Cause::Request, "", "CUDA error: out of memory", &[]),
    form(
        Cause::Request,
        "",
        "out of memory; while invoking native function",
        &[],
    ),
    form(
        Cause::Request,
        "",
        "UR_RESULT_ERROR_OUT_OF_DEVICE_MEMORY",
        &[],
    ),
    form(
        Cause::Request,
        "",
        "mCudaStream->get()): out of memory",
        &[],
    ),
    form(
        Cause::Request,
        "",
        "TPU backend error (ResourceExhausted)",
        &[],
    ),
    form(
        Cause::Tensor,
        "",
        "would exceed allowed memory",
        &["Requested: {used} Device", "CUDA): {limit} PyTorch"],
    ),
    form(
        Cause::Request,
        "",
        "failed to alloc",
        &[
            "alloc {used} on host",
            "allocate {used}",
            "allocate request for {used}",
            "({used}) on device",
            "({used}) from device",
            "buffer of size {used#}",
            "buffer of length {used#}",
            "Free memory/Total memory: {limit#}/",
            "Memory limit: {limit}. Used",
        ],
    ),
    form(
        Cause::Request,
        "",
        "Out of memory while trying to allocate ",
        &["allocate {used}", "executable_name='{module}'"],
    ),
    form(
        Cause::Request,
        "",
        "Out of memory allocating ",
        &["allocating {used}"],
    ),
    form(
        Cause::Tensor,
        "",
        "out of memory. Tried to allocate ",
        &[
            "allocate {used}",
            "; {most} total capacity",
            "a total capacity of {most} of which",
            "a total capacty of {most} of which",
            "already allocated; {limit} free",
            "current active; {limit} free",
            "of which {limit} is free",
            "of which {limit} bytes is free",
            "{limit} allowed; Of the allocated memory {taken} is allocated",
            "by PyTorch, and {kept} is reserved",
            "Graphs), and {kept} is reserved",
        ],
    ),
    form(
        Cause::Tensor,
        "",
        "MPS backend out of memory",
        &[
            "MPS allocated: {taken}, other",
            "allocations: {taken}, max",
            "max allowed: {limit})",
            "to allocate {used} on",
        ],
    ),
    form(
        Cause::Request,
        "",
        "OOM when allocating tensor with shape[",
        &["shape[{sizes}]", "and type {type} on /", "/device:{}:"],
    ),
    // Servers: what is left for the cache of keys and values.
    form(
        Cause::Cache,
        "",
        "is needed, which is larger than the available KV cache memory ",
        &["<({used} KV cache is", "KV cache memory ({limit})"],
    ),
    form(
        Cause::Cache,
        "",
        "No available memory for the cache blocks",
        &[],
    ),
    form(
        Cause::Cache,
        "",
        "larger than the maximum number of tokens that can be stored in KV cache",
        &[],
    ),
    form(
        Cause::Cache,
        "",
        "not enough Metal memory for KV cache",
        &[],
    ),
    // Kernels of GPUs.
    form(
        Cause::Kernel,
        "shared memory",
        "Shared memory size limit exceeded",
        &["requested {used#}, available", "available: {limit#}"],
    ),
    form(
        Cause::Kernel,
        "shared memory",
        "out of resource: shared memory",
        &[
            "Required: {used#}, Hardware",
            "Hardware limit: {limit#}",
            "Hardware limitation: {limit#}",
        ],
    ),
    form(
        Cause::Kernel,
        "shared memory",
        "exceeds available shared memory: smem_bytes=",
        &["smem_bytes={used#}>", "max_smem_bytes={limit#}"],
    ),
    form(
        Cause::Kernel,
        "shared memory",
        "Shared memory requested exceeds device resources",
        &[],
    ),
];

/// The words at which the forms begin, as they are compared.
pub(super) static BEGINNINGS: LazyLock<Vec<Finder<'static>>> = LazyLock::new(|| {
    let finders = FORMS.iter().map(|form| squeezed(form.begins));
    finders
        .map(|words| Finder::new(&words).into_owned())
        .collect()
});
