//! Graphs with odd numbers, texts and orders of keys, as JSON texts.

use std::fmt::Write as _;

/// A reproducible random sequence.
pub struct Dice(pub u64);

impl Dice {
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from((self.0 >> 33) % limit as u64).unwrap_or(0)
    }

    fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len())]
    }

    fn shuffled<T>(&mut self, mut items: Vec<T>) -> Vec<T> {
        for at in (1..items.len()).rev() {
            let other = self.below(at + 1);
            items.swap(at, other);
        }
        items
    }
}

const FLOATS: [&str; 16] = [
    "1.1500000000000001",
    "0.9500000000000001",
    "0.000003",
    "3e-6",
    "1E2",
    "1.50",
    "-0.0",
    "0.1e1",
    "2.2250738585072014e-308",
    "0.30000000000000004",
    "123456789.123456789123456789",
    "100000000000000000000000.5",
    "5e-324",
    "1.0",
    "9007199254740993.0",
    "0.10000000000000000000001",
];
const WHOLES: [&str; 9] = [
    "0",
    "9007199254740993",
    "9223372036854775807",
    "18446744073709551615",
    "-9223372036854775808",
    "1125899906842624",
    "-1",
    "42",
    "-0",
];
/// Numbers without limits, for nodes without a declaration.
const BEYOND: [&str; 4] = ["18446744073709551616", "-9223372036854775809", "123456789012345678901234567890", "1e400"];
const TEXTS: [&str; 14] = [
    r#""a cat""#,
    r#""1.1500000000000001 0.9500000000000001""#,
    r#""""#,
    r#""caf\u00e9 é""#,
    r#""half \ud83d of a pair""#,
    r#""\ud83d\ude00 😀""#,
    r#""one \/ two \\ three""#,
    r#""line\none\ttwo\r\n""#,
    r#""한국어 \uD55C""#,
    r#""{\"a\": 1.10, \"b\": [ 1 ]}""#,
    r#""NaN, Infinity and -Infinity""#,
    r#""  blanks   stay  ""#,
    r#""\u202e turned""#,
    r#""null""#,
];

fn value(dice: &mut Dice, depth: usize) -> String {
    match dice.below(if depth > 2 { 5 } else { 7 }) {
        0 => dice.one(&FLOATS).to_owned(),
        1 => dice.one(&WHOLES).to_owned(),
        2 => dice.one(&BEYOND).to_owned(),
        3 => dice.one(&TEXTS).to_owned(),
        4 => dice.one(&["true", "false", "null"]).to_owned(),
        5 => {
            let items: Vec<String> = (0..dice.below(4)).map(|_| value(dice, depth + 1)).collect();
            format!("[{}]", items.join(dice.one(&[",", ", ", " ,\n "])))
        }
        _ => {
            let keys: Vec<&str> = vec!["z", "a", "10", "2", "é", "A"].into_iter().take(dice.below(5)).collect();
            let fields: Vec<String> =
                keys.iter().map(|key| format!(r#""{key}": {}"#, value(dice, depth + 1))).collect();
            format!("{{{}}}", dice.shuffled(fields).join(dice.one(&[",", ", ", "\n"]).replace('\n', ",\n").as_str()))
        }
    }
}

fn object(dice: &mut Dice, fields: Vec<(String, String)>) -> String {
    let mut text = "{".to_owned();
    for (at, (key, value)) in dice.shuffled(fields).into_iter().enumerate() {
        let comma = if at > 0 { "," } else { "" };
        write!(text, "{comma}{}\"{key}\":{}{value}", dice.one(&["", " ", "\n  "]), dice.one(&["", " "]))
            .expect("a text");
    }
    text + "}"
}

/// A prompt of a chain of nodes of the class `Odd`, and one that saves. Its texts contain `marker`.
pub fn prompt(dice: &mut Dice, marker: &str) -> String {
    let count = 1 + dice.below(4);
    let mut nodes = Vec::new();
    for number in 0..count {
        let mut inputs = vec![
            ("strength".to_owned(), dice.one(&FLOATS).to_owned()),
            ("seed".to_owned(), dice.one(&WHOLES).to_owned()),
            ("text".to_owned(), dice.one(&TEXTS).to_owned()),
            ("marker".to_owned(), format!("\"{marker}\"")),
        ];
        if number > 0 {
            inputs.push(("images".to_owned(), format!(r#"["{}", 0]"#, number - 1)));
        }
        inputs.extend((0..dice.below(5)).map(|more| (format!("undeclared_{more}"), value(dice, 0))));
        let mut parts =
            vec![("class_type".to_owned(), "\"Odd\"".to_owned()), ("inputs".to_owned(), object(dice, inputs))];
        if dice.below(2) == 0 {
            parts.push(("is_changed".to_owned(), format!("[{}]", value(dice, 1))));
        }
        if dice.below(2) == 0 {
            parts.push(("_meta".to_owned(), format!(r#"{{"title": {}, "n": {}}}"#, dice.one(&TEXTS), value(dice, 2))));
        }
        nodes.push((number.to_string(), object(dice, parts)));
    }
    let save =
        format!(r#"{{"inputs":{{"filename_prefix":"odd","images":["{}",0]}},"class_type":"SaveImage"}}"#, count - 1);
    nodes.push(("9".to_owned(), save));
    object(dice, nodes)
}

/// The editor's graph: any object.
pub fn drawn(dice: &mut Dice) -> String {
    let nodes: Vec<String> = (0..3)
        .map(|id| {
            format!(
                r#"{{"widgets_values": [{}, {}], "id": {id}, "pos": [1.50, -0.0]}}"#,
                value(dice, 0),
                value(dice, 0)
            )
        })
        .collect();
    let fields = vec![
        ("nodes".to_owned(), format!("[{}]", nodes.join(", "))),
        ("links".to_owned(), "[]".to_owned()),
        ("extra".to_owned(), value(dice, 0)),
        ("version".to_owned(), "0.40".to_owned()),
    ];
    object(dice, fields)
}
