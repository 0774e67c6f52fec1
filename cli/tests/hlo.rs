//! `xlayout hlo`, run as a person runs it.

#[path = "hlo/by_hand.rs"]
mod by_hand;

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use expect_test::{Expect, expect};
use serde_json::Value;

const MODULES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/hlo");

/// The program, in the folder of the modules, so that their names are short.
fn program(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_xlayout"));
    command.arg("hlo").args(arguments).current_dir(MODULES);
    command.env_remove("CLICOLOR_FORCE").env("NO_COLOR", "1");
    command
}

fn run(arguments: &[&str]) -> Output {
    program(arguments).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// Both outputs and the exit code, where it is not 0.
fn shown(output: &Output) -> String {
    let mut all = text(&output.stdout) + &text(&output.stderr);
    match output.status.code() {
        Some(0) => {}
        code => all += &format!("exit code {code:?}\n"),
    }
    all
}

#[track_caller]
fn check(arguments: &[&str], expected: Expect) {
    expected.assert_eq(&shown(&run(arguments)));
}

fn json(arguments: &[&str]) -> Value {
    let output = run(arguments);
    serde_json::from_slice(&output.stdout).unwrap()
}

fn modules() -> Vec<PathBuf> {
    let files = fs::read_dir(MODULES).unwrap();
    let mut files: Vec<_> = files.map(|file| file.unwrap().path()).collect();
    files.sort();
    assert_eq!(files.len(), 14);
    files
}

/// Runs with a text on standard input.
fn with_input(arguments: &[&str], input: &[u8]) -> Output {
    let mut command = program(arguments);
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    let writer = std::thread::spawn(move || {
        // A program that has seen enough closes the pipe.
        let _ = stdin.write_all(&input);
    });
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    output
}

#[test]
fn what_wastes_my_memory() {
    check(&["cnn_grad.v5e.hlo", "--top", "4"], expect![[r#"
        cnn_grad.v5e.hlo: module jit__lambda, 37 computations, 197 instructions
        Counted: the results of all instructions, in fused computations, too; tuples
        array by array. `--entry` counts those of ENTRY only.

                  arrays  elements  allocated   padding
        all          214   850 MiB   2.04 GiB  1.21 GiB  59.4%
        in ENTRY      52   166 MiB    372 MiB   206 MiB  55.4%

        Worst paddings, 68.5% of the padding; the layouts behind → would save 589 MiB
          padding         count  array, and what would waste less
          234 MiB  95.3%      5  bf16[8,224,224,3]{0,3,2,1:T(4,128)(2,1)S(1)}
                                 → {2,0,3,1:T(8,128)(2,1)S(1)} saves 232 MiB
          220 MiB  50.0%      9  f32[8,112,112,64]{3,0,2,1:T(8,128)}
                                 → {2,3,0,1:T(8,128)} saves 189 MiB
          202 MiB  50.0%     33  f32[8,56,56,64]{3,0,2,1:T(8,128)}
                                   no layout of this hardware wastes less
          196 MiB  50.0%      8  f32[8,112,112,64]{3,0,2,1:T(8,128)S(1)}
                                 → {2,3,0,1:T(8,128)S(1)} saves 168 MiB
          … 21 more: `--top all`

        Largest arrays
          allocated  padding  count      each  array
            441 MiB    50.0%      9  49.0 MiB  f32[8,112,112,64]{3,0,2,1:T(8,128)}
            404 MiB    50.0%     33  12.2 MiB  f32[8,56,56,64]{3,0,2,1:T(8,128)}
            392 MiB    50.0%      8  49.0 MiB  f32[8,112,112,64]{3,0,2,1:T(8,128)S(1)}
            245 MiB    95.3%      5  49.0 MiB  bf16[8,224,224,3]{0,3,2,1:T(4,128)(2,1)S(1)}
          … 22 more: `--top all`

        Layouts
          allocated  padding  count  layout
            845 MiB    50.0%     42  {3,0,2,1:T(8,128)}
            478 MiB    50.0%     15  {3,0,2,1:T(8,128)S(1)}
            245 MiB    95.3%      5  {0,3,2,1:T(4,128)(2,1)S(1)}
            245 MiB    50.0%     25  {3,0,2,1:T(8,128)(2,1)}
          … 16 more: `--top all`

        Memory spaces
          allocated  padding  count  space
           1.31 GiB    56.4%    153  default
            752 MiB    64.8%     56  S(1), fast memory
               20 B       0%      5  S(2)

        Entry of jit__lambda
                       allocated  padding  array
          parameter 0   84.0 KiB    56.2%  f32[7,7,3,64]{3,1,2,0:T(8,128)}
          parameter 1    288 KiB    50.0%  f32[3,3,64,64]{3,2,1,0:T(8,128)}
          parameter 2    288 KiB    50.0%  f32[3,3,64,64]{3,2,1,0:T(8,128)}
          parameter 3    256 KiB     2.3%  f32[64,1000]{1,0:T(8,128)}
          result {0}    84.0 KiB    56.2%  f32[7,7,3,64]{3,1,2,0:T(8,128)}
          result {1}     288 KiB    50.0%  f32[3,3,64,64]{3,2,1,0:T(8,128)}
          result {2}     288 KiB    50.0%  f32[3,3,64,64]{3,2,1,0:T(8,128)}
          result {3}     256 KiB     2.3%  f32[64,1000]{1,0:T(8,128)}
          … 1 more: `--top all`

    "#]]);
}

#[test]
fn one_table_of_the_entry_computation() {
    let arguments = "while_bool.v5e.hlo --entry --no-views --by shape --sort padding";
    check(&arguments.split(' ').collect::<Vec<_>>(), expect![[r#"
        while_bool.v5e.hlo: module jit__lambda, 7 computations, 49 instructions
        Counted: the results of the instructions of ENTRY, without views of other
        arrays; tuples array by array.

                  arrays  elements  allocated   padding
        in ENTRY       9  23.6 KiB   67.5 KiB  43.9 KiB  65.1%

        Arrays, by their padding
          allocated  padding  count      each  array
           48.0 KiB    64.3%      2  24.0 KiB  f32[17,129]{1,0:T(8,128)}
           12.0 KiB    64.3%      2  6.00 KiB  pred[17,129]{1,0:T(8,128)(4,1)S(1)}
           6.00 KiB    64.3%      1            pred[17,129]{1,0:T(8,128)(4,1)}
           1.50 KiB    99.2%      3     512 B  s32[]{:T(128)}
                4 B       0%      1            u32[]{:S(2)}

    "#]]);
}

#[test]
fn several_files_are_one_answer() {
    let mut arguments = vec!["--by", "layout", "--top", "5"];
    let files = modules();
    arguments.extend(
        files
            .iter()
            .map(|file| file.file_name().unwrap().to_str().unwrap()),
    );
    check(&arguments, expect![[r#"
        cholesky_solve.v5e.hlo: module jit__lambda, 15 computations, 79 instructions
        cnn_grad.v5e.hlo: module jit__lambda, 37 computations, 197 instructions
        conv3d_grouped.v5e.hlo: module jit__lambda, 4 computations, 18 instructions
        … and 11 more files
        Counted: the results of all instructions, in fused computations, too; tuples
        array by array. `--entry` counts those of ENTRY only.

                  arrays  elements  allocated   padding
        all        2,113  3.44 GiB   4.83 GiB  1.40 GiB  28.9%
        in ENTRY     448   463 MiB    728 MiB   265 MiB  36.5%

        Layouts
          allocated  padding  count  layout
            845 MiB    50.0%     42  {3,0,2,1:T(8,128)}
            834 MiB     0.1%    174  {2,1,0:T(8,128)}
            569 MiB     0.5%     66  {3,2,1,0:T(8,128)}
            478 MiB    50.0%     15  {3,0,2,1:T(8,128)S(1)}
            245 MiB    95.3%      5  {0,3,2,1:T(4,128)(2,1)S(1)}
          … 83 more: `--top all`

        Not counted: 3 arrays without a layout, of 12 B of elements.
    "#]]);
    arguments[1] = "type";
    arguments[3] = "all";
    check(&arguments, expect![[r#"
        cholesky_solve.v5e.hlo: module jit__lambda, 15 computations, 79 instructions
        cnn_grad.v5e.hlo: module jit__lambda, 37 computations, 197 instructions
        conv3d_grouped.v5e.hlo: module jit__lambda, 4 computations, 18 instructions
        … and 11 more files
        Counted: the results of all instructions, in fused computations, too; tuples
        array by array. `--entry` counts those of ENTRY only.

                  arrays  elements  allocated   padding
        all        2,113  3.44 GiB   4.83 GiB  1.40 GiB  28.9%
        in ENTRY     448   463 MiB    728 MiB   265 MiB  36.5%

        Element types
          allocated  padding  count  type
           2.85 GiB    23.6%    922  f32
           1.85 GiB    37.7%    621  bf16
           80.6 MiB     8.0%    295  u32
           43.2 MiB    50.0%     86  pred
           5.70 MiB     0.7%     13  s8
           3.75 MiB       0%     19  f8e4m3fn
           2.68 MiB    19.1%    147  s32
           1.27 MiB     0.6%      5  s4
            576 KiB    34.8%      5  c64

        Not counted: 3 arrays without a layout, of 12 B of elements.
    "#]]);
    arguments[1] = "space";
    check(&arguments, expect![[r#"
        cholesky_solve.v5e.hlo: module jit__lambda, 15 computations, 79 instructions
        cnn_grad.v5e.hlo: module jit__lambda, 37 computations, 197 instructions
        conv3d_grouped.v5e.hlo: module jit__lambda, 4 computations, 18 instructions
        … and 11 more files
        Counted: the results of all instructions, in fused computations, too; tuples
        array by array. `--entry` counts those of ENTRY only.

                  arrays  elements  allocated   padding
        all        2,113  3.44 GiB   4.83 GiB  1.40 GiB  28.9%
        in ENTRY     448   463 MiB    728 MiB   265 MiB  36.5%

        Memory spaces
          allocated  padding  count  space
           3.47 GiB    23.1%  1,414  default
           1.37 GiB    43.6%    594  S(1), fast memory
           32.0 KiB    99.5%     64  S(6)
              164 B       0%     41  S(2)

        Not counted: 3 arrays without a layout, of 12 B of elements.
    "#]]);
}

#[test]
fn csv_is_for_spreadsheets() {
    check(&["int4_matmul.v5e.hlo", "--csv"], expect![[r#"
        shape,count,logical_bytes,allocated_bytes,total_logical_bytes,total_allocated_bytes,total_padding_bytes,memory_space,better_shape,better_allocated_bytes
        "bf16[333,1024]{1,0:T(8,128)(2,1)S(1)}",4,681984,688128,2727936,2752512,24576,1,"bf16[333,1024]{1,0:T(2,128)(2,1)S(1)}",684032
        "bf16[333,1024]{1,0:T(8,128)(2,1)}",4,681984,688128,2727936,2752512,24576,0,"bf16[333,1024]{1,0:T(2,128)(2,1)}",684032
        "s4[1024,517]{0,1:T(8,128)(8,1)E(4)}",5,264704,266240,1323520,1331200,7680,0,,
        "bf16[333,517]{0,1:T(8,128)(2,1)}",2,344322,399360,688644,798720,110076,0,"bf16[333,517]{0,1:T(2,128)(2,1)}",397824
        u32[]{:S(2)},1,4,4,4,4,0,2,,
    "#]]);
    check(
        &[
            "rng_complex.v5e.hlo",
            "--csv",
            "--by",
            "layout",
            "--sort",
            "count",
            "--top",
            "3",
        ],
        expect![[r#"
            layout,distinct,count,logical_bytes,allocated_bytes,padding_bytes
            "{0,1:T(8,128)}",2,220,26400000,34242560,7842560
            {:T(128)},2,60,240,30720,30480
            {0:T(128)},3,54,17648,27648,10000
        "#]],
    );
}

#[test]
fn json_has_everything() {
    check(&["int8_matmul.v5e.hlo", "--json", "--top", "2"], expect![[r#"
        {
          "files": [
            {
              "file": "int8_matmul.v5e.hlo",
              "bytes": 2106,
              "computations": 4,
              "instructions": 14
            }
          ],
          "counted": {
            "what": "results of instructions, each array of a tuple by itself, that have a layout in the text",
            "computations": "all",
            "views": true
          },
          "totals": {
            "distinct": 5,
            "count": 16,
            "logical_bytes": 7317516,
            "allocated_bytes": 7577604,
            "padding_bytes": 260088
          },
          "totals_in_entry": {
            "count": 7,
            "logical_bytes": 3147272,
            "allocated_bytes": 3272708,
            "padding_bytes": 125436
          },
          "arrays": [
            {
              "shape": "s8[1024,517]{0,1:T(8,128)(4,1)S(1)}",
              "count": 4,
              "count_in_entry": 2,
              "logical_bytes": 529408,
              "allocated_bytes": 532480,
              "total_logical_bytes": 2117632,
              "total_allocated_bytes": 2129920,
              "total_padding_bytes": 12288,
              "memory_space": 1,
              "better": null
            },
            {
              "shape": "s8[1024,517]{0,1:T(8,128)(4,1)}",
              "count": 4,
              "count_in_entry": 2,
              "logical_bytes": 529408,
              "allocated_bytes": 532480,
              "total_logical_bytes": 2117632,
              "total_allocated_bytes": 2129920,
              "total_padding_bytes": 12288,
              "memory_space": 0,
              "better": null
            }
          ],
          "layouts": [
            {
              "layout": "{0,1:T(8,128)(4,1)S(1)}",
              "distinct": 1,
              "count": 4,
              "logical_bytes": 2117632,
              "allocated_bytes": 2129920,
              "padding_bytes": 12288
            },
            {
              "layout": "{0,1:T(8,128)(4,1)}",
              "distinct": 1,
              "count": 4,
              "logical_bytes": 2117632,
              "allocated_bytes": 2129920,
              "padding_bytes": 12288
            },
            {
              "layout": "{1,0:T(8,128)(4,1)}",
              "distinct": 1,
              "count": 5,
              "logical_bytes": 1704960,
              "allocated_bytes": 1720320,
              "padding_bytes": 15360
            },
            {
              "layout": "{0,1:T(8,128)}",
              "distinct": 1,
              "count": 2,
              "logical_bytes": 1377288,
              "allocated_bytes": 1597440,
              "padding_bytes": 220152
            },
            {
              "layout": "{:S(2)}",
              "distinct": 1,
              "count": 1,
              "logical_bytes": 4,
              "allocated_bytes": 4,
              "padding_bytes": 0
            }
          ],
          "element_types": [
            {
              "element_type": "s8",
              "distinct": 3,
              "count": 13,
              "logical_bytes": 5940224,
              "allocated_bytes": 5980160,
              "padding_bytes": 39936
            },
            {
              "element_type": "s32",
              "distinct": 1,
              "count": 2,
              "logical_bytes": 1377288,
              "allocated_bytes": 1597440,
              "padding_bytes": 220152
            },
            {
              "element_type": "u32",
              "distinct": 1,
              "count": 1,
              "logical_bytes": 4,
              "allocated_bytes": 4,
              "padding_bytes": 0
            }
          ],
          "memory_spaces": [
            {
              "memory_space": 0,
              "distinct": 3,
              "count": 11,
              "logical_bytes": 5199880,
              "allocated_bytes": 5447680,
              "padding_bytes": 247800
            },
            {
              "memory_space": 1,
              "distinct": 1,
              "count": 4,
              "logical_bytes": 2117632,
              "allocated_bytes": 2129920,
              "padding_bytes": 12288
            },
            {
              "memory_space": 2,
              "distinct": 1,
              "count": 1,
              "logical_bytes": 4,
              "allocated_bytes": 4,
              "padding_bytes": 0
            }
          ],
          "modules": 1,
          "entry": [
            {
              "file": "int8_matmul.v5e.hlo",
              "line": 1,
              "module": "jit__lambda",
              "has_entry_computation_layout": true,
              "parameters": [
                {
                  "parameter": 0,
                  "index": [],
                  "shape": "s8[333,1024]{1,0:T(8,128)(4,1)}",
                  "logical_bytes": 340992,
                  "allocated_bytes": 344064
                },
                {
                  "parameter": 1,
                  "index": [],
                  "shape": "s8[1024,517]{0,1:T(8,128)(4,1)}",
                  "logical_bytes": 529408,
                  "allocated_bytes": 532480
                }
              ],
              "results": [
                {
                  "index": [],
                  "shape": "s32[333,517]{0,1:T(8,128)}",
                  "logical_bytes": 688644,
                  "allocated_bytes": 798720
                }
              ]
            }
          ],
          "entry_left_out": 0,
          "without_layout": {
            "count": 0,
            "logical_bytes": 0
          },
          "without_size": 0,
          "mistakes": [],
          "mistakes_in_all": 0
        }
    "#]]);
}

#[test]
fn a_module_without_layouts_says_so() {
    let text = b"HloModule m\n\nENTRY %e (p: f32[1024]) -> f32[1024] {\n  %p = f32[1024] parameter(0)\n  ROOT %r = f32[1024] negate(%p)\n}\n";
    expect![[r#"
        standard input: module m, 1 computation, 2 instructions
        Counted: the results of all instructions, in fused computations, too; tuples
        array by array. `--entry` counts those of ENTRY only.

                  arrays  elements  allocated  padding
        all            0       0 B        0 B      0 B  0%
        in ENTRY       0       0 B        0 B      0 B  0%

        Not counted: 2 arrays without a layout, of 8.00 KiB of elements.
        The module was printed before layouts were chosen: print it after compiling.
    "#]].assert_eq(&shown(&with_input(&["-"], text)));
}

const BROKEN: &str = "\
HloModule m, is_scheduled=true, entry_computation_layout={(f32[2]{0})->f32[2]{1}}

%f (p: f32[2]) -> f32[2]
  %p = fp32[2]{0} parameter(0)
  %q = f32[2,3]{1,1} parameter(1)
}

ENTRY %main (p: f32[2]) -> f32[2] {
  %good = f32[2]{0} parameter(0)
  %r = (f32[2]{0}, s32[3]{0:T(1 tuple(%p)
  %s = f32[2]{0}
  %t = f32[2]{0} add(%p, %q
  %u f32[2]{0} add(%p, %q)
  ?? = f32[2]{0} add(%p, %q)
  %v = f32[2]{0} add(%p), metadata={op_name=\"x
  %w = f32[9000000000,9000000000]{1,0:T(8,128)} add(%p)
  %x = f32[2]{0} add(%p), metadata={op_name=\"jit(f)/jit(main)/dot_general\" source_file=\"/home/user/program.py\" source_line=77], x=1
  %y = f32[2]{0} add(%p)), a={b]}
  %z = f32[2]{0} add(%p\0)
  ROOT %fine = f32[2]{0} negate(%good)
";

#[test]
fn mistakes_are_told_and_do_not_stop() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("broken.txt"), BROKEN).unwrap();
    let run = |arguments: &[&str]| {
        let mut command = program(arguments);
        shown(&command.current_dir(folder.path()).output().unwrap())
    };
    expect![[r#"
        broken.txt: module m, 2 computations, 7 instructions
        Counted: the results of all instructions, in fused computations, too; tuples
        array by array. `--entry` counts those of ENTRY only.

                  arrays  elements  allocated  padding
        all            7      56 B       56 B      0 B  0%
        in ENTRY       7      56 B       56 B      0 B  0%

        Largest arrays
          allocated  padding  count  each  array
               56 B       0%      7   8 B  f32[2]{0}

        error: minor_to_major counts dimensions from 1
         --> broken.txt:1:78
          |
        1 | ...                   …putation_layout={(f32[2]{0})->f32[2]{1}}
          |                                                            ^^^
          |
          = help: dimensions count from 0: did you mean `{0}`?

        error: expected `{` at the end of this line, found the end of the line
         --> broken.txt:3:25
          |
        3 | %f (p: f32[2]) -> f32[2]
          |                         ^

        error: unknown element type `fp32`
         --> broken.txt:4:8
          |
        4 |   %p = fp32[2]{0} parameter(0)
          |        ^^^^
          |
          = help: write `f32`

        error: minor_to_major lists dimension 1 more than once and lacks dimension 0
         --> broken.txt:5:19
          |
        5 |   %q = f32[2,3]{1,1} parameter(1)
          |                   ^
          |
          = help: list every dimension once, the one that varies fastest first

        error: expected `}` behind the layout, found `%p`
          --> broken.txt:10:39
           |
        10 |   %r = (f32[2]{0}, s32[3]{0:T(1 tuple(%p)
           |                                       ^^
           |
           = help: a shape is like `f32[2,3]{1,0}`; tuples have parentheses

        error: 15 places in 1 file could not be read, and what they say is not counted
         |
         = help: `--all-mistakes` shows the other 10 as well
        exit code Some(1)
    "#]].assert_eq(&run(&["broken.txt", "--by", "shape"]));
    expect![[r#"
        broken.txt: module m, 2 computations, 7 instructions
        Counted: the results of all instructions, in fused computations, too; tuples
        array by array. `--entry` counts those of ENTRY only.

                  arrays  elements  allocated  padding
        all            7      56 B       56 B      0 B  0%
        in ENTRY       7      56 B       56 B      0 B  0%

        Largest arrays
          allocated  padding  count  each  array
               56 B       0%      7   8 B  f32[2]{0}

        error: minor_to_major counts dimensions from 1
         --> broken.txt:1:78
          |
        1 | ...                   …putation_layout={(f32[2]{0})->f32[2]{1}}
          |                                                            ^^^
          |
          = help: dimensions count from 0: did you mean `{0}`?

        error: expected `{` at the end of this line, found the end of the line
         --> broken.txt:3:25
          |
        3 | %f (p: f32[2]) -> f32[2]
          |                         ^

        error: unknown element type `fp32`
         --> broken.txt:4:8
          |
        4 |   %p = fp32[2]{0} parameter(0)
          |        ^^^^
          |
          = help: write `f32`

        error: minor_to_major lists dimension 1 more than once and lacks dimension 0
         --> broken.txt:5:19
          |
        5 |   %q = f32[2,3]{1,1} parameter(1)
          |                   ^
          |
          = help: list every dimension once, the one that varies fastest first

        error: expected `}` behind the layout, found `%p`
          --> broken.txt:10:39
           |
        10 |   %r = (f32[2]{0}, s32[3]{0:T(1 tuple(%p)
           |                                       ^^
           |
           = help: a shape is like `f32[2,3]{1,0}`; tuples have parentheses

        error: expected an operation and `(` behind the shape, found the end of the line
          --> broken.txt:11:17
           |
        11 |   %s = f32[2]{0}
           |                 ^
           |
           = help: as in `%sum = f32[2]{0} add(%a, %b)`

        error: the instruction ends without `)`
          --> broken.txt:12:28
           |
        12 |   %t = f32[2]{0} add(%p, %q
           |                            ^
           |
           = help: was the line cut short?

        error: expected `=` and a shape behind the name, found `f32`
          --> broken.txt:13:6
           |
        13 |   %u f32[2]{0} add(%p, %q)
           |      ^^^
           |
           = help: an instruction is `%name = SHAPE operation(operands), attributes`

        error: expected an instruction or `}`, found `?`
          --> broken.txt:14:3
           |
        14 |   ?? = f32[2]{0} add(%p, %q)
           |   ^
           |
           = help: an instruction is `%name = SHAPE operation(operands), attributes`

        error: the string has no end on its line
          --> broken.txt:15:45
           |
        15 |        …32[2]{0} add(%p), metadata={op_name="x
           |                                             ^
           |
           = help: it ends with `"`

        error: the dimensions multiply to 81000000000000000000 elements, more than 9223372036854775807
          --> broken.txt:16:11
           |
        16 |   %w = f32[9000000000,9000000000]{1,0:T(8,128)} add(%p)
           |           ^^^^^^^^^^^^^^^^^^^^^^^
           |
           = help: XLA counts elements and bytes in 64 bits with a sign

        error: `]` closes `{`
          --> broken.txt:17:126
           |
        17 | ...                   …home/user/program.py" source_line=77], x=1
           |                                                            ^
           |
           = help: expected `}`

        error: `)` closes nothing
          --> broken.txt:18:25
           |
        18 |   %y = f32[2]{0} add(%p)), a={b]}
           |                         ^

        error: found a NUL byte, in text
          --> broken.txt:19:24
           |
        19 |   %z = f32[2]{0} add(%p␀)
           |                        ^
           |
           = help: the file may be damaged: copy it again as it is, in binary

        error: the text ends inside of the computation `%main`
          --> broken.txt:21:1
           |
        21 |
           | ^
           |
           = help: it begins on line 8 and has no closing `}`: was the file cut short?

        error: 15 places in 1 file could not be read, and what they say is not counted
        exit code Some(1)
    "#]].assert_eq(&run(&["broken.txt", "--by", "shape", "--all-mistakes"]));
    let answer: Value = {
        let mut command = program(&["broken.txt", "--json"]);
        let output = command.current_dir(folder.path()).output().unwrap();
        serde_json::from_slice(&output.stdout).unwrap()
    };
    assert_eq!(answer["mistakes"].as_array().unwrap().len(), 5);
    expect![[r#"{"file":"broken.txt","line":3,"column":25,"message":"expected `{` at the end of this line, found the end of the line","help":null}"#]].assert_eq(&answer["mistakes"][1].to_string());
}

#[test]
fn what_is_no_hlo_is_called_by_its_name() {
    let folder = tempfile::tempdir().unwrap();
    let files: [(&str, &[u8]); 12] = [
        ("empty.txt", b""),
        ("lines.txt", b"\n\n\n"),
        ("words.txt", b"hello world\nthis is text (really)\n"),
        ("lowered.mlir", b"// c\nmodule @jit_f attributes {} {\n  %0 = stablehlo.add %a, %b : tensor<2xf32>\n}\n"),
        ("loc.mlir", b"#loc1 = loc(\"x\")\nmodule @jit_f {\n}\n"),
        ("module.pb", b"\x0a\x95\x01\x0a\x0bjit__lambda\x12\x04main\x1a\x0c\x00\x01\x02"),
        ("module.txt.gz", b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03"),
        ("module.zst", b"\x28\xb5\x2f\xfd\x00"),
        ("utf16.txt", b"\xff\xfeH\x00l\x00o\x00"),
        ("a.npy", b"\x93NUMPY\x01\x00"),
        ("random.bin", b"\x81\x03\xfe\x99\x00\x00\xc3\x28\xa0\x01"),
        ("page.html", b"<!DOCTYPE html>\n<html></html>\n"),
    ];
    let mut all = String::new();
    for (name, bytes) in files {
        fs::write(folder.path().join(name), bytes).unwrap();
        let mut command = program(&[name]);
        let output = command.current_dir(folder.path()).output().unwrap();
        assert_eq!(output.status.code(), Some(3), "{name}");
        assert!(output.stdout.is_empty(), "{name}");
        all += &text(&output.stderr);
    }
    for name in [".", "no-such-file", "words.txt/x"] {
        let mut command = program(&[name]);
        let output = command.current_dir(folder.path()).output().unwrap();
        assert_eq!(output.status.code(), Some(3), "{name}");
        all += &text(&output.stderr);
    }
    expect![[r#"
        error: `empty.txt` is empty
         |
         = help: in JAX, `jax.jit(f).lower(x).compile().as_text()` is HLO text
         = help: `XLA_FLAGS="--xla_dump_to=DIR --xla_dump_hlo_as_text"` writes it to files
        error: `lines.txt` holds no HLO: neither a module nor an instruction
         |
         = help: in JAX, `jax.jit(f).lower(x).compile().as_text()` is HLO text
         = help: `XLA_FLAGS="--xla_dump_to=DIR --xla_dump_hlo_as_text"` writes it to files
        error: `words.txt` holds no HLO: neither a module nor an instruction
         |
         = help: in JAX, `jax.jit(f).lower(x).compile().as_text()` is HLO text
         = help: `XLA_FLAGS="--xla_dump_to=DIR --xla_dump_hlo_as_text"` writes it to files
        error: `lowered.mlir` is StableHLO in MLIR, not HLO text
         |
         = note: its arrays have no layouts yet: the compiler chooses them
         = help: in JAX, `jax.jit(f).lower(x).compile().as_text()` is HLO text
         = help: `XLA_FLAGS="--xla_dump_to=DIR --xla_dump_hlo_as_text"` writes it to files
        error: `loc.mlir` is MLIR, such as StableHLO, not HLO text
         |
         = note: its arrays have no layouts yet: the compiler chooses them
         = help: in JAX, `jax.jit(f).lower(x).compile().as_text()` is HLO text
         = help: `XLA_FLAGS="--xla_dump_to=DIR --xla_dump_hlo_as_text"` writes it to files
        error: `module.pb` is a binary HloProto, not HLO text
         |
         = help: in JAX, `jax.jit(f).lower(x).compile().as_text()` is HLO text
         = help: `XLA_FLAGS="--xla_dump_to=DIR --xla_dump_hlo_as_text"` writes it to files
        error: `module.txt.gz` is compressed by gzip
         |
         = help: unpack it on the way: `gzip -dc module.txt.gz | xlayout hlo -`
        error: `module.zst` is compressed by zstd
         |
         = help: unpack it on the way: `zstd -dc module.zst | xlayout hlo -`
        error: `utf16.txt` is text in UTF-16, not in UTF-8
         |
         = help: convert it: `iconv -f UTF-16 -t UTF-8 utf16.txt | xlayout hlo -`
        error: `a.npy` is an array of NumPy, not HLO text
         |
         = help: `xlayout convert` reads `.npy` files
        error: `random.bin` is a binary file, not HLO text
         |
         = help: in JAX, `jax.jit(f).lower(x).compile().as_text()` is HLO text
         = help: `XLA_FLAGS="--xla_dump_to=DIR --xla_dump_hlo_as_text"` writes it to files
        error: `page.html` is a web page, not HLO text
         |
         = help: save the text itself (on GitHub: the button `Raw`)
        error: cannot read `.`: it is a folder
         |
         = help: name the files in it: `FOLDER/*`
        error: cannot read `no-such-file`: there is no such file or folder
         |
         = help: look at the name; a name without a folder is looked for in the current one
        error: cannot read `words.txt/x`: a part of the path is a file, not a folder
         |
         = help: look at the path
    "#]].assert_eq(&all);
}

#[test]
fn one_bad_file_does_not_hide_the_others() {
    let output = run(&["no-such-file", "int8_matmul.v5e.hlo", "--by", "space"]);
    assert_eq!(output.status.code(), Some(3));
    assert!(text(&output.stdout).contains("int8_matmul.v5e.hlo: module jit__lambda"));
    assert!(text(&output.stderr).contains("cannot read `no-such-file`"));
}

#[cfg(unix)]
#[test]
fn no_permission_is_said() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("secret.txt");
    fs::copy(Path::new(MODULES).join("int8_matmul.v5e.hlo"), &path).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0)).unwrap();
    let output = run(&[path.to_str().unwrap()]);
    match fs::File::open(&path) {
        // Nothing is forbidden to root.
        Ok(_) => assert_eq!(output.status.code(), Some(0)),
        Err(_) => {
            assert_eq!(output.status.code(), Some(3));
            assert!(text(&output.stderr).contains("permission denied"));
        }
    }
}

#[test]
fn a_pipe_is_as_good_as_a_file() {
    let file = Path::new(MODULES).join("lstm.v5e.hlo");
    let piped = with_input(&["-", "--csv"], &fs::read(file).unwrap());
    assert_eq!(shown(&piped), shown(&run(&["lstm.v5e.hlo", "--csv"])));
}

#[test]
fn whoever_stops_reading_is_not_bothered() {
    for form in ["--csv", "--json", "--no-views"] {
        let mut command = program(&["transformer_grad.v5e.hlo", "--top", "all", form]);
        let mut child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(
            (output.status.code(), text(&output.stderr)),
            (Some(0), String::new())
        );
    }
}

#[test]
fn colours_are_for_terminals() {
    let mut command = program(&["int8_matmul.v5e.hlo"]);
    command.env_remove("NO_COLOR").env("CLICOLOR_FORCE", "1");
    let coloured = command.output().unwrap().stdout;
    assert!(coloured.contains(&0x1b));
    let plain = run(&["int8_matmul.v5e.hlo"]).stdout;
    assert!(!plain.contains(&0x1b));
    assert_eq!(anstream::adapter::strip_bytes(&coloured).into_vec(), plain);
}

/// All modules, counted by other means: another scanner, and padding by the rules of `T(8,128)` and its kind.
#[test]
fn all_modules_counted_by_hand() {
    let mut arrays = 0;
    for file in modules() {
        let name = file.file_name().unwrap().to_str().unwrap();
        let answer = json(&[name, "--json"]);
        let by_hand = by_hand::count(&fs::read_to_string(&file).unwrap());
        let mut found = BTreeMap::new();
        for array in answer["arrays"].as_array().unwrap() {
            let number = |key: &str| array[key].as_u64().unwrap();
            let one = by_hand::Found {
                count: number("count"),
                logical: number("logical_bytes"),
                allocated: number("allocated_bytes"),
            };
            assert_eq!(number("total_allocated_bytes"), one.count * one.allocated);
            found.insert(array["shape"].as_str().unwrap().to_owned(), one);
        }
        assert_eq!(found, by_hand, "{name}");
        let total = |bytes: fn(&by_hand::Found) -> u64| {
            by_hand
                .values()
                .map(|found| found.count * bytes(found))
                .sum::<u64>()
        };
        let totals = &answer["totals"];
        assert_eq!(
            totals["count"],
            by_hand.values().map(|found| found.count).sum::<u64>()
        );
        assert_eq!(totals["logical_bytes"], total(|found| found.logical));
        assert_eq!(totals["allocated_bytes"], total(|found| found.allocated));
        assert_eq!(answer["mistakes_in_all"], 0);
        for groups in ["layouts", "memory_spaces", "element_types"] {
            let groups = answer[groups].as_array().unwrap();
            let sum: u64 = groups
                .iter()
                .map(|g| g["allocated_bytes"].as_u64().unwrap())
                .sum();
            assert_eq!(totals["allocated_bytes"], sum);
        }
        arrays += found.len();
    }
    assert_eq!(arrays, 233);
}

/// The program itself, on a small module with a changed byte and cut short: an answer, or a reason.
#[test]
fn damaged_files_end_well() {
    let module = fs::read(Path::new(MODULES).join("rank6_transpose.v5e.hlo")).unwrap();
    let check = |input: &[u8], what: String| {
        let output = with_input(&["-", "--csv"], input);
        let code = output.status.code();
        assert!(
            matches!(code, Some(0 | 1 | 3)),
            "{what}: {}",
            shown(&output)
        );
        assert!(!text(&output.stderr).contains("panicked"), "{what}");
        // A code that is not 0 has its reason.
        assert_eq!(code == Some(0), output.stderr.is_empty(), "{what}");
    };
    std::thread::scope(|scope| {
        for part in 0..4 {
            let (module, check) = (&module, &check);
            scope.spawn(move || {
                for at in (part..module.len()).step_by(4) {
                    let mut flipped = module.clone();
                    flipped[at] ^= 1 << (at % 8);
                    check(&flipped, format!("byte {at} flipped"));
                    check(&module[..at], format!("cut at {at}"));
                }
            });
        }
    });
}
