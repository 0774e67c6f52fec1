//! The time of copies that pack elements into bytes, or unpack them, beside memcpy of the unpacked
//! bytes.
//!
//! ```sh
//! cargo run --release --manifest-path benches/race/Cargo.toml --example packing
//! ```
//!
//! The time of memcpy divided by that of the copy: higher is better. Least times of interleaved
//! rounds, whose number may be given. With `--once` each copy runs ten times and nothing is timed:
//! for tools that count instructions.

use std::hint::black_box;
use std::time::Instant;

use xlayout_core::DynLayout;
use xlayout_relayout::Plan;

/// The sizes, and the layouts of source and destination. `E` marks the packed side.
const CASES: [(&str, &str, &str); 14] = [
    ("[1024,1024]", "{1,0:E}", "{1,0}"),
    ("[1024,1024]", "{1,0}", "{1,0:E}"),
    ("[1024,1024]", "{1,0:E}", "{0,1}"),
    ("[1024,1024]", "{1,0}", "{0,1:E}"),
    ("[1024,1024]", "{1,0:E}", "{0,1:E}"),
    ("[1024,1024]", "{1,0}", "{1,0:T(8,128)E}"),
    ("[1024,1024]", "{1,0:T(8,128)E}", "{1,0}"),
    ("[1024,1024]", "{1,0}", "{0,1:T(8,128)E}"),
    ("[1024,1024]", "{1,0}", "{1,0:T(8,128)(4,1)E}"),
    ("[1024,1024]", "{1,0:E}", "{1,0:T(8,128)(8,1)E}"),
    ("[1024,1024]", "{1,0:T(8,128)(8,1)E}", "{1,0:E}"),
    ("[64,128,128]", "{2,1,0}", "{1,2,0:E}"),
    ("[64,5,4000]", "{2,1,0}", "{2,1,0:T(8,128)(8,1)E}"),
    ("[64,5,4000]", "{2,1,0:T(8,128)(8,1)E}", "{2,1,0}"),
];

fn main() {
    let argument = std::env::args().nth(1);
    let once = argument.as_deref() == Some("--once");
    let rounds = argument
        .and_then(|rounds| rounds.parse().ok())
        .unwrap_or(30);
    for (name, bits) in [("u4", 4), ("u2", 2), ("u1", 1)] {
        for (dims, from, to) in CASES {
            let layout = |text: &str| -> DynLayout {
                let text = text.replace('E', &format!("E({bits})"));
                format!("{name}{dims}{text}").parse().expect("a layout")
            };
            let plan = Plan::new(&layout(from), &layout(to)).expect("one array");
            let (read, written) = plan.buffers();
            let src = vec![1_u8; read];
            let mut dst = vec![0_u8; written];
            let bytes = vec![1_u8; plan.elements()];
            let mut other = vec![0_u8; plan.elements()];
            let mut copy = || {
                plan.run_bytes(black_box(&src), black_box(&mut dst))
                    .expect("lengths");
            };
            if once {
                (0..10).for_each(|_| copy());
                continue;
            }
            let mut least = [f64::INFINITY; 2];
            for _ in 0..rounds {
                let start = Instant::now();
                copy();
                least[0] = least[0].min(start.elapsed().as_secs_f64());
                let start = Instant::now();
                black_box(&mut other).copy_from_slice(black_box(&bytes));
                least[1] = least[1].min(start.elapsed().as_secs_f64());
            }
            let [ours, memcpy] = least;
            println!("{:5.2}  {name}{dims}{from} -> {to}", memcpy / ours);
        }
    }
}
