#!/usr/bin/env python3
"""Runs the test programs as other machines and other users would, and names the machine and the test of each failure.

    python3 .ci/machines.py COMMAND …                 the command that builds the tests, such as `cargo test --workspace`
    python3 .ci/machines.py --only Nehalem COMMAND …  one machine; several as `--only Nehalem,EPYC`

A processor is emulated: qemu's `cpuid` tells other caches and other instruction sets. All that can be had without emulation takes
as long as the tests themselves, so many differences make one machine. Where tests fail there, they run again with one
difference at a time, and the report names each that is enough to make them fail.

All test programs run outside cargo, in the folder `/`, without a variable of cargo's.

qemu emulates one process, and what that one starts runs on the true processor. (binfmt_misc could change that, but for all programs
of the machine.) So the tests of `cli` ask for the program `xlayout` in `CARGO_BIN_EXE_xlayout`, which is cargo's own name for it, and
here it names a script that starts qemu. A test program that starts itself does so on the true processor: those tests look at what
`main` prints and at variables.
"""
import collections
import concurrent.futures
import contextlib
import json
import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

# The workspace is the folder in which this runs: the library, or `apps`.
ROOT = pathlib.Path.cwd()
# The folders of its packages; that of the facade is the root.
PACKAGES = ["cli", "checkpoints", "view", "kernel", "hlo"] if ROOT.name == "apps" else ["relayout", "."]
# Far longer than a test program takes, also on a machine that has much else to do.
LIMIT = 900
# Fewer random cases: all of them have run on this machine.
FEW = {"LAWS_SMALL": "1", "RELAYOUT_CASES": "4", "RELAYOUT_SMALL": "1", "KERNEL_CASES": "50", "PROPTEST_CASES": "8"}

# What is as on this machine still differs from what cargo does.
OUTSIDE = "nothing but another folder, and no variables of cargo"

# A `Difference` from this machine: the command that starts a program, and variables, of which `None` is taken away.
Difference = collections.namedtuple("Difference", "command variables")
# A test program of cargo's; `target` is `lib` or `main`.
Program = collections.namedtuple("Program", "package target path")


def difference(*command, **variables):
    return Difference(command, variables)


def shell(script):
    return "sh", "-c", f'{script} && exec "$@"', "sh"


# Each command starts the next one, so what only root may do comes first.
SMALL = {
    "a TMPDIR of 8 MiB": difference("unshare", "--mount", *shell('mount -t tmpfs -o size=8m,mode=1777 tmpfs "$TMPDIR"')),
    "a user who is not root": difference("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"),
    "one processor": difference("taskset", "-c", str(min(os.sched_getaffinity(0))), RAYON_NUM_THREADS="1"),
    "one test at a time": difference(RUST_TEST_THREADS="1"),
    "threads with a stack of 1 MiB": difference(RUST_MIN_STACK=str(1 << 20)),
    "128 open files": difference(*shell("ulimit -n 128")),
    "no home": difference(HOME=None, XDG_CACHE_HOME=None, XDG_CONFIG_HOME=None),
    "a decimal comma": difference(LANG="de_DE.UTF-8", LC_ALL="de_DE.UTF-8"),
    "another time zone": difference(TZ="Pacific/Chatham"),
    "a terminal without colours": difference(TERM="dumb", NO_COLOR="1"),
}
LARGE = {
    "16 tests at a time": difference(RUST_TEST_THREADS="16"),
    "colours in pipes": difference(CLICOLOR_FORCE="1", TERM="xterm-256color", COLORTERM="truecolor"),
    "a narrow window": difference(COLUMNS="40", LINES="10"),
    "files for nobody else": difference(*shell("umask 077")),
    "backtraces": difference(RUST_BACKTRACE="full"),
}
MACHINES = {
    # `check=off`: no warnings of what the emulator lacks, which a test would read as the program's.
    **{name: {name: difference("qemu-x86_64", "-cpu", f"{name},check=off")} for name in ("Nehalem", "Haswell", "EPYC", "max")},
    "a small machine": SMALL,
    "a large machine": LARGE,
}

