//! Whether every form of a version can run, so that submits need no check of their own.
//!
//! A submitted form was checked by the rules of the fields. If no rule accepts a value that today's workers would
//! refuse, and the graph passes with one such form, it passes with all of them. The result depends then only on the
//! version and the workers' node classes. A version has no clearance in any other case (a choice of model files, an
//! input that brings others with it, a field that may be left out), and its forms are checked one by one.

use serde_json::{Map, Number, Value, json};

use super::compiled::CompiledApp;
use super::field::Field;
use super::rule::{Rule, json_number, whole};
use crate::graph::{
    InputDefinition, InputKind, Needs, NodeDefinitions, SubmittedFiles, folder_of_place, is_never_a_file, validate,
};

/// Represents every uploaded file in the form that is checked.
const ANY_FILE: &str = "any-file.png";

impl CompiledApp {
    /// The needs of this version with any form that [`CompiledApp::fill`] completes; `None` where they depend on the
    /// form.
    #[must_use]
    pub fn clearance(&self, definitions: &NodeDefinitions) -> Option<Needs> {
        let all_fit = self.fields().iter().all(|field| {
            let node = self.prompt().0.get(&field.node);
            let definition = node.and_then(|node| definitions.get(&node.class_type)?.input(&field.input));
            let class = node.and_then(|node| definitions.get(&node.class_type));
            // A typed text or a choice that can name a file depends on the form.
            let names_no_file = field.rule.widget().file().is_some()
                || !matches!(field.rule, Rule::Text { .. } | Rule::Select { .. })
                || class.is_some_and(|class| is_never_a_file(class, &field.input));
            // The needs depend on the chosen model.
            let names_model = matches!(field.rule, Rule::Select { .. })
                && node.is_some_and(|node| folder_of_place(&node.class_type, &field.input).is_some());
            names_no_file
                && !names_model
                && definition.is_some_and(|definition| field.is_always_there() && field.rule.is_below(definition))
        });
        if !all_fit {
            return None;
        }
        let form: Map<String, Value> =
            self.fields().iter().map(|field| (field.name.clone(), field.rule.sample())).collect();
        let prompt = self.render(&form, |_| Some(ANY_FILE.to_owned())).ok()?;
        let given = SubmittedFiles { files: [ANY_FILE.to_owned()].into() };
        let checked = validate(&prompt, definitions, &given).ok()?;
        checked.node_errors.is_empty().then(|| Needs::of(&prompt, definitions))
    }
}

impl Field {
    /// Whether every completed form has a value here.
    fn is_always_there(&self) -> bool {
        self.required || self.default.is_some()
    }
}

impl Rule {
    /// Whether an input accepts every value that the rule accepts.
    fn is_below(&self, input: &InputDefinition) -> bool {
        let bound = |number: &Number| whole(&Value::Number(number.clone()));
        let least = |number: i128| input.min().is_none_or(|min| bound(min).is_some_and(|min| min <= number));
        let most = |number: i128| input.max().is_none_or(|max| bound(max).is_some_and(|max| number <= max));
        match (self, &input.kind) {
            (Self::Toggle, InputKind::Boolean) | (Self::Text { .. }, InputKind::String) => true,
            (Self::Image, _) => input.is_image_upload(),
            (Self::Video, _) => input.is_video_upload(),
            (Self::Audio, _) => input.is_audio_upload(),
            (Self::TextFile, _) => input.is_text_upload(),
            (Self::Seed { max }, InputKind::Int) => {
                least(0) && input.max().is_none_or(|most| most.as_u64().is_some_and(|most| *max <= most))
            }
            (Self::Int { min, max, .. }, InputKind::Int) => least(*min) && most(*max),
            (Self::Float { min, max, .. }, InputKind::Float) => {
                input.min().and_then(Number::as_f64).is_none_or(|least| least <= *min)
                    && input.max().and_then(Number::as_f64).is_none_or(|most| *max <= most)
            }
            (Self::Select { values, .. }, InputKind::Combo { options }) => {
                !input.is_multiselect() && values.iter().all(|value| options.contains(value))
            }
            _ => false,
        }
    }

    /// A value that the rule accepts.
    fn sample(&self) -> Value {
        match self {
            Self::Toggle => json!(true),
            Self::Image | Self::Video | Self::Audio | Self::TextFile => json!(crate::ids::AssetId::new()),
            Self::Seed { .. } => json!(0),
            Self::Int { min, .. } => json!(json_number(*min)),
            Self::Float { min, .. } => json!(min),
            Self::Select { values, .. } => values.first().cloned().unwrap_or_default(),
            Self::Model { .. } | Self::Text { .. } => json!("text"),
        }
    }
}
