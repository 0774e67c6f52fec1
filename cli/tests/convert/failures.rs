//! Files that cannot be read or written: nothing is left behind, and what was there is untouched.

use crate::convert::{Folder, quoted, text};

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
    let program = env!("CARGO_BIN_EXE_xlayout");
    let script = "ulimit -f 8; exec \"$0\" convert a.bin b.bin --from u8[1024,1024] --to F";
    let mut command = std::process::Command::new("bash");
    command
        .args(["-c", script, program])
        .current_dir(folder.path(""));
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

/// A signal in the middle: the half file is gone, and the shell sees the signal.
#[cfg(unix)]
#[test]
fn a_signal_leaves_nothing() {
    use std::os::unix::process::ExitStatusExt;
    use std::time::{Duration, Instant};
    let folder = Folder::new();
    let file = std::fs::File::create(folder.path("a.bin")).unwrap();
    // A file of holes; its conversion takes long enough to be interrupted.
    file.set_len(1 << 30).unwrap();
    let words = [
        "a.bin",
        "b.bin",
        "--from",
        "u8[32768,32768]",
        "--to",
        "F",
        "--threads",
        "1",
    ];
    let mut child = folder
        .command(&words)
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let start = Instant::now();
    while folder.names().len() == 1 && start.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(2));
    }
    let sent = std::process::Command::new("bash")
        .args(["-c", &format!("kill -TERM {}", child.id())])
        .status();
    assert!(sent.unwrap().success());
    let status = child.wait().unwrap();
    assert_eq!(status.signal(), Some(15), "{status:?}");
    assert_eq!(folder.names(), ["a.bin"]);
}

#[test]
fn a_dry_run_writes_nothing() {
    let folder = Folder::new();
    let before = folder.names();
    let output = folder.convert(&format!("{} b.npy --to F --dry-run", quoted("float32.npy")));
    assert!(output.status.success());
    assert_eq!(folder.names(), before);
}

/// A run that was killed leaves its file, and the next one removes it; a file that another run is writing stays.
#[cfg(unix)]
#[test]
fn what_a_killed_run_left_is_removed() {
    let folder = Folder::new();
    let file = std::fs::File::create(folder.path("a.bin")).unwrap();
    file.set_len(1 << 30).unwrap();
    let words = "a.bin b.bin --from u8[32768,32768] --to F --threads 1";
    let words: Vec<&str> = words.split(' ').collect();
    let mut child = folder.command(&words).spawn().unwrap();
    let part = || {
        let mut names = folder.names().into_iter();
        names.find(|name| name.ends_with(".part"))
    };
    let start = std::time::Instant::now();
    while part().is_none() && start.elapsed().as_secs() < 60 {
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    folder.write("c.bin", [7; 6]);
    folder.works("c.bin d.bin --from u8[2,3] --to F");
    assert!(part().is_some(), "a file that is being written was removed");
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(part().is_some(), "a killed run removes nothing");
    folder.works("c.bin e.bin --from u8[2,3] --to F");
    assert_eq!(folder.names(), ["a.bin", "c.bin", "d.bin", "e.bin"]);
}

/// If memory is short, the command that the error advises works in the end.
#[cfg(target_os = "linux")]
#[test]
fn advice_for_little_memory_can_be_followed() {
    let folder = Folder::new();
    let file = std::fs::File::create(folder.path("a.bin")).unwrap();
    file.set_len(1 << 26).unwrap();
    let mut limits = "--memory 256".to_owned();
    let mut advised = 0;
    loop {
        let script = format!(
            "ulimit -v 60000; exec \"$0\" convert a.bin b.bin --from f32[4096,4096] --to F --quiet {limits}"
        );
        let mut command = std::process::Command::new("bash");
        command
            .args(["-c", &script, env!("CARGO_BIN_EXE_xlayout")])
            .env("NO_COLOR", "1")
            .current_dir(folder.path(""));
        let output = command.output().unwrap();
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
    assert_eq!(folder.names(), ["a.bin", "b.bin"]);
}
