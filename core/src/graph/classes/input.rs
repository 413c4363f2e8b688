//! Inputs of node classes, as `object_info` describes them, in all formats that ComfyUI has used.

use std::sync::Arc;

use serde_json::{Map, Number, Value, json};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InputPresence {
    Required,
    Optional,
    /// Filled in by the worker (the prompt, the node's id, …).
    Hidden,
}

#[derive(Debug, Clone, PartialEq)]
pub enum InputKind {
    Int,
    Float,
    String,
    Boolean,
    /// One of these values: `[["a", "b"], {…}]` or `["COMBO", {"options": […]}]`.
    Combo {
        options: Vec<Value>,
    },
    /// One of these keys; each has inputs of its own named `<input>.<inner>` (`COMFY_DYNAMICCOMBO_V3`).
    DynamicCombo {
        choices: Vec<Choice>,
    },
    /// A growing list of equal inputs named `<input>.<name>`, of which the first `min` are required
    /// (`COMFY_AUTOGROW_V3`).
    Autogrow {
        names: Vec<String>,
        min: usize,
        inner: Box<InputDefinition>,
    },
    /// Any of several types, decided by the linked output (`COMFY_MATCHTYPE_V3`); `*` is any type.
    MatchType {
        allowed: String,
    },
    /// A link to an output of this type; several types are separated by commas, `*` is any type.
    Socket {
        types: String,
    },
}

#[derive(Debug, Clone, PartialEq)]
pub struct Choice {
    pub key: Value,
    pub inputs: Vec<InputDefinition>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct InputDefinition {
    pub name: String,
    pub presence: InputPresence,
    pub kind: InputKind,
    raw: Arc<Value>,
}

impl InputDefinition {
    /// Parses `[type, {options}]`, `[type]`, or (hidden inputs of old classes) a bare type name. Anything else is a
    /// socket of any type: the worker decides.
    #[must_use]
    pub fn parse(name: &str, presence: InputPresence, raw: &Value) -> Self {
        let (kind, options) = match raw {
            Value::Array(parts) => (parts.first(), parts.get(1).and_then(Value::as_object)),
            other => (Some(other), None),
        };
        let kind = match kind {
            Some(Value::Array(options)) => InputKind::Combo { options: options.clone() },
            Some(Value::String(word)) => parse_kind(word, options),
            _ => InputKind::Socket { types: "*".to_owned() },
        };
        Self { name: name.to_owned(), presence, kind, raw: Arc::new(raw.clone()) }
    }

    /// As in `object_info`.
    #[must_use]
    pub fn raw(&self) -> &Value {
        &self.raw
    }

    /// `[type, options]`, always with both, as in ComfyUI's `input_config`.
    #[must_use]
    pub fn config(&self) -> Value {
        let word = match self.raw.as_ref() {
            Value::Array(parts) => parts.first().cloned().unwrap_or_default(),
            other => other.clone(),
        };
        json!([word, self.options().cloned().unwrap_or_default()])
    }

    /// The type name: `INT`, `COMBO` (both formats), `IMAGE`, …
    #[must_use]
    pub fn type_word(&self) -> &str {
        match (self.raw.as_ref(), &self.kind) {
            (_, InputKind::Combo { .. }) => "COMBO",
            (Value::Array(parts), _) => parts.first().and_then(Value::as_str).unwrap_or("*"),
            (Value::String(word), _) => word,
            _ => "*",
        }
    }

    /// Whether the input has a literal value rather than only links.
    #[must_use]
    pub fn is_widget(&self) -> bool {
        !self.flag("forceInput")
            && matches!(
                self.kind,
                InputKind::Int
                    | InputKind::Float
                    | InputKind::String
                    | InputKind::Boolean
                    | InputKind::Combo { .. }
                    | InputKind::DynamicCombo { .. }
            )
    }

    /// Whether the value names a submitted file of any kind.
    #[must_use]
    pub fn is_upload(&self) -> bool {
        ["image_upload", "video_upload", "audio_upload", "text_upload", "file_upload"].iter().any(|key| self.flag(key))
    }

    /// Whether the value names a submitted picture.
    #[must_use]
    pub fn is_image_upload(&self) -> bool {
        self.flag("image_upload")
    }

    /// Whether the value names a submitted video.
    #[must_use]
    pub fn is_video_upload(&self) -> bool {
        self.flag("video_upload")
    }

    /// Whether the value names submitted audio.
    #[must_use]
    pub fn is_audio_upload(&self) -> bool {
        self.flag("audio_upload")
    }

    /// Whether the value names a submitted text file. Only custom nodes have this flag.
    #[must_use]
    pub fn is_text_upload(&self) -> bool {
        self.flag("text_upload")
    }

    /// Whether the editor fetches the choices remotely, so that this list means nothing.
    #[must_use]
    pub fn is_remote(&self) -> bool {
        self.option("remote").is_some_and(Value::is_object)
    }

    /// Whether several choices may be selected.
    #[must_use]
    pub fn is_multiselect(&self) -> bool {
        self.flag("multiselect")
    }

    /// The default value, if there is one.
    #[must_use]
    pub fn default(&self) -> Option<&Value> {
        self.option("default").filter(|value| !value.is_null())
    }