# Left out on each machine, since they take long and nothing but the processor's arithmetic can change their answer: all small
# cases of a law, and commands by the thousand that differ in one byte of a file.
LONG = {
    ".": ["laws::exhaustive::", "bitcast_brute_force::", "limits::nonsense_that_was_built", "sharding::laws::",
        "interop::strides::"],
    "cli": ["hlo::damaged_files_end_well", "convert::bad_files::a_flipped_byte_in_a_header",
        "convert::bad_files::cut_short_at_every_length", "damaged_inputs::no_module_of_a_file_that_ends_early_is_shown",
        "pictures::every_number_is_that_of_the_layout"],
    "hlo": ["command::stack::", "memory::tests::large::", "tests::damaged::flipped_bytes_lose_a_line_at_most",
        "oom::tests::placed::a_sentence_may_be_",
        "copies::tests::generated::large_modules_are_no_danger"],
    "relayout": ["tests::pairs::packed_rows_become_columns", "tests::pairs::panels_whose_first_loop_is_short",
        "tests::pairs::columns_at_lines", "pages::inaccessible::", "stack::"],
    "kernel": ["reduce::columns::tests::each_sum_is_in_sequence"],
}
# Also left out where the processor is emulated, which takes fifteen times as long, and a start of `xlayout` thirty times: all but what
# a processor can change. `relayout` chooses code by caches and instruction sets, and the commands here run it; kernels choose by
# instruction sets.
LONG_EMULATED = {
    ".": ["limits::", "serde::", "laws::", "bitcast::known_at_compile_time::", "sharded_types::", "other_values::", "sharding::",
        "bitcast::dense_shapes_have_xlas_answer", "vectors::", "layouts::", "errors::"],
    "cli": ["explain::tests::", "convert::round_trips::raw_there_and_back"],
    "checkpoints": ["random::", "fuzzing::tests::no_flipped_byte"],
    "view": ["picture::window::", "maps::tests::each_form_of_a_swizzle_is_read"],
    "hlo": ["proto::", "memory::", "copies::", "tests::damaged::", "tests::pieces_make_the_whole",
        "tests::repeated_computations_are_not_counted_again", "oom::tests::much_of_everything_is_limited",
        "log::tests::lines_of_any_length_are_read_in_pieces", "log::tests::a_log_is_divided",
        "oom::tests::the_reader_finds_out_what_a_file_is"],
    "relayout": ["learn::", "tests::machines::the_text_does_not_depend_on_the_past", "tests::strided::by_name",
        "tests::pairs::rows_in_turn", "piece::tests::pieces_are_the_nest",
        "tests::pairs::elements_with_gaps_become_columns", "api::threads_copy_what_one_copies", "new_memory::",
        "tests::threads::chunks_share_few_lines", "bits::tests::planes_have_each_element_once",
        "bits::tests::blocks_have_each_element_once", "pages::threads_copy_parts", "api::packed_elements_in_any_sequence", "tests::pairs::chunks_of_packed_rows_share_no_byte"],
    "kernel": ["reduce::integer_columns::tests::each_sum_is_that_of_a_row_and_a_column", "math::tests::",
        "conversion::tests::memory_is_lent_apart_and_kept_up_to_a_limit", "converted::more_items_than_are_converted_together"],
}
ONLY_EMULATED = {("cli", "main"): ["diff::", "convert::round_trips::"]}


