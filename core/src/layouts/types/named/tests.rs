//! Names of every length and of letters of every width.

use std::string::String;
use std::vec::Vec;

use super::{MAX_NAME_LETTERS, text};

#[test]
fn a_name_is_its_letters() {
    for letters in [
        &['x'][..],
        &['a', 'é'],
        &['中', 'b', '_'],
        &['😀', 'é', '中', 'z'],
    ] {
        for len in 0..=MAX_NAME_LETTERS {
            let name: Vec<char> = letters.iter().copied().cycle().take(len).collect();
            let mut padded = ['\0'; MAX_NAME_LETTERS];
            padded[..len].copy_from_slice(&name);
            let found = text(padded);
            let expected: String = name.iter().collect();
            assert_eq!(&found.bytes[..found.len], expected.as_bytes());
            assert!(found.bytes[found.len..].iter().all(|byte| *byte == 0));
        }
    }
}
