//! Each expression on the page "Coming from" is in its example, which compiles and runs.

fn without_space(text: &str) -> String {
    text.split_whitespace().collect()
}

#[test]
fn each_expression_of_the_tables_is_in_the_example() {
    let page = include_str!("../../src/coming_from.md");
    let (tables, example) = page.split_once("# All of it compiles").unwrap();
    let example = without_space(example);
    let mut expressions = 0;
    for row in tables.lines().filter(|line| line.starts_with("| ")) {
        let here = row.trim_end_matches(" |").rsplit(" | ").next().unwrap();
        for code in here.split('`').skip(1).step_by(2) {
            if code != "None" {
                expressions += 1;
                assert!(
                    example.contains(&without_space(code)),
                    "not in the example: {code}"
                );
            }
        }
    }
    assert!(expressions > 45, "{expressions} expressions");
}
