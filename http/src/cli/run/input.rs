//! `--input name=value` and `--input name=@file`.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::cli::failure::Failure;

/// One `--input`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Input {
    pub name: String,
    pub given: Given,
}

/// What stands behind the `=`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Given {
    Text(String),
    /// `@file`; `@@` at the start means a text that begins with `@`.
    File(PathBuf),
}

/// Reads `name=value`; only the first `=` counts.
///
/// # Errors
/// No `=`, or no name before it.
pub fn parse(text: &str) -> Result<Input, Failure> {
    let (name, value) = text
        .split_once('=')
        .filter(|(name, _)| !name.is_empty())
        .ok_or_else(|| Failure::usage(format!("--input {text}: expected NAME=VALUE or NAME=@FILE")))?;
    let given = match value.strip_prefix('@') {
        Some(rest) if rest.starts_with('@') => Given::Text(rest.to_owned()),
        Some(path) => Given::File(PathBuf::from(path)),
        None => Given::Text(value.to_owned()),
    };
    Ok(Input { name: name.to_owned(), given })
}

/// `text` as the kind of value that stands there already: `5` replaces a number by a number and a text by a text.
pub fn like(present: Option<&Value>, text: &str) -> Value {
    match present {
        Some(Value::String(_)) => Value::String(text.to_owned()),
        _ => serde_json::from_str(text).unwrap_or_else(|_| Value::String(text.to_owned())),
    }
}

/// Whether the file begins like a picture that can be uploaded; reads its first bytes only.
pub async fn is_picture(path: &Path) -> std::io::Result<bool> {
    use tokio::io::AsyncReadExt as _;
    let mut head = Vec::with_capacity(12);
    tokio::fs::File::open(path).await?.take(12).read_to_end(&mut head).await?;
    Ok(looks_like_picture(&head))
}

fn looks_like_picture(head: &[u8]) -> bool {
    head.starts_with(b"\x89PNG")
        || head.starts_with(b"\xff\xd8\xff")
        || head.starts_with(b"GIF8")
        || head.starts_with(b"BM")
        || (head.starts_with(b"RIFF") && head.get(8..12) == Some(b"WEBP"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_the_first_equals_sign_separates() {
        assert_eq!(parse("6.text=a=b").unwrap(), Input { name: "6.text".into(), given: Given::Text("a=b".into()) });
        assert_eq!(parse("image=@a=b.png").unwrap().given, Given::File("a=b.png".into()));
        assert_eq!(parse("text=@@home").unwrap().given, Given::Text("@home".into()));
        assert_eq!(parse("text=").unwrap().given, Given::Text(String::new()));
        assert!(parse("text").is_err());
        assert!(parse("=5").is_err());
    }

    #[test]
    fn a_value_keeps_the_kind_that_stands_there() {
        assert_eq!(like(Some(&json!("1")), "5"), json!("5"));
        assert_eq!(like(Some(&json!(1)), "5"), json!(5));
        assert_eq!(like(Some(&json!(false)), "true"), json!(true));
        assert_eq!(like(None, "0.5"), json!(0.5));
        assert_eq!(like(None, "a fox"), json!("a fox"));
    }

    #[test]
    fn a_text_file_is_not_a_picture() {
        assert!(looks_like_picture(b"\x89PNG\r\n\x1a\n"));
        assert!(looks_like_picture(b"RIFF\0\0\0\0WEBPVP8 "));
        assert!(!looks_like_picture(b"RIFF\0\0\0\0WAVEfmt "));
        assert!(!looks_like_picture(b"hello"));
        assert!(!looks_like_picture(b""));
    }
}
