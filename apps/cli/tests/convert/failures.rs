//! Files that cannot be read or written: nothing is left behind, and what was there is untouched.

use crate::convert::{Folder, quoted, text};
#[cfg(unix)]
use crate::program::{address_space, least_memory, limited};

#[test]
fn nothing_is_overwritten_without_force() {
    let folder = Folder::new();
    let input = quoted("float32.npy");
    folder.write("there.npy", b"precious");
    let said = folder.fails(&format!("{} there.npy", input), 3);
    assert!(
        said.contains("`there.npy` exists, and was not touched"),
        "{said}"
    );
    assert!(said.contains("--force"), "{said}");
    assert_eq!(folder.read("there.npy"), b"precious");
    // A wrong input does not cost the output either.
    folder.write("bad.npy", b"\x93NUMPY");
    folder.fails("bad.npy there.npy --force", 3);
    assert_eq!(folder.read("there.npy"), b"precious");
    folder.works(&format!("{} there.npy --force", input));
    assert_eq!(folder.read("there.npy").len(), 152);
}

#[test]
fn folders_and_other_things() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("folder.npy")).unwrap();
    folder.write("a.npy", crate::convert::recorded_bytes("float32.npy"));
    assert!(
        folder
            .fails("folder.npy b.npy", 3)
            .contains("it is a folder")
    );
    assert!(
        folder
            .fails("a.npy folder.npy", 3)
            .contains("it is a folder")
    );
    assert!(
        folder
            .fails("a.npy folder.npy --force", 3)
            .contains("it is a folder")
    );
    assert!(
        folder
            .fails("nothing.npy b.npy", 3)
            .contains("no such file")
    );
    assert!(
        folder
            .fails("a.npy nowhere/b.npy", 3)
            .contains("no folder `nowhere`")
    );
    assert!(
        folder
            .fails("a.npy a.npy/b.npy", 3)
            .contains("cannot write")
    );
    folder.write("zero.bin", b"");
    assert!(
        folder
            .fails("zero.bin b.bin --from f32[2,3] --to F", 3)
            .contains("`zero.bin` has 0 bytes")
    );
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("nowhere.npy", folder.path("link.npy")).unwrap();
        assert!(
            folder
                .fails("a.npy link.npy", 3)
                .contains("a link that leads nowhere")
        );
        assert!(
            folder
                .fails("a.npy /dev/null --output-format raw --force", 3)
                .contains("no regular file")
        );
        assert!(
            folder
                .fails("/dev/zero b.bin --input-format raw --from f32[2,3]", 3)
                .contains("no regular file")
        );
    }
}

#[cfg(unix)]
#[test]
fn files_without_permission() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new();
    let input = folder.write("a.npy", crate::convert::recorded_bytes("float32.npy"));
    std::fs::set_permissions(&input, std::fs::Permissions::from_mode(0o000)).unwrap();
    if std::fs::File::open(&input).is_ok() {
        eprintln!("left out: this user may read everything");
        return;
    }
    assert!(folder.fails("a.npy b.npy", 3).contains("permission denied"));
    std::fs::set_permissions(&input, std::fs::Permissions::from_mode(0o600)).unwrap();
    let closed = folder.path("closed");
    std::fs::create_dir(&closed).unwrap();
    std::fs::set_permissions(&closed, std::fs::Permissions::from_mode(0o500)).unwrap();
    assert!(
        folder
            .fails("a.npy closed/b.npy", 3)
            .contains("permission denied")
    );
}

/// A file that may not grow so large: what a full disk is like once writing has begun.
#[cfg(unix)]
#[test]
fn a_limit_of_the_file_size() {
    let folder = Folder::new();
    folder.write("a.bin", vec![7; 1 << 20]);
    let words = "convert a.bin b.bin --from u8[1024,1024] --to F";
    let words: Vec<&str> = words.split(' ').collect();
    let mut command = limited("ulimit -f 8", &words);
    command.current_dir(folder.path(""));
    let output = command.output().unwrap();
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{said}");
    assert!(said.contains("cannot write `b.bin`"), "{said}");
    assert_eq!(folder.names(), ["a.bin"]);
}

/// A device of 64 KiB, where one may be made.
#[cfg(target_os = "linux")]
#[test]
fn a_full_device() {
    let folder = Folder::new();
    folder.write("a.bin", vec![7; 100_000]);
    let device = folder.path("device");
    std::fs::create_dir(&device).unwrap();
    let mount = |words: &[&str]| {
        let run = std::process::Command::new(words[0])
            .args(&words[1..])
            .arg(&device)
            .output();
        run.is_ok_and(|output| output.status.success())
    };
    if !mount(&["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs"]) {
        eprintln!("left out: no device can be mounted here");
        return;
    }
    let output = folder.convert("a.bin device/b.bin --from u8[100000] --to {0}");
    let left: Vec<_> = std::fs::read_dir(&device).unwrap().collect();
    assert!(mount(&["umount"]));
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{said}");
    assert!(
        said.contains("there is no room for `device/b.bin`: it takes 100,000 bytes"),
        "{said}"
    );
    assert!(left.is_empty());
}

