//! Path separators in workers' lists.

use serde_json::Value;

/// The choice for the same file: workers on Windows list paths with `\\`, others with `/`.
pub(in crate::graph) fn spelling<'a>(options: &'a [Value], name: &str) -> Option<&'a str> {
    let mut texts = options.iter().filter_map(Value::as_str);
    texts.clone().find(|option| *option == name).or_else(|| texts.find(|option| is_same_path(option, name)))
}

/// Whether two paths are equal except for separators.
pub(in crate::graph) fn is_same_path(one: &str, other: &str) -> bool {
    let plain = |letter: u8| if letter == b'\\' { b'/' } else { letter };
    one.len() == other.len() && one.bytes().map(plain).eq(other.bytes().map(plain))
}
