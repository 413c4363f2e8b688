//! Writes binary WebSocket messages: a big-endian event number, then its payload.

use bytes::{BufMut, Bytes, BytesMut};
use serde_json::Value;

const PLAIN_PREVIEW: u32 = 1;
const TEXT: u32 = 3;
const PREVIEW: u32 = 4;

/// A picture with its metadata, for clients that support them.
#[must_use]
pub fn preview(metadata: &Value, picture: &[u8]) -> Bytes {
    prefixed(PREVIEW, metadata.to_string().as_bytes(), picture)
}

/// A picture for clients that do not support metadata.
#[must_use]
pub fn preview_without_metadata(content_type: &str, picture: &[u8]) -> Bytes {
    let mut message = BytesMut::with_capacity(8 + picture.len());
    message.put_u32(PLAIN_PREVIEW);
    message.put_u32(if content_type == "image/png" { 2 } else { 1 });
    message.put_slice(picture);
    message.freeze()
}

/// A text that is shown on a node.
#[must_use]
pub fn text(node: &str, text: &str) -> Bytes {
    prefixed(TEXT, node.as_bytes(), text.as_bytes())
}

/// The message of [`preview`] for clients that do not support metadata.
#[must_use]
pub fn plain_preview(message: &Bytes) -> Option<Bytes> {
    let (event, rest) = message.split_first_chunk::<4>()?;
    let (length, rest) = rest.split_first_chunk::<4>()?;
    let (metadata, picture) = rest.split_at_checked(usize::try_from(u32::from_be_bytes(*length)).ok()?)?;
    if u32::from_be_bytes(*event) != PREVIEW {
        return None;
    }
    let metadata: Value = serde_json::from_slice(metadata).ok()?;
    let content_type = metadata.get("image_type").and_then(Value::as_str).unwrap_or_default();
    Some(preview_without_metadata(content_type, picture))
}

fn prefixed(event: u32, head: &[u8], tail: &[u8]) -> Bytes {
    let mut message = BytesMut::with_capacity(8 + head.len() + tail.len());
    message.put_u32(event);
    message.put_u32(u32::try_from(head.len()).unwrap_or(u32::MAX));
    message.put_slice(head);
    message.put_slice(tail);
    message.freeze()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::ServerMessage;
    use super::super::message::binary;
    use super::*;

    #[test]
    fn written_messages_are_read_again() {
        let written = preview(&json!({"node_id": "2", "prompt_id": "p", "image_type": "image/png"}), b"PNG");
        let picture = |prompt_id: Option<&str>, node: Option<&str>| ServerMessage::Preview {
            prompt_id: prompt_id.map(str::to_owned),
            node: node.map(str::to_owned),
            content_type: "image/png",
            bytes: Bytes::from_static(b"PNG"),
        };
        assert_eq!(binary(&written), Ok(picture(Some("p"), Some("2"))));
        let plain = plain_preview(&written).expect("a preview");
        assert_eq!(binary(&plain), Ok(picture(None, None)));
        let shown = text("3", "48 x 32");
        assert_eq!(binary(&shown), Ok(ServerMessage::Text { node: "3".into(), text: "48 x 32".into() }));
        assert_eq!((plain_preview(&plain), plain_preview(&shown)), (None, None));
        for length in 0..written.len() {
            drop(plain_preview(&written.slice(..length)));
        }
    }
}
