//! JSON as Python writes it, within a budget: bytes alone bound little, because a value of two bytes takes fifty times as
//! much in memory. So values are counted in the text, before anything is made of them.

use serde::de::{DeserializeOwned, Error as _};
use verdigraph_core::graph::read_lenient;

use super::failure::Failure;

/// Values that one answer or message may have. A history with the pictures of a large batch has a few thousand.
pub(super) const MAX_ENTRIES: u64 = 500_000;
/// Values of `/object_info`; with many custom nodes it has some hundred thousand, most of them names of models.
const MAX_INFO_ENTRIES: u64 = 2_000_000;
/// Node classes of one server; very many custom nodes come to six thousand.
const MAX_CLASSES: u64 = 20_000;

/// What a text has in it, at least: what is not JSON counts too.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Extent {
    /// Values at any depth.
    entries: u64,
    /// Values right below the outermost one.
    members: u64,
}

impl Extent {
    fn of(text: &[u8]) -> Self {
        let (mut extent, mut depth) = (Self { entries: 1, members: 0 }, 0_u64);
        let (mut in_string, mut escaped) = (false, false);
        for byte in text {
            match byte {
                _ if escaped => escaped = false,
                b'\\' if in_string => escaped = true,
                b'"' => in_string = !in_string,
                _ if in_string => {}
                b'{' | b'[' => {
                    // The first value of it; an empty one counts as one.
                    extent.entries += 1;
                    extent.members += u64::from(depth == 0);
                    depth += 1;
                }
                b'}' | b']' => depth = depth.saturating_sub(1),
                b',' => {
                    extent.entries += 1;
                    extent.members += u64::from(depth == 1);
                }
                _ => {}
            }
        }
        extent
    }
}

/// Reads an answer or a message; `NaN` and the like as [`read_lenient`] does.
///
/// # Errors
/// Where it is not JSON of this shape, or has more values than are taken in.
pub fn read<T: DeserializeOwned>(text: &[u8]) -> Result<T, serde_json::Error> {
    if Extent::of(text).entries > MAX_ENTRIES {
        return Err(serde_json::Error::custom(format_args!("it has more than {MAX_ENTRIES} values")));
    }
    read_lenient(text)
}

/// As [`read`], of an answer to a call.
pub(super) fn answer<T: DeserializeOwned>(text: &[u8]) -> Result<T, Failure> {
    if Extent::of(text).entries > MAX_ENTRIES {
        return Err(Failure::TooMany { limit: MAX_ENTRIES, what: "values" });
    }
    read_lenient(text).map_err(|error| Failure::garbage("the answer", &error))
}

/// Reads what a server says of its nodes.
///
/// # Errors
/// [`Failure::TooMany`] for more values or classes than are taken in; [`Failure::Garbage`] for what is none.
pub(crate) fn object_info<T: DeserializeOwned>(text: &[u8]) -> Result<T, Failure> {
    let Extent { entries, members } = Extent::of(text);
    if members > MAX_CLASSES {
        return Err(Failure::TooMany { limit: MAX_CLASSES, what: "node classes" });
    }
    if entries > MAX_INFO_ENTRIES {
        return Err(Failure::TooMany { limit: MAX_INFO_ENTRIES, what: "values in object_info" });
    }
    read_lenient(text).map_err(|error| Failure::garbage("object_info", &error))
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    #[test]
    fn values_are_counted_where_they_stand_and_not_in_texts() {
        for (text, entries, members) in [
            ("1", 1, 0),
            ("{}", 2, 1),
            ("[1, 2, 3]", 4, 3),
            (r#"{"a": [1, 2], "b": {"c": "x,y,[{"}}"#, 6, 2),
            (r#"{"a": "\\", "b": "\",[\""}"#, 3, 2),
            ("]]][,", 3, 2),
        ] {
            assert_eq!(Extent::of(text.as_bytes()), Extent { entries, members }, "{text}");
        }
    }

    /// The most memory that this process has had, in bytes.
    fn peak() -> u64 {
        let status = std::fs::read_to_string("/proc/self/status").expect("a Linux machine");
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("the peak is told");
        line.trim().trim_end_matches(" kB").parse::<u64>().expect("a number") * 1024
    }

    #[test]
    fn many_small_values_take_no_memory() {
        let history: String = (0..1_000_000).map(|entry| format!("\"{entry}\":{{}},")).collect();
        let history = format!("{{{}}}", history.trim_end_matches(','));
        let class = r#"{"input":{"required":{"a":["INT",{}]}},"output":["INT"],"name":"x","category":"x"}"#;
        let classes: String = (0..60_000).map(|number| format!("\"C{number}\":{class},")).collect();
        let classes = format!("{{{}}}", classes.trim_end_matches(','));
        let nested = "[".repeat(8 << 20);
        let before = peak();
        let many = |refused: Result<Value, Failure>| matches!(refused, Err(Failure::TooMany { .. }));
        assert!(many(answer(history.as_bytes())) && many(answer(nested.as_bytes())));
        assert!(many(object_info(classes.as_bytes())) && many(object_info(nested.as_bytes())));
        assert!(read::<Value>(history.as_bytes()).is_err());
        let taken = peak() - before;
        assert!(taken < 32 << 20, "answers that are refused took {taken} bytes");
    }

    #[test]
    fn what_real_servers_say_is_taken() {
        let many: Vec<u32> = (0..400_000).collect();
        let text = serde_json::to_vec(&many).expect("JSON");
        assert_eq!(answer::<Vec<u32>>(&text).map(|read| read.len()), Ok(400_000));
        let classes: serde_json::Map<String, Value> = (0..8_000).map(|n| (n.to_string(), Value::Null)).collect();
        let text = serde_json::to_vec(&classes).expect("JSON");
        assert_eq!(object_info::<serde_json::Map<String, Value>>(&text).map(|read| read.len()), Ok(8_000));
    }
}
