//! Sets `xlayout_avx512` where the compiler accepts the features of AVX-512 (Rust 1.89 and later).

use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-check-cfg=cfg(xlayout_avx512)");
    let compiler = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(&compiler).arg("--version").output();
    let output = match output {
        Ok(output) => output,
        Err(error) => panic!("{} does not run: {error}", compiler.display()),
    };
    let text = String::from_utf8_lossy(&output.stdout);
    // `rustc 1.95.0 (…)`, `rustc 1.97.0-nightly (…)`
    let mut numbers = text.split([' ', '.', '-']).skip(1).map(str::parse::<u32>);
    match (numbers.next(), numbers.next()) {
        (Some(Ok(1)), Some(Ok(minor))) if minor < 89 => {}
        (Some(Ok(1..)), Some(Ok(_))) => println!("cargo::rustc-cfg=xlayout_avx512"),
        _ => panic!(
            "expected `rustc 1.95.0 …`, and the compiler says `{}`",
            text.trim()
        ),
    }
}
