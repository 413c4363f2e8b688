//! `--input name=value`, `--input name:=json` and `--input name=@file`.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use serde_json::Value;
use serde_json::value::RawValue;
use verdigraph_core::assets::{AssetKind, sniff};

use crate::cli::failure::Failure;
use crate::extract::without_mark;

/// Bytes of a file that are read to detect its type.
const HEAD_BYTES: u64 = 16 << 10;

/// One `--input`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Input {
    pub name: String,
    pub given: Given,
}

/// The part after the `=`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Given {
    Text(String),
    /// `NAME:=JSON`: a value that is sent as written.
    Json(String),
    /// `@file`; `@@` at the start means a text that begins with `@`.
    File(PathBuf),
}

/// Reads `name=value` or `name:=json`; only the first `=` counts.
pub fn parse(text: &str) -> Result<Input, Failure> {
    let (name, value) = text
        .split_once('=')
        .filter(|(name, _)| !name.trim_end_matches(':').is_empty())
        .ok_or_else(|| Failure::usage(format!("--input {text}: expected NAME=VALUE, NAME:=JSON or NAME=@FILE")))?;
    if let Some(name) = name.strip_suffix(':') {
        let not_json = |error| Failure::usage(format!("--input {text}: not JSON: {error}"));
        serde_json::from_str::<&RawValue>(value).map_err(not_json)?;
        return Ok(Input { name: name.to_owned(), given: Given::Json(value.to_owned()) });
    }
    let given = match value.strip_prefix('@') {
        Some(rest) if rest.starts_with('@') => Given::Text(rest.to_owned()),
        Some(path) => Given::File(PathBuf::from(path)),
        None => Given::Text(value.to_owned()),
    };
    Ok(Input { name: name.to_owned(), given })
}

/// `text` as the type of the present value: `5` replaces a number by a number and a text by a text. The result is JSON,
/// with a number's digits as written.
pub fn like(present: Option<&Value>, text: &str) -> String {
    let trimmed = text.trim();
    match present {
        Some(Value::String(_)) => Value::from(text).to_string(),
        _ if serde_json::from_str::<&RawValue>(trimmed).is_ok() => trimmed.to_owned(),
        _ => Value::from(text).to_string(),
    }
}

/// A file's kind of media: by its first bytes, or else, if they are not text, by its name.
pub async fn media(path: &Path) -> std::io::Result<Option<AssetKind>> {
    use tokio::io::AsyncReadExt as _;
    let mut head = Vec::new();
    tokio::fs::File::open(path).await?.take(HEAD_BYTES).read_to_end(&mut head).await?;
    let kind = sniff(&head).kind();
    if kind != AssetKind::File {
        return Ok(Some(kind));
    }
    if is_text(&head) {
        return Ok(None);
    }
    let named = mime_guess::from_path(path).first();
    Ok(named.and_then(|named| match named.type_().as_str() {
        "image" => Some(AssetKind::Image),
        "video" => Some(AssetKind::Video),
        "audio" => Some(AssetKind::Audio),
        _ => None,
    }))
}

/// Whether these bytes are UTF-8 text, possibly cut within the last character.
fn is_text(head: &[u8]) -> bool {
    match std::str::from_utf8(head) {
        Ok(text) => !text.contains('\0'),
        Err(error) => error.error_len().is_none() && error.valid_up_to() > 0,
    }
}

/// The text in a file.
pub async fn text(path: &Path) -> Result<String, String> {
    let bytes = tokio::fs::read(path).await.map_err(|error| error.to_string())?;
    let text = String::from_utf8(decoded(&bytes).into_owned());
    text.map_err(|_| "is neither a text nor a picture, video or audio file".to_owned())
}

/// A file's text in UTF-8 without its byte-order mark. PowerShell writes UTF-16.
pub fn decoded(bytes: &[u8]) -> Cow<'_, [u8]> {
    let text = match bytes {
        [0xff, 0xfe, units @ ..] => utf16(units, u16::from_le_bytes),
        [0xfe, 0xff, units @ ..] => utf16(units, u16::from_be_bytes),
        _ => None,
    };
    text.map_or_else(|| Cow::Borrowed(without_mark(bytes)), |text| Cow::Owned(text.into_bytes()))
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Option<String> {
    let units: Option<Vec<u16>> = bytes.chunks(2).map(|pair| <[u8; 2]>::try_from(pair).ok().map(unit)).collect();
    String::from_utf16(&units?).ok()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn first_equals_sign_separates_name_and_value() {
        assert_eq!(parse("6.text=a=b").unwrap(), Input { name: "6.text".into(), given: Given::Text("a=b".into()) });
        assert_eq!(parse("image=@a=b.png").unwrap().given, Given::File("a=b.png".into()));
        assert_eq!(parse("text=@@home").unwrap().given, Given::Text("@home".into()));
        assert_eq!(parse("text=").unwrap().given, Given::Text(String::new()));
        let json = Input { name: "57:8.mode".into(), given: Given::Json("2.50".into()) };
        assert_eq!(parse("57:8.mode:=2.50").unwrap(), json);
        for wrong in ["text", "=5", ":=5", "mode:=auto"] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn value_keeps_the_present_type_and_the_typed_digits() {
        assert_eq!(like(Some(&json!("1")), "5"), r#""5""#);
        assert_eq!(like(Some(&json!(1)), "18446744073709551616"), "18446744073709551616");
        assert_eq!(like(Some(&json!(1)), " 1.1500000000000001"), "1.1500000000000001");
        assert_eq!(like(Some(&json!(false)), "true"), "true");
        assert_eq!(like(None, "a fox"), r#""a fox""#);
    }

    #[tokio::test]
    async fn files_are_detected_by_their_bytes() {
        let folder = tempfile::tempdir().unwrap();
        for (name, bytes, kind) in [
            ("a", &b"\x89PNG\r\n\x1a\n...."[..], Some(AssetKind::Image)),
            ("b.txt", b"RIFF\0\0\0\0WEBPVP8 ", Some(AssetKind::Image)),
            ("c", b"RIFF\0\0\0\0WAVEfmt ", Some(AssetKind::Audio)),
            ("d", b"\0\0\0\x20ftypisom\0\0\0\0", Some(AssetKind::Video)),
            ("e.mov", b"\0\0\0\x14ftypqt  \0\0\0\0", Some(AssetKind::Video)),
            ("f.aac", b"\xff\xf1\x50\x80", Some(AssetKind::Audio)),
            ("g.ts", "const name = 'é';".as_bytes(), None),
            ("h.png", b"hello", None),
            ("i.dat", b"\xff\xfe\0", None),
        ] {
            let path = folder.path().join(name);
            std::fs::write(&path, bytes).unwrap();
            assert_eq!(media(&path).await.unwrap(), kind, "{name}");
        }
        let path = folder.path().join("mark.txt");
        std::fs::write(&path, "\u{feff}a fox").unwrap();
        assert_eq!(text(&path).await.as_deref(), Ok("a fox"));
        for order in [u16::to_le_bytes, u16::to_be_bytes] {
            let units: Vec<u8> = "\u{feff}a 🦊".encode_utf16().flat_map(order).collect();
            std::fs::write(&path, units).unwrap();
            assert_eq!(media(&path).await.unwrap(), None);
            assert_eq!(text(&path).await.as_deref(), Ok("a 🦊"));
        }
        assert!(text(&folder.path().join("i.dat")).await.unwrap_err().contains("neither"));
    }
}