def built(command):
    """The test programs of the packages, and the program `xlayout`."""
    words = [*command, "--no-run", "--message-format=json-render-diagnostics"]
    lines = subprocess.run(words, stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()
    programs, xlayout = [], None
    for found in map(json.loads, lines):
        if not found.get("executable"):
            continue
        package = os.path.relpath(pathlib.Path(found["manifest_path"]).parent, ROOT)
        kind, name = found["target"]["kind"][0], found["target"]["name"]
        if kind == "bin" and name == "xlayout":
            xlayout = found["executable"]
        elif package in PACKAGES and (kind == "lib" or name == "main"):
            programs.append(Program(package, "lib" if kind == "lib" else "main", found["executable"]))
    return programs, xlayout


def selection(program, is_emulated):
    """The words that select the tests of a program on a machine, and those that leave out."""
    package = program.package
    left_out = LONG.get(package, []) + (LONG_EMULATED.get(package, []) if is_emulated else [])
    wanted = ONLY_EMULATED.get((package, program.target), []) if is_emulated else []
    return [*wanted, *(word for skipped in left_out for word in ("--skip", skipped))]


class Run:
    """The tests of a program that `words` select, on a machine with these differences."""

    def __init__(self, program, differences, words, emulated):
        self.program, self.words = program, words
        with contextlib.ExitStack() as stack:
            folder = stack.enter_context(tempfile.TemporaryDirectory())
            os.chmod(folder, 0o1777)
            variables = {name: value for name, value in os.environ.items() if not name.startswith("CARGO")}
            variables |= {**FEW, "RUST_BACKTRACE": "0", "TMPDIR": folder}
            command = []
            for one in differences:
                command += one.command
                variables |= one.variables
            if emulated:
                variables["CARGO_BIN_EXE_xlayout"] = emulated
            variables = {name: value for name, value in variables.items() if value is not None}
            begin = time.monotonic()
            process = stack.enter_context(subprocess.Popen(
                [*command, program.path, *words], env=variables, cwd="/", stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT, text=True, errors="replace", start_new_session=True))
            try:
                self.output, self.end = process.communicate(timeout=LIMIT)[0], f"it ended with {process.returncode}"
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                self.output, self.end = process.communicate()[0], f"it did not end within {LIMIT} s"
            self.seconds = time.monotonic() - begin
        self.passed = sum(map(int, re.findall(r"^test result: .*? (\d+) passed", self.output, re.M)))
        # What each failed test said; `None` is the program itself.
        self.failures = {name: self.said(name) for name in re.findall(r"^test (\S+).* \.\.\. FAILED$", self.output, re.M)}
        if not self.failures and process.returncode != 0:
            done = set(re.findall(r"^test (\S+).* \.\.\. \w+$", self.output, re.M))
            begun = [test for test in self.listed() if test not in done]
            self.failures = {None: f"{self.end}, and there is no result of {', '.join(begun[:8])}\n{self.output[-2000:]}"}

    def said(self, test):
        text = re.search(rf"^---- {re.escape(test)} stdout ----\n(.*?)(?=^---- |^failures:$)", self.output, re.M | re.S)
        return text[1] if text else ""

    def listed(self):
        return listed(self.program, self.words)


def listed(program, words=()):
    """The tests that the words select."""
    output = subprocess.run([program.path, *words, "--list"], capture_output=True, text=True, check=True).stdout
    return re.findall(r"^(.*): test$", output, re.M)


def causes(run, machine):
    """Each failed test again, with one difference at a time: those that are enough."""
    differences = MACHINES[machine]
    if len(differences) == 1 or None in run.failures:
        return {test: [] for test in run.failures}
    found = {test: [] for test in run.failures}
    left = list(run.failures)
    for name, one in {OUTSIDE: None, **differences}.items():
        if left:
            again = Run(run.program, [one] if one else [], ["--exact", *left], None)
            failed = [test for test in left if test in again.failures or None in again.failures]
            for test in failed:
                found[test].append(name)
            if name == OUTSIDE:
                left = [test for test in left if test not in failed]
    return {test: names or ["several of its differences, but none alone"] for test, names in found.items()}


def possible(machines):
    """Leaves out what this machine cannot do, and says so."""
    for machine, differences in machines.items():
        for name, one in list(differences.items()):
            with tempfile.TemporaryDirectory() as folder:
                try:
                    trial = subprocess.run([*one.command, shutil.which("true")], env={**os.environ, "TMPDIR": folder}, capture_output=True, text=True)
                    why = trial.stderr.strip() if trial.returncode else None
                except OSError as error:
                    why = str(error)
            if why is not None:
                print(f"  left out: {name}: {why}", flush=True)
                del differences[name]
    return {machine: differences for machine, differences in machines.items() if differences}


def main():
    words = sys.argv[1:]
    machines = MACHINES
    if words[:1] == ["--only"]:
        machines = {name: MACHINES[name] for name in words[1].split(",")}
        words = words[2:]
    programs, xlayout = built(words)
    missing = set(PACKAGES) - {program.package for program in programs}
    assert not missing, f"not built: {missing}"
    assert xlayout or "cli" not in PACKAGES, "not built: xlayout"
    # A word that no test has would leave out nothing, or everything.
    for package in PACKAGES:
        tests = [test for program in programs if program.package == package for test in listed(program)]
        words = LONG.get(package, []) + LONG_EMULATED.get(package, []) + ONLY_EMULATED.get((package, "main"), [])
        stale = [word for word in words if not any(word in test for test in tests)]
        assert not stale, f"no test of {package} is called {stale}"
    machines = possible(machines)
    failed = False
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as threads:
        jobs = []
        for machine, differences in machines.items():
            emulator = next((one.command for one in differences.values() if "qemu-x86_64" in one.command), None)
            script = None
            if emulator and xlayout:
                script = pathlib.Path(folder, machine, "xlayout")
                script.parent.mkdir()
                script.write_text(f'#!/bin/sh\nexec {" ".join(emulator)} "{xlayout}" "$@"\n')
                script.chmod(0o755)
            for program in programs:
                tests = selection(program, emulator)
                jobs.append((machine, threads.submit(Run, program, differences.values(), tests, script and str(script))))
        passed, seconds = collections.Counter(), collections.Counter()
        for machine, job in jobs:
            run = job.result()
            passed[machine] += run.passed
            seconds[machine] += run.seconds
            for test, names in causes(run, machine).items():
                failed = True
                where = f" (with {' and '.join(names)})" if names else ""
                print(f"\n== on {machine}{where}: {run.program.package}, {run.program.target}: {test or 'the whole program'}")
                print("\n".join("    " + line for line in run.failures[test].strip().splitlines()[-40:]), flush=True)
    for machine in machines:
        print(f"  {machine}: {passed[machine]} tests passed, {seconds[machine]:.0f} s")
        if passed[machine] == 0:
            failed = True
            print(f"\n== on {machine}: no test ran")
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"  {used.ru_utime + used.ru_stime:.0f} s of processor time")
    sys.exit(failed)


main()
