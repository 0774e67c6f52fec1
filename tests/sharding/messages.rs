//! The errors for wrong texts, word for word: `messages.txt` holds each text with its message, with
//! a line of dashes between them.

use xlayout::sharding::Sharding;

#[test]
fn wrong_texts() {
    let mut checked = 0;
    for expected in include_str!("messages.txt").split("\n--------\n") {
        // The text is in its own message, on the second line.
        let text = expected.lines().nth(1).unwrap_or("").trim();
        let found = match text.parse::<Sharding>() {
            Ok(sharding) => format!("read as {sharding}"),
            Err(error) => error.render(text).to_string(),
        };
        assert_eq!(found, expected.trim_end_matches('\n'), "{text}");
        checked += 1;
    }
    assert_eq!(checked, 49);
}

/// An error of a sharding that was read shows the same help.
#[test]
fn errors_of_shardings() {
    let error = "{devices=[2]<=[2]}"
        .parse::<Sharding>()
        .unwrap()
        .tile_index_for_device(2)
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "device 2 has no part; ask for one of the sharding's devices"
    );
}
