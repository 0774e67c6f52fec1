//! What to do when memory ran out.

use xlayout_view::table::Text;
use xlayout_words::{bytes, shortened};

use super::figures::known;
use crate::oom::{Cause, Report, Sums};

/// What to do about a part of a report that is most of its sum.
const LARGEST: [(Sums, &str, &str); 10] = [
    (Sums::Compiled, "temporary", SMALLER),
    (Sums::Compiled, "arguments", FEWER_ARGUMENTS),
    (
        Sums::Usage,
        "arguments",
        "divide them among more devices, keep them in a narrower type, or donate those that are not needed behind the call",
    ),
    (
        Sums::Usage,
        "heap allocations",
        "they are arrays that the program holds already; delete those that are not needed (`jax.live_arrays()` lists them), \
         or donate them",
    ),
    (
        Sums::Usage,
        "SparseCore",
        "it holds the embedding tables; divide them among more devices, and make features wider than 8 floats, since \
         narrower ones are padded",
    ),
    (Sums::Usage, "TensorCore", SMALLER),
    (Sums::Program, "HLO temp", SMALLER),
    (
        Sums::Assignment,
        "maybe_live_out",
        "they are the results; return less, or donate arguments of the same size, whose memory they then take",
    ),
    (Sums::Assignment, "parameter", FEWER_ARGUMENTS),
    (Sums::Assignment, "preallocated temp", SMALLER),
];

const FEWER_ARGUMENTS: &str =
    "they are the arguments; divide them among more devices, or keep them in a narrower type";

const SMALLER: &str = "a smaller batch, `jax.checkpoint` around layers, and arrays divided among more devices make temporary arrays less";

const PADDED: &str = "most of it is padding, which other layouts save";

/// What to do about an array that is most of the memory alone.
fn largest_array(report: &Report) -> Option<String> {
    let limit = report
        .limit_bytes
        .filter(|_| report.cause == Cause::Program)?;
    let array = report
        .allocations
        .iter()
        .max_by_key(|array| array.logical_bytes)?;
    // What is padding is the matter of a layout.
    (array.logical_bytes > Some(limit / 2)).then(|| {
        format!(
            "One array alone takes {} of {}. Such an array is mostly meant to be divided among devices, and is not: look at \
             its sharding. `jax.debug.print` of an array keeps all of it, too.",
            known(array.bytes),
            bytes(limit)
        )
    })
}

/// The part that is most of a sum, and what makes it less.
fn largest_part(report: &Report) -> Option<String> {
    LARGEST.iter().find_map(|(sums, name, advice)| {
        let section = report.section(*sums)?;
        let total = section.bytes?;
        let part = section
            .parts
            .iter()
            .find(|part| part.name.starts_with(name))?;
        let size = part.bytes.filter(|size| *size > total / 2)?;
        let name = &part.name;
        let padding = report.temporary.and_then(|temporary| {
            temporary
                .padded_bytes?
                .checked_sub(temporary.logical_bytes?)
        });
        let is_padding =
            *sums == Sums::Program && padding.is_some_and(|padding| padding > size / 2);
        let advice = if is_padding { PADDED } else { advice };
        let share = format!("{} of {}", bytes(size), bytes(total));
        Some(format!("The larger part is {name}, {share}: {advice}."))
    })
}

