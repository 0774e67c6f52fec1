//! Chunks for threads: their sizes, and the cache lines that two of them write. No thread runs.

use std::prelude::v1::*;

use xlayout_core::DynLayout;

use crate::Plan;
use crate::machine::LINE;
use crate::piece::Share;
use crate::threads::CHUNKS_PER_THREAD;

/// Copies as networks have them, of 2 to 40 MB: transposes, images, heads of attention, tiles, odd
/// and short dimensions.
const COPIES: [(&str, &str); 12] = [
    ("f32[2048,1000]{1,0}", "f32[2048,1000]{0,1}"),
    ("u8[3867,1795]{1,0}", "u8[3867,1795]{0,1}"),
    ("f32[32,64,56,56]{3,2,1,0}", "f32[32,64,56,56]{1,3,2,0}"),
    ("u8[8,224,224,3]{3,2,1,0}", "u8[8,224,224,3]{2,1,3,0}"),
    ("u8[1080,1920,3]{2,1,0}", "u8[1080,1920,3]{2,0,1}"),
    ("bf16[4,16,1024,64]{3,2,1,0}", "bf16[4,16,1024,64]{3,1,2,0}"),
    ("f32[7,7,88,71,8]{4,3,2,1,0}", "f32[7,7,88,71,8]{1,4,2,3,0}"),
    (
        "f64[5,297,6,2,6,8]{5,4,3,2,1,0}",
        "f64[5,297,6,2,6,8]{2,5,3,4,0,1}",
    ),
    ("c128[6,115,256]{2,1,0}", "c128[6,115,256]{0,1,2}"),
    ("bf16[1024,2048]{1,0}", "bf16[1024,2048]{1,0:T(8,128)(2,1)}"),
    ("f32[1000,1000]{1,0}", "f32[1000,1000]{0,1:T(8,128)}"),
    ("s4[2048,2048]{1,0:E(4)}", "s4[2048,2048]{0,1:E(4)}"),
];

fn plan((src, dst): (&str, &str)) -> Plan {
    let read = |text: &str| text.parse::<DynLayout>().unwrap();
    Plan::new(&read(src), &read(dst)).unwrap()
}

/// Threads that take chunk after chunk end at nearly the same time: the last one at most a tenth
/// later than if all had equal shares of the bytes. With half as many chunks for each thread the
/// last one ended up to .29 later.
#[test]
fn chunks_are_balanced() {
    for copy in COPIES {
        let plan = plan(copy);
        for threads in [2, 8, 64] {
            let parts = plan.parts(CHUNKS_PER_THREAD * threads);
            let mut busy = vec![0; threads];
            for part in 0..parts {
                let least = busy.iter_mut().min().unwrap();
                *least += plan.bytes_of_part(Share { part, parts });
            }
            let last = *busy.iter().max().unwrap();
            assert_eq!(busy.iter().sum::<usize>(), plan.bytes(), "{copy:?}");
            assert!(
                10 * last * threads <= 11 * plan.bytes(),
                "{copy:?} on {threads} threads: {last} of {}",
                plan.bytes()
            );
        }
    }
}

/// Few cache lines of the destination are written by two chunks, in copies that are worth threads:
/// where a column does not begin at a line, each cut inside of it shares one.
#[test]
fn chunks_share_few_lines() {
    for copy in [
        ("f32[512,250]{1,0}", "f32[512,250]{0,1}"),
        ("u8[3867,1795]{1,0}", "u8[3867,1795]{0,1}"),
        ("u8[1080,1920,3]{2,1,0}", "u8[1080,1920,3]{2,0,1}"),
        ("bf16[1,16,256,64]{3,2,1,0}", "bf16[1,16,256,64]{3,1,2,0}"),
        ("f32[7,7,88,71,8]{4,3,2,1,0}", "f32[7,7,88,71,8]{1,4,2,3,0}"),
        ("f32[250,250]{1,0}", "f32[250,250]{0,1:T(8,128)}"),
        ("s4[2048,2048]{1,0:E(4)}", "s4[2048,2048]{0,1:E(4)}"),
    ] {
        let plan = plan(copy);
        let (src, dst) = plan.buffers();
        // Each chunk writes zeros over ones.
        let input = vec![0_u8; src];
        let mut output = vec![0xff_u8; dst];
        let mut writers = vec![0_u8; dst.div_ceil(LINE)];
        let parts = plan.parts(CHUNKS_PER_THREAD * 8);
        for part in 0..parts {
            let chunks = plan.chunks_bytes(&input, &mut output, parts).unwrap();
            chunks.skip(part).take(1).for_each(|chunk| chunk.run());
            for (line, writers) in output.chunks_mut(LINE).zip(&mut writers) {
                if line.contains(&0) {
                    *writers += 1;
                    line.fill(0xff);
                }
            }
        }
        let shared = writers.iter().filter(|writers| **writers > 1).count();
        let lines = writers.len();
        assert!(20 * shared <= lines, "{copy:?}: {shared} of {lines}");
    }
}
