//! What a client says on its socket.

use serde_json::Value;

/// What the client of a socket can show. Only its first JSON message counts, as in ComfyUI.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Features {
    /// Pictures that name their node.
    pub previews: bool,
    /// Whether it is a front end that shows why a job waits.
    pub notifications: bool,
}

/// The effect of a client's text message.
#[derive(Debug, PartialEq, Eq)]
pub enum ClientText {
    /// It is not JSON.
    Ignored,
    /// It announces features.
    Features(Features),
    /// Any other message.
    Other,
}

impl ClientText {
    #[must_use]
    pub fn read(text: &str) -> Self {
        let Ok(message) = serde_json::from_str::<Value>(text) else { return Self::Ignored };
        if message.get("type").is_none_or(|kind| kind != "feature_flags") {
            return Self::Other;
        }
        // ComfyUI takes no other value for a yes.
        let has = |name: &str| message.get("data").and_then(|data| data.get(name)) == Some(&Value::Bool(true));
        Self::Features(Features {
            previews: has("supports_preview_metadata"),
            notifications: has("supports_progress_text_metadata"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_boolean_announces_a_feature() {
        for (text, read) in [
            ("hello", ClientText::Ignored),
            ("[1]", ClientText::Other),
            (r#"{"type":"ping"}"#, ClientText::Other),
            (r#"{"type":"feature_flags"}"#, ClientText::Features(Features::default())),
            (
                r#"{"type":"feature_flags","data":{"supports_preview_metadata":1}}"#,
                ClientText::Features(Features::default()),
            ),
            (
                r#"{"type":"feature_flags","data":{"supports_preview_metadata":true}}"#,
                ClientText::Features(Features { previews: true, notifications: false }),
            ),
        ] {
            assert_eq!(ClientText::read(text), read, "{text}");
        }
    }
}
