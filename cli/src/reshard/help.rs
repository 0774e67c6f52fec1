//! The long help of `reshard`.

use crate::help;

pub(crate) const ABOUT: &str = "\
Bring a checkpoint into other shardings and layouts, on any number of machines.

`plan` reads only the headers of a folder of files and writes a plan: a text that says for each unit of work which \
bytes it reads and which files it writes. `run` does one unit; no two units write one file, so they run on any \
machines that see both folders, in any sequence and at once. `verify` compares both folders.

A unit that was killed is run again; what it had finished stays. Files appear under their names when they are whole.";

pub(super) const PLAN: &str = "\
Write a plan: which unit reads which bytes and writes which files.

SRC is a folder of .safetensors, with or without an index, or of .npy, or a zarr array or group, version 2 or 3. A \
tensor may be divided over files; PyTorch's `DCP_SHARDING_INFO` says how, or `from` in SPEC. Only headers are read.

SRC and DST may be URLs of object stores, s3://BUCKET/FOLDER, where the program was built for them, `cargo install \
xlayout-cli --features s3` (or gcs, azure). Options are read from the environment: AWS_REGION, AWS_ENDPOINT.

SPEC is a text in TOML. The first entry that is for a tensor counts; a tensor without one stays as it is:

  format = \"safetensors\"               # or \"npy\", \"zarr\"; SRC's if not given
  [[tensor]]
  name = \"model.layers.*.experts.*\"    # * is any text, ? one character
  rank = 2                             # only those with 2 dimensions
  layout = \"{1,0}\"                     # or C, or F
  type = \"bf16\"                        # rounds f16, f32, f64 to it
  sharding = \"{devices=[16,1]<=[16]}\"  # what is written
  from = \"{devices=[1,8]<=[8]}\"        # what SRC is
  opaque = false                       # see xlayout convert --help

A sharding is written as XLA writes it, by devices or by axes, '{mesh[x=2,y=4], [{x}, {y}]}', or as Shardy does, \
'#sdy.sharding<mesh<[\"x\"=2]>, [{\"x\"}]>'.

With a sharding each device has files of its own, as PyTorch names them: shard-00001-model-00001-of-00004.safetensors; \
what several devices hold is in the files of the first of them. Without one there is an index. In zarr, which is \
written as version 3, the parts are the chunks of one array; those that are larger than --object-size are cut.";

pub(super) const RUN: &str = "\
Run one unit of a plan.

The files of SRC must be those of the plan: their lengths and headers are compared. Each file of DST is written under \
another name, synced, and renamed. DST/.xlayout records its checksum; what is recorded and there is not written again.

On many machines:

  Slurm       sbatch --array=0-15 --wrap \\
                'xlayout reshard run plan.json --unit $SLURM_ARRAY_TASK_ID'
  Kubernetes  a Job with completionMode: Indexed and completions: 16 runs
                xlayout reshard run plan.json --unit $JOB_COMPLETION_INDEX
  GNU parallel
              seq 0 15 | parallel --retries 3 -S host1,host2 \\
                xlayout reshard run /shared/plan.json --unit {}
  dask, ray   python -m xlayout.reshard plan.json --engine dask \\
                --address tcp://scheduler:8786";

pub(super) const VERIFY: &str = "\
Compare DST with SRC, element by element, or with the checksums that were recorded when it was written.

Exit code 1: they differ. Each file that differs is named, with its first element that differs.";

const EXAMPLES: &str = "\
xlayout reshard plan ckpt out --to spec.toml --units 16 -o plan.json
    Which unit does what; nothing is written but the plan
xlayout reshard plan ckpt out --to spec.toml --units 1000
    Only what it would cost
xlayout reshard run plan.json --unit 3
    One unit of work
xlayout reshard run plan.json
    All of them, one after the other
xlayout reshard verify plan.json
    Whether each element is where it should be";

pub(super) fn examples() -> String {
    help::examples(&help::pairs(EXAMPLES))
}