    #[must_use]
    pub fn min(&self) -> Option<&Number> {
        self.number("min")
    }

    #[must_use]
    pub fn max(&self) -> Option<&Number> {
        self.number("max")
    }

    /// The step of the widget. ComfyUI does not enforce it.
    #[must_use]
    pub fn step(&self) -> Option<&Number> {
        self.number("step")
    }

    /// Whether the text may have several lines.
    #[must_use]
    pub fn is_multiline(&self) -> bool {
        self.flag("multiline")
    }

    /// Whether the editor draws a new number after each run, as for seeds.
    #[must_use]
    pub fn is_drawn_after_generate(&self) -> bool {
        self.flag("control_after_generate") || self.option("control_after_generate").is_some_and(Value::is_string)
    }

    /// Whether the input cannot be linked.
    #[must_use]
    pub fn is_socketless(&self) -> bool {
        self.flag("socketless")
    }

    /// Whether it can only be linked, although its type has a widget.
    #[must_use]
    pub fn is_forced_input(&self) -> bool {
        self.flag("forceInput")
    }

    /// Whether the node computes it on demand.
    #[must_use]
    pub fn is_lazy(&self) -> bool {
        self.flag("lazy")
    }

    /// Whether the editor shows it under advanced inputs.
    #[must_use]
    pub fn is_advanced(&self) -> bool {
        self.flag("advanced")
    }

    #[must_use]
    pub fn tooltip(&self) -> Option<&str> {
        self.option("tooltip").and_then(Value::as_str).filter(|text| !text.is_empty())
    }

    /// The display name, if it differs from the name.
    #[must_use]
    pub fn display_name(&self) -> Option<&str> {
        self.option("display_name").and_then(Value::as_str).filter(|text| !text.is_empty())
    }

    /// An option of `object_info`.
    #[must_use]
    pub fn option(&self, key: &str) -> Option<&Value> {
        self.options()?.get(key)
    }

    fn options(&self) -> Option<&Map<String, Value>> {
        self.raw.get(1)?.as_object()
    }

    fn flag(&self, key: &str) -> bool {
        self.option(key).and_then(Value::as_bool) == Some(true)
    }

    fn number(&self, key: &str) -> Option<&Number> {
        match self.option(key) {
            Some(Value::Number(number)) => Some(number),
            _ => None,
        }
    }
}

/// The inputs in the sections `required`, `optional` and `hidden`, in that order.
pub(in crate::graph) fn parse_sections(sections: Option<&Value>) -> Vec<InputDefinition> {
    let mut inputs = Vec::new();
    for (section, presence) in [
        ("required", InputPresence::Required),
        ("optional", InputPresence::Optional),
        ("hidden", InputPresence::Hidden),
    ] {
        let entries = sections.and_then(|sections| sections.get(section)).and_then(Value::as_object);
        for (name, raw) in entries.into_iter().flatten() {
            inputs.push(InputDefinition::parse(name, presence, raw));
        }
    }
    inputs
}

fn parse_kind(word: &str, options: Option<&Map<String, Value>>) -> InputKind {
    let option = |key: &str| options.and_then(|options| options.get(key));
    match word {
        "INT" => InputKind::Int,
        "FLOAT" => InputKind::Float,
        "STRING" => InputKind::String,
        "BOOLEAN" => InputKind::Boolean,
        "COMBO" => {
            InputKind::Combo { options: option("options").and_then(Value::as_array).cloned().unwrap_or_default() }
        }
        "COMFY_DYNAMICCOMBO_V3" => InputKind::DynamicCombo {
            choices: option("options")
                .and_then(Value::as_array)
                .into_iter()
                .flatten()
                .filter_map(parse_choice)
                .collect(),
        },
        "COMFY_AUTOGROW_V3" => parse_autogrow(option("template")),
        "COMFY_MATCHTYPE_V3" => InputKind::MatchType {
            allowed: option("template")
                .and_then(|template| template.get("allowed_types"))
                .and_then(Value::as_str)
                .unwrap_or("*")
                .to_owned(),
        },
        socket => InputKind::Socket { types: socket.to_owned() },
    }
}

fn parse_choice(choice: &Value) -> Option<Choice> {
    Some(Choice { key: choice.get("key")?.clone(), inputs: parse_sections(choice.get("inputs")) })
}

fn parse_autogrow(template: Option<&Value>) -> InputKind {
    // ComfyUI's own limit.
    const MOST: u64 = 100;
    let field = |key: &str| template.and_then(|template| template.get(key));
    let count = |key: &str, otherwise: u64| field(key).and_then(Value::as_u64).unwrap_or(otherwise).min(MOST);
    let Some(inner) = parse_sections(field("input")).into_iter().next() else {
        return InputKind::Socket { types: "*".to_owned() };
    };
    let names = match (field("names").and_then(Value::as_array), field("prefix").and_then(Value::as_str)) {
        (Some(names), _) => names.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        (None, Some(prefix)) => (0..count("max", 10)).map(|index| format!("{prefix}{index}")).collect(),
        (None, None) => Vec::new(),
    };
    let min = if inner.presence == InputPresence::Required { usize::try_from(count("min", 1)).unwrap_or(0) } else { 0 };
    InputKind::Autogrow { names, min, inner: Box::new(inner) }
}
