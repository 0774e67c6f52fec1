//! What the program says of itself, and how it ends.

mod program;

use std::io::Read;
use std::process::Stdio;

use expect_test::expect;
use program::{answer, command, run};

#[test]
fn alone_it_prints_a_short_help() {
    let text = answer(&[]);
    assert_eq!(text, answer(&["-h"]));
    expect![[r#"
        See how the elements of an array lie in memory

        Usage: xlayout [OPTIONS] [COMMAND]

        Commands:
          explain      Say in words and numbers what a layout means
          draw         Draw an array in the sequence of its memory
          diff         Compare two layouts
          hlo          List the arrays of HLO modules, with what their padding costs
          convert      Convert files of arrays from one layout to another
          completions  Print the completions of a shell
          man          Print a man page
          help         Print this message or the help of the given subcommand(s)

        Options:
              --color <WHEN>  Colours: on a terminal only, always, or never [default:
                              auto] [possible values: auto, always, never]
          -h, --help          Print help (see more with '--help')
          -V, --version       Print version

        Try xlayout explain 'f32[2,3]{0,1}', and --help for more: how to read a shape,
        examples, exit codes.
    "#]]
    .assert_eq(&text);
}

#[test]
fn the_long_help_teaches() {
    expect![[r#"
        See how the elements of an array lie in memory.

        A layout is written as XLA prints it, such as f32[2,3]{0,1} or
        bf16[100,3]{1,0:T(8,128)(2,1)}. Put it in quotes: shells read braces, brackets
        and parentheses themselves.

        Usage: xlayout [OPTIONS] [COMMAND]

        Commands:
          explain      Say in words and numbers what a layout means
          draw         Draw an array in the sequence of its memory
          diff         Compare two layouts
          hlo          List the arrays of HLO modules, with what their padding costs
          convert      Convert files of arrays from one layout to another
          completions  Print the completions of a shell
          man          Print a man page
          help         Print this message or the help of the given subcommand(s)

        Options:
              --color <WHEN>
                  Colours: on a terminal only, always, or never
          
                  `auto` is: on a terminal, unless NO_COLOR is set; CLICOLOR_FORCE=1
                  turns them on everywhere.
          
                  [default: auto]
                  [possible values: auto, always, never]

          -h, --help
                  Print help (see a summary with '-h')

          -V, --version
                  Print version

        How to read a shape:
          bf16      the type of an element
          [100,3]   the sizes, dimension 0 first; <=8 is one that changes, 8 at most
          {1,0}     minor_to_major: the dimension that varies fastest in memory first,
                    so {1,0} is row-major (C), {0,1} column-major (Fortran)
          T(8,128)  tiles: blocks of 8x128 stored whole; T(8,128)(2,1) cuts them again
          E(4)      an element takes 4 bits
          L(64)     the end is padded to a multiple of 64 elements
          S(5)      the memory space: 0 is the device's own, 5 the host's
          (a, b)    a tuple of shapes

        Examples:
          xlayout explain 'bf16[100,3]{1,0:T(8,128)(2,1)}'
              What it means: tiles, strides, padding, bytes
          xlayout draw 'f32[4,6]{0,1:T(2,4)}'
              A picture of it, in the sequence of memory
          xlayout diff 'f32[64,48]{1,0}' 'f32[64,48]{0,1}'
              What lies elsewhere, and what a copy costs
          xlayout hlo module.txt
              The arrays of a compiled program, and what their padding costs
          xlayout convert a.npy b.npy --to '{0,1}'
              The same array in another layout

        Exit codes:
          0  The answer was given.
          1  The answer was given and is "no", or some of the input could not be read.
          2  An argument is wrong: a shape, an index, a flag.
          3  A file cannot be read or written, or holds something else.
    "#]]
    .assert_eq(&answer(&["--help"]));
    expect![[r#"
        Say in words and numbers what a layout means.

        The answer goes from what matters most to details: how the array lies in memory,
        how many bytes it takes and where padding comes from, how an index becomes an
        offset, and how other libraries write the same layout. With --at or --offset it
        is about single places of memory instead.

        Usage: xlayout explain [OPTIONS] <SHAPE>

        Arguments:
          <SHAPE>
                  The array and its layout, in quotes: 'f32[2,3]{0,1}'
          
                  XLA's text, also of a tuple, of which each array is explained; `-`
                  reads it from the standard input. Without a layout it is row-major.
                  Padding of single dimensions, for which XLA has no text, is written
                  after it: 'f32[2,3]{1,0}, padded_dimensions = [2, 4]'.

        Options:
              --at <I,J,…>
                  Where the element with this index lies; may be given several times

              --offset <N>
                  Which element lies this many elements from the beginning; may be given
                  several times

              --byte-offset <N>
                  Which elements have bits in this byte; may be given several times

              --json
                  Print JSON

              --color <WHEN>
                  Colours: on a terminal only, always, or never
          
                  `auto` is: on a terminal, unless NO_COLOR is set; CLICOLOR_FORCE=1
                  turns them on everywhere.
          
                  [default: auto]
                  [possible values: auto, always, never]

          -h, --help
                  Print help (see a summary with '-h')

        How to read a shape:
          bf16      the type of an element
          [100,3]   the sizes, dimension 0 first; <=8 is one that changes, 8 at most
          {1,0}     minor_to_major: the dimension that varies fastest in memory first,
                    so {1,0} is row-major (C), {0,1} column-major (Fortran)
          T(8,128)  tiles: blocks of 8x128 stored whole; T(8,128)(2,1) cuts them again
          E(4)      an element takes 4 bits
          L(64)     the end is padded to a multiple of 64 elements
          S(5)      the memory space: 0 is the device's own, 5 the host's
          (a, b)    a tuple of shapes

        Examples:
          xlayout explain 'bf16[100,3]{1,0:T(8,128)(2,1)}'
              A small matrix on a TPU: how 600 bytes become 26,624
          xlayout explain 'f32[2,3]{0,1}' --at 1,2
              The linear index and the byte of an element, digit by digit
          xlayout explain 'bf16[100,3]{1,0:T(8,128)(2,1)}' --offset 517
              Which element lies at a linear index, or that it is padding
          xlayout explain 's4[5,7]{1,0:E(4)}' --byte-offset 3
              The elements that share a byte
          xlayout explain 'f32[64,48]' --json | jq .allocated_bytes
              One number, for a script

        Keys of --json:
          shape, element_type, dimensions, minor_to_major, major_to_minor
              As written; also element_bits, tiles, dynamic_dimensions, memory_space
          elements, places
              Without and with padding
          logical_bytes
              Of the elements alone: elements x element_bits, in whole bytes
          allocated_bytes, waste {bytes, percent}
              Of the places; waste is what is not logical, of the allocation
          padding, modes, terms, strides, byte_strides
              Strides are null where a layout has none
          notations, no_notation, layout_macro
              Texts or null, and the reasons for null
          index, linear_index, byte_offset, bit_offset, digits
              With one --at or --offset; bit_offset counts within the byte
          positions, arrays
              The same for several; all this for each array of a tuple
    "#]]
    .assert_eq(&answer(&["explain", "--help"]));
}

#[test]
fn the_examples_of_the_help_work() {
    for page in [answer(&["explain", "--help"]), answer(&["--help"])] {
        let lines = page
            .lines()
            .filter_map(|line| line.strip_prefix("  xlayout explain '"));
        let mut seen = 0;
        for line in lines {
            let (shape, rest) = line.split_once('\'').unwrap();
            let rest = rest.split('|').next().unwrap().split_whitespace();
            let arguments: Vec<&str> = ["explain", shape].into_iter().chain(rest).collect();
            assert!(!answer(&arguments).is_empty());
            seen += 1;
        }
        assert!(seen > 0);
    }
}

#[test]
fn man_pages_say_what_the_help_says() {
    let page = answer(&["man"]);
    for part in [
        ".TH xlayout 1",
        ".SH SYNOPSIS",
        ".SH \"EXIT STATUS\"",
        ".SH EXAMPLES",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    for command in [
        "explain",
        "draw",
        "diff",
        "hlo",
        "convert",
        "completions",
        "man",
    ] {
        assert!(
            page.contains(&format!("xlayout\\-{command}(1)")),
            "{command}"
        );
        let own = answer(&["man", command]);
        assert!(own.contains(&format!(".TH xlayout-{command} 1")), "{own}");
        assert!(own.contains("EXIT STATUS"));
    }
}

#[test]
fn completions_of_all_shells_know_the_commands() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = answer(&["completions", shell]);
        assert!(
            script.contains("byte-offset") && script.contains("explain"),
            "{shell}"
        );
    }
}

#[test]
fn the_version() {
    assert_eq!(
        answer(&["--version"]),
        format!("xlayout {}\n", env!("CARGO_PKG_VERSION"))
    );
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let wide = format!("({})", vec!["f32[2]"; 4000].join(","));
    let mut child = command(&["explain", &wide])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = [0; 1];
    child.stdout.take().unwrap().read_exact(&mut first).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(
        (output.status.code(), output.stderr.as_slice()),
        (Some(0), &b""[..])
    );
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_said() {
    let full = std::fs::File::options()
        .write(true)
        .open("/dev/full")
        .unwrap();
    let output = command(&["explain", "f32[2]"])
        .stdout(full)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(3));
    expect![[r#"
        error: cannot write the answer: No space left on device (os error 28)
    "#]]
    .assert_eq(&String::from_utf8(output.stderr).unwrap());
}

#[test]
fn errors_have_colours_on_demand() {
    let output = run(&["--color", "always", "explain", "f33[2]"]);
    assert!(output.stderr.contains(&0x1b));
    let output = run(&["--color=always", "explan"]);
    assert!(output.stderr.contains(&0x1b));
    let output = run(&["explain", "f33[2]"]);
    assert!(!output.stderr.contains(&0x1b));
}