/// The file that a run is writing in the folder.
#[cfg(target_os = "linux")]
fn unfinished(folder: &Folder) -> Option<String> {
    let mut names = folder.names().into_iter();
    names.find(|name| name.ends_with(".part"))
}

#[cfg(target_os = "linux")]
fn send(signal: &str, child: &std::process::Child) {
    let mut shell = std::process::Command::new("sh");
    shell.args(["-c", &format!("kill -{signal} {}", child.id())]);
    assert!(shell.status().unwrap().success());
}

/// A conversion that the system has halted in its middle: its unfinished file is there, and stays
/// until it goes on. A run that was too fast to be halted is begun again.
#[cfg(target_os = "linux")]
fn halted(folder: &Folder) -> std::process::Child {
    folder.write("a.bin", vec![7; 2 << 20]);
    let words = "a.bin b.bin --from u8[1024,2048] --to F --threads 1 --memory 1 --force --quiet";
    let words: Vec<&str> = words.split(' ').collect();
    loop {
        let mut child = folder.command(&words).spawn().unwrap();
        let mut ended = None;
        while ended.is_none() && unfinished(folder).is_none() {
            ended = child.try_wait().unwrap();
        }
        if ended.is_none() {
            send("STOP", &child);
            // Behind the name of the program in parentheses: T is halted, Z has ended.
            let state = || {
                let status = std::fs::read_to_string(format!("/proc/{}/stat", child.id())).unwrap();
                status.rsplit(") ").next().unwrap().chars().next()
            };
            while !matches!(state(), Some('T' | 'Z')) {
                std::thread::yield_now();
            }
            if state() == Some('T') && unfinished(folder).is_some() {
                return child;
            }
            send("CONT", &child);
        }
        let status = child.wait().unwrap();
        assert!(status.success(), "{status:?}");
    }
}

/// A signal in the middle: the half file is gone, and the shell sees the signal.
#[cfg(target_os = "linux")]
#[test]
fn a_signal_leaves_nothing() {
    use std::os::unix::process::ExitStatusExt;
    loop {
        let folder = Folder::new();
        let mut child = halted(&folder);
        let _ = std::fs::remove_file(folder.path("b.bin"));
        send("TERM", &child);
        send("CONT", &child);
        let status = child.wait().unwrap();
        // It was halted behind its last block.
        if status.success() {
            assert_eq!(folder.names(), ["a.bin", "b.bin"]);
            continue;
        }
        assert_eq!(status.signal(), Some(15), "{status:?}");
        assert_eq!(folder.names(), ["a.bin"]);
        return;
    }
}

#[test]
fn a_dry_run_writes_nothing() {
    let folder = Folder::new();
    let before = folder.names();
    let output = folder.convert(&format!("{} b.npy --to F --dry-run", quoted("float32.npy")));
    assert!(output.status.success());
    assert_eq!(folder.names(), before);
}

/// A run that was killed leaves its file, and the next one removes it; a file that another run is
/// writing stays.
#[cfg(target_os = "linux")]
#[test]
fn what_a_killed_run_left_is_removed() {
    let folder = Folder::new();
    let mut child = halted(&folder);
    let _ = std::fs::remove_file(folder.path("b.bin"));
    folder.write("c.bin", [7; 6]);
    folder.works("c.bin d.bin --from u8[2,3] --to F");
    let is_there = unfinished(&folder).is_some();
    assert!(is_there, "a file that is being written was removed");
    child.kill().unwrap();
    child.wait().unwrap();
    let is_there = unfinished(&folder).is_some();
    assert!(is_there, "a killed run removes nothing");
    folder.works("c.bin e.bin --from u8[2,3] --to F");
    assert_eq!(folder.names(), ["a.bin", "c.bin", "d.bin", "e.bin"]);
}

/// If memory is short, the command that the error advises works in the end. What the program takes
/// without an array is measured; a block of all of this one takes twice the 3 MiB that it may have
/// more.
#[cfg(target_os = "linux")]
#[test]
fn advice_for_little_memory_can_be_followed() {
    let folder = Folder::new();
    folder.write("a.bin", vec![7; 3 << 20]);
    folder.write("small.bin", [7; 6]);
    let converts = |words: &str, mib: usize| {
        let words = crate::program::words(&format!("convert {words} --quiet --force"));
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let mut command = limited(&address_space(mib), &words);
        command.current_dir(folder.path("")).output().unwrap()
    };
    let small = "small.bin done.bin --from u8[2,3] --to F --threads 1";
    let begins = least_memory(|mib| converts(small, mib).status.success());
    let mut limits = "--memory 256 --threads 1".to_owned();
    let mut advised = 0;
    loop {
        let words = format!("a.bin b.bin --from f32[768,1024] --to F {limits}");
        let output = converts(&words, begins + 3);
        if output.status.success() {
            break;
        }
        let said = text(&output.stderr);
        let advice = said.split('`').find(|words| words.starts_with("--memory"));
        limits = advice.expect(&said).to_owned();
        advised += 1;
        assert!(advised < 9, "{said}");
    }
    assert!(advised > 0, "the limit is too high for this test");
    assert_eq!(folder.names(), ["a.bin", "b.bin", "done.bin", "small.bin"]);
}
