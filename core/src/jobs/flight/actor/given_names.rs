//! The submit's names of files in what a worker says. A worker knows an upload by a name that is made of its bytes.

use std::collections::HashMap;

use serde_json::Value;

use super::JobActor;
use crate::fleet::InputFile;
use crate::jobs::flight::assignment::files;

/// The start of a worker's name of an upload; a hash and an extension follow.
const HEAD: &str = "vg-";
const HASH_DIGITS: usize = 64;
/// Shown for an upload that the submit does not name.
const OTHER: &str = "(another file)";

impl JobActor {
    /// What a worker says about a prompt, with the submit's names. Lists lose the uploads of other submits.
    pub(super) fn with_given_names(&self, mut said: Value) -> Value {
        rename(&mut said, &files(self.job.files.as_ref()));
        said
    }
}

fn rename(said: &mut Value, files: &HashMap<String, InputFile>) {
    match said {
        Value::String(text) if text.contains(HEAD) => *text = renamed(text, files),
        Value::Array(items) => {
            items.retain(|item| !item.as_str().is_some_and(|name| is_upload(name) && given(name, files).is_none()));
            items.iter_mut().for_each(|item| rename(item, files));
        }
        Value::Object(fields) => fields.values_mut().for_each(|value| rename(value, files)),
        _ => {}
    }
}

fn renamed(text: &str, files: &HashMap<String, InputFile>) -> String {
    let mut named = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(HEAD) {
        named.push_str(before);
        let found = upload_length(after).and_then(|length| after.split_at_checked(length));
        let Some((tail, more)) = found else {
            named.push_str(HEAD);
            rest = after;
            continue;
        };
        named.push_str(given(&format!("{HEAD}{tail}"), files).unwrap_or(OTHER));
        rest = more;
    }
    named + rest
}

fn is_upload(name: &str) -> bool {
    name.strip_prefix(HEAD).is_some_and(|tail| upload_length(tail) == Some(tail.len()))
}

/// The length of the hash and the extension at the start of a text.
fn upload_length(text: &str) -> Option<usize> {
    let (hash, ending) = text.split_at_checked(HASH_DIGITS)?;
    let letters = ending.strip_prefix('.')?.bytes().take_while(u8::is_ascii_alphanumeric).count();
    let is_name = letters > 0 && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_name.then_some(HASH_DIGITS + 1 + letters)
}

/// The submit's name of a file.
fn given<'a>(name: &str, files: &'a HashMap<String, InputFile>) -> Option<&'a str> {
    let named = files.iter().filter(|(_, file)| file.name == name);
    named.map(|(given, _)| given.as_str()).min()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn worker_names_of_uploads_become_the_names_of_the_submit() {
        let name = |digit: &str, ending: &str| format!("vg-{}.{ending}", digit.repeat(HASH_DIGITS));
        let (own, foreign) = (name("a", "png"), name("b", "mp4"));
        let row = |name: &str| json!({ "content": "a".repeat(HASH_DIGITS), "name": name });
        let files = files(Some(&json!({ "cat.png": row(&own), "sub/cat.png": row(&own) })));
        let mut said = json!({
            "error": { "message": "Invalid", "details": format!("image: '{own}' not in ['{foreign}', 'a.png']") },
            "node_errors": { "3": { "errors": [{ "extra_info": {
                "input_config": [[own, foreign, "a.png"], {}], "received_value": format!("{own} [input]"),
            } }] } },
            "exception_message": format!("cannot read /comfyui/input/{own}: vg-1.png, vg-, {}", "vg-".repeat(2)),
            "code": 7,
        });
        rename(&mut said, &files);
        let expected = json!({
            "error": { "message": "Invalid", "details": "image: 'cat.png' not in ['(another file)', 'a.png']" },
            "node_errors": { "3": { "errors": [{ "extra_info": {
                "input_config": [["cat.png", "a.png"], {}], "received_value": "cat.png [input]",
            } }] } },
            "exception_message": "cannot read /comfyui/input/cat.png: vg-1.png, vg-, vg-vg-",
            "code": 7,
        });
        assert_eq!(said, expected);
    }
}