/// What decides, and what to do now.
pub(super) fn answers(report: &Report) -> Vec<String> {
    let is_fragmented = report.is_fragmented();
    let fragmented = is_fragmented.then(|| {
        "No layout helps against fragmentation: fewer or smaller arrays that live long do, and a fresh process.".to_owned()
    });
    let of_largest = [fragmented, largest_array(report), largest_part(report)];
    let of_cause = match report.cause {
        Cause::Program if report.used_bytes.is_none() && report.excess_bytes.is_none() => {
            "The text does not say how much was needed, and of how much: the sentence before the sums may have been left out."
        }
        Cause::Program => "",
        Cause::Figures => match report.section(Sums::Compiled) {
            Some(compiled) if compiled.bytes == compiled.part("code") => {
                "All but the code is 0: this version of the backend did not count the buffers. `xlayout hlo memory` computes \
                 them from the text of the compiled module."
            }
            Some(_) => {
                "`xlayout hlo memory` says which arrays are alive at the peak, from the text of the compiled module."
            }
            None if report.sections.is_empty() => {
                "This is a setting: XLA takes as much of the device when it begins. `XLA_PYTHON_CLIENT_MEM_FRACTION` changes it."
            }
            None => "",
        },
        Cause::Rematerialization => {
            "Nothing has failed yet: XLA computes values again to save memory, and did not reach its limit. If the program \
             then runs out of memory, a smaller batch and `jax.checkpoint` around layers help."
        }
        Cause::Kernel if report.memory_space == "shared memory" => {
            "Shared memory is that of one block of threads: smaller blocks, and fewer stages of a pipeline (`num_stages`), \
             take less of it."
        }
        Cause::Kernel => &in_kernel(&report.memory_space),
        Cause::Request if is_fragmented => "",
        Cause::Request => {
            "Arrays that are alive, and programs, hold the memory: delete what is not needed (`jax.live_arrays()` lists \
             arrays), donate arguments, or divide arrays among more devices. On a GPU, other processes and \
             `XLA_PYTHON_CLIENT_MEM_FRACTION` count, too."
        }
        Cause::Tensor if is_fragmented => {
            "`PYTORCH_ALLOC_CONF=expandable_segments:True` lets PyTorch join what it keeps."
        }
        Cause::Tensor => {
            "Tensors that are alive hold the memory: delete what is not needed, compute gradients only where they are used, \
             and give a step less at a time. `torch.cuda.memory_summary()` says what is allocated. Other processes on the GPU \
             count, too."
        }
        Cause::Cache => {
            "The cache gets what weights and buffers leave: shorter sequences (`max_model_len`), a larger part of the device \
             (`gpu_memory_utilization`), a narrower type of the cache, or more devices help."
        }
        Cause::Load => {
            "A program takes its memory in one piece at the bottom. Arrays that are alive and programs that were loaded \
             before are in its way: delete or donate arrays, and keep fewer programs."
        }
        Cause::Host => {
            "This is memory of the host, not of the device: keep less there, or raise the limit of pinned memory, for a GPU \
             with `XLA_PJRT_GPU_HOST_MEMORY_LIMIT_GB`."
        }
        Cause::OneBuffer => {
            "No buffer may be so large, whatever is free: divide the array, or do less at a time. Some runtimes give more on \
             demand, as WebGPU's `maxBufferSize`."
        }
        Cause::Arguments => {
            "Without any temporary array the program takes more than the compiler may use: divide arguments and results \
             among more devices, keep them in a narrower type, or donate arguments."
        }
        Cause::Attempt => {
            "Nothing has failed yet: an allocator then asks for less, or in another way. If the program ends, a later \
             message says at what."
        }
        Cause::Buffer => {
            "The program was compiled for the first layout, and the array was made with the second, such as by another \
             version or with other flags. Compile again, or bring the array into the layout with `jax.device_put` and a \
             `Format`. `xlayout diff EXPECTED GIVEN` compares them."
        }
        Cause::HostResult => {
            "Give the result `memory_kind='pinned_host'` in `out_shardings`, or move the array back with `jax.device_put` \
             before it is returned."
        }
    };
    let of_cause = (!of_cause.is_empty()).then(|| of_cause.to_owned());
    of_largest.into_iter().flatten().chain(of_cause).collect()
}

/// What to do when a kernel does not fit into a memory of a core.
fn in_kernel(space: &str) -> String {
    let raised = match space {
        "vmem" => {
            " If the device has more, `vmem_limit_bytes` of `pltpu.CompilerParams` raises the limit of a Pallas kernel, and \
             `--xla_tpu_scoped_vmem_limit_kib` that of all. If the operation is no kernel of yours, report it to XLA as a fault."
        }
        _ => "",
    };
    let space = shortened(space, 40);
    format!(
        "The memory {space} is that of one kernel: smaller blocks, or fewer of them at a time, take less of it.{raised}"
    )
}

/// Writes how to get a list of arrays.
pub(super) fn advise_dump(out: &mut Text, report: &Report) {
    let text = "The report lists no arrays. A dump of the compiled module shows them; XLA writes it although the program does not fit:";
    out.paragraph(text);
    let flags = "--xla_dump_to=DUMP --xla_dump_hlo_as_text";
    writeln!(
        out,
        "  XLA_FLAGS=\"{flags}\" python …\n  xlayout hlo memory DUMP{}",
        limit_flag(report)
    );
    if report.cause.is_request() && report.limit_bytes.is_some() {
        let text = "`hlo memory` counts arguments and results, which are among what is allocated already; so its limit is the memory of \
            the whole device, not what is free.";
        out.paragraph(text);
    }
}

/// The flag for the memory that a program may take with its arguments.
fn limit_flag(report: &Report) -> String {
    let limit_of_device = report.section(Sums::Capacity).and_then(|capacity| {
        let reserved = capacity.part("Top-of-Memory reserved")?;
        capacity.bytes?.checked_sub(reserved)
    });
    let limit = if report.cause.is_request() {
        limit_of_device
    } else {
        report.limit_bytes
    };
    match limit {
        Some(limit) if report.memory_space == "hbm" => {
            format!(" --limit {:.2}G", limit as f64 / f64::from(1 << 30))
        }
        _ => " --device NAME".to_owned(),
    }
}
