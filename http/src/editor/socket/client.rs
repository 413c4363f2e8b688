//! What a client says on its socket.

use serde::Deserialize;
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
        #[derive(Deserialize)]
        struct Message {
            #[serde(rename = "type")]
            kind: Option<String>,
            data: Option<Value>,
        }
        if serde_json::from_str::<Value>(text).is_err() {
            return Self::Ignored;
        }
        match serde_json::from_str::<Message>(text) {
            Ok(Message { kind: Some(kind), data }) if kind == "feature_flags" => {
                // ComfyUI takes no other value for a yes.
                let has = |name: &str| data.as_ref().and_then(|data| data.get(name)) == Some(&Value::Bool(true));
                Self::Features(Features {
                    previews: has("supports_preview_metadata"),
                    notifications: has("supports_progress_text_metadata"),
                })
            }
            _ => Self::Other,
        }
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
