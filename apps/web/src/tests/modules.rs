//! Modules, and bytes that are not a module.

use std::io::Write;

use super::with_bytes;

const MODULE: &[u8] = include_bytes!("../../../cli/tests/data/copies/conv_nchw.default.v5e.hlo");

#[test]
fn a_module_is_a_page_packed_or_not() {
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(MODULE).expect("it is in memory");
    let packed = packed.finish().expect("it is in memory");
    let proto = include_bytes!(
        "../../../cli/tests/data/dump/cpu/module_0000.jit_f.cpu_after_optimizations.hlo.pb"
    );
    for bytes in [MODULE, &packed, proto] {
        let found = with_bytes("module", &[("name", "m.hlo")], bytes);
        let page = found["answer"]["page"].as_str().expect("a page");
        assert!(page.contains("<title>Memory and copies of"), "{found}");
    }
    let wrong = [
        (&b""[..], "`m.hlo` is empty"),
        (b"\x89PNG\r\n\x1a\n", "m.hlo"),
        (b"\x1f\x8b\x08 not packed", "cannot read `m.hlo`"),
    ];
    for (bytes, said) in wrong {
        let found = with_bytes("module", &[("name", "m.hlo")], bytes);
        let message = found["errors"][0]["message"].as_str().unwrap_or_default();
        assert!(message.contains(said), "{found}");
    }
    let text = String::from_utf8_lossy(MODULE).replacen("= f32[", "= f33[", 1);
    let found = with_bytes("module", &[("name", "m.hlo")], text.as_bytes());
    if text.as_bytes() != MODULE {
        assert_eq!(
            found["answer"]["mistakes"][0]["marked"][1], "f33",
            "{}",
            found["answer"]["mistakes"]
        );
    }
}

/// A report that memory ran out is explained.
#[test]
fn a_report_is_a_page() {
    let report = include_bytes!("../../../cli/tests/data/oom/tpu.txt");
    let torch =
        b"torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has \
                  a total capacity of 15.77 GiB of which 1.00 GiB is free.";
    for (bytes, said) in [
        (
            &report[..],
            "needed     64.0 GiB of 15.5 GiB, 48.5 GiB too much",
        ),
        (torch, "needed  2.00 GiB, and 1.00 GiB are free"),
    ] {
        let found = with_bytes("module", &[("name", "<log>")], bytes);
        let page = found["answer"]["page"].as_str().expect("a page");
        assert!(
            page.contains("Memory that ran out in &lt;log&gt;</h1>"),
            "{page}"
        );
        assert!(page.contains(said), "{page}");
    }
}
