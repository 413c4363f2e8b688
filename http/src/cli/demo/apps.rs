//! The mini apps of `config/apps`; their README describes the format.

use rust_embed::RustEmbed;
use serde::Deserialize;
use serde_json::{Map, Value, json};

#[derive(RustEmbed)]
#[folder = "../config/apps"]
struct Files;

/// One mini app.
#[derive(Debug, Deserialize)]
pub struct App {
    /// Stable; the file's name without `.json`.
    pub id: String,
    pub order: u32,
    pub name: Words,
    /// HTML.
    pub description: Words,
    /// English names of tags.
    pub tags: Vec<String>,
    /// The workflow in API format.
    pub graph: Value,
    pub inputs: Vec<Input>,
    pub outputs: Vec<Output>,
    pub samples: Vec<Sample>,
}

/// A text by language. Posts are written in English with a Korean translation.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Words {
    pub en: String,
    pub ko: String,
}

/// One field of the form.
#[derive(Debug, Deserialize)]
pub struct Input {
    node: String,
    input: String,
    field: String,
    label: Words,
    ui: String,
    tooltip: Words,
    default: Option<Value>,
    min: Option<Value>,
    max: Option<Value>,
    step: Option<Value>,
    options: Option<Vec<Choice>>,
    random: Option<bool>,
}

/// A value of a `select`.
#[derive(Debug, Deserialize)]
struct Choice {
    value: String,
    label: Words,
}

/// A node whose pictures are the result.
#[derive(Debug, Deserialize)]
pub struct Output {
    node: String,
    label: Words,
}

/// A form to run for the gallery.
#[derive(Debug, Deserialize)]
pub struct Sample {
    pub values: Map<String, Value>,
    /// Whether its picture is the app's cover.
    #[serde(default)]
    pub cover: bool,
}

/// All apps, in their order.
pub fn all() -> Result<Vec<App>, String> {
    let mut apps = Vec::new();
    for name in Files::iter().filter(|name| name.ends_with(".json")) {
        let Some(file) = Files::get(&name) else { continue };
        apps.push(serde_json::from_slice::<App>(&file.data).map_err(|error| format!("config/apps/{name}: {error}"))?);
    }
    apps.sort_by_key(|app| app.order);
    Ok(apps)
}

impl App {
    /// The sample whose picture is the cover; the first one by default.
    pub fn cover(&self) -> usize {
        self.samples.iter().position(|sample| sample.cover).unwrap_or(0)
    }

    /// A workflow API's `inputs`.
    pub fn api_inputs(&self) -> Value {
        let entries = (1..).zip(&self.inputs).map(|(order, input)| {
            let ui_type = match input.ui.as_str() {
                "slider" | "number" => "range",
                other => other,
            };
            let adapter = [
                ("name", Some(json!(input.label.en))),
                ("uiType", Some(json!(ui_type))),
                ("apiFieldName", Some(json!(input.field))),
                ("default", input.default.clone()),
                ("min", input.min.clone()),
                ("max", input.max.clone()),
                ("step", input.step.clone()),
                ("options", input.options.as_deref().map(choices)),
                ("tooltip", Some(json!(input.tooltip.en))),
                ("isRandom", input.random.map(Value::Bool)),
                ("translations", Some(input.translations())),
            ];
            let adapter: Map<String, Value> =
                adapter.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?))).collect();
            let class = self.graph.get(&input.node).and_then(|node| node.get("class_type")).cloned();
            let entry = json!({
                "order": order, "id": input.node, "name": input.input, "nodeName": class, "adapter": adapter,
            });
            (format!("{}.{}", input.node, input.input), entry)
        });
        Value::Object(entries.collect())
    }

    /// A workflow API's `outputs`.
    pub fn api_outputs(&self) -> Value {
        let entries = (1..).zip(&self.outputs).map(|(order, output)| {
            let korean = json!({ "ko": { "name": output.label.ko } });
            let entry = json!({ "id": output.node, "order": order, "name": output.label.en, "translations": korean });
            (output.node.clone(), entry)
        });
        Value::Object(entries.collect())
    }
}

impl Input {
    /// The texts in other languages.
    fn translations(&self) -> Value {
        let choices = self.options.iter().flatten();
        let options: Map<String, Value> =
            choices.map(|choice| (choice.value.clone(), json!(choice.label.ko))).collect();
        json!({ "ko": { "name": self.label.ko, "tooltip": self.tooltip.ko, "options": options } })
    }
}

fn choices(all: &[Choice]) -> Value {
    all.iter().map(|choice| json!({ "value": choice.value, "label": choice.label.en })).collect()
}

/// The picture of another sample, if a value refers to one: `{"app": "…", "sample": 0}`.
pub fn picture_of(value: &Value) -> Option<(&str, usize)> {
    let app = value.get("app")?.as_str()?;
    let sample = usize::try_from(value.get("sample")?.as_u64()?).ok()?;
    Some((app, sample))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_installation_gets_eight_apps_and_two_dozen_pictures() {
        let apps = all().expect("every file is what the README says");
        assert!(apps.len() >= 8, "only {} apps", apps.len());
        let pictures: usize = apps.iter().map(|app| app.samples.len()).sum();
        assert!(pictures >= 24, "only {pictures} pictures");
    }

    #[test]
    fn every_app_has_one_to_five_tags_of_the_initial_tree() {
        let tree = include_str!("../../../../core/migrations/0008_workflows.sql");
        for app in all().expect("every file is what the README says") {
            assert!((1..=5).contains(&app.tags.len()), "{}: {:?}", app.id, app.tags);
            for tag in &app.tags {
                assert!(tree.contains(&format!(", 1, '{tag}', '")), "{}: there is no tag {tag}", app.id);
            }
        }
    }

    #[test]
    fn covers_of_filters_show_different_pictures() {
        let mut shown = std::collections::BTreeMap::new();
        for app in all().expect("every file is what the README says") {
            let Some(sample) = app.samples.get(app.cover()) else { continue };
            for source in sample.values.values().filter_map(|value| value["app"].as_str()) {
                let other = shown.insert(source.to_owned(), app.id.clone());
                assert_eq!(other, None, "the covers of this app and of {} show the same motif of {source}", app.id);
            }
        }
        assert!(shown.len() >= 4, "only {} apps change pictures", shown.len());
    }

    #[test]
    fn every_app_is_complete_in_both_languages() {
        let is_hangul = |c: char| ('\u{ac00}'..='\u{d7a3}').contains(&c);
        for app in all().expect("every file is what the README says") {
            let mut words = vec![("name", &app.name), ("description", &app.description)];
            for input in &app.inputs {
                words.extend([("label", &input.label), ("tooltip", &input.tooltip)]);
                words.extend(input.options.iter().flatten().map(|choice| ("option", &choice.label)));
            }
            words.extend(app.outputs.iter().map(|output| ("output", &output.label)));
            for (what, Words { en, ko }) in words {
                assert!(!en.trim().is_empty() && !en.contains(is_hangul), "{}, {what}: {en:?} is no English", app.id);
                assert!(ko.contains(is_hangul), "{}, {what}: {ko:?} is no Korean", app.id);
            }
        }
    }

    #[test]
    fn app_is_sent_with_its_korean_texts() {
        let apps = all().expect("every file is what the README says");
        let app = apps.iter().find(|app| app.id == "flow-field").expect("an app with choices");
        let inputs = app.api_inputs();
        let palette = &inputs["1.palette"]["adapter"];
        assert_eq!(palette["options"][1], json!({ "value": "ember", "label": "ember" }));
        assert_eq!(palette["translations"]["ko"]["name"], "색 조합");
        assert_eq!(palette["translations"]["ko"]["options"]["ember"], "불씨");
        assert_eq!(app.api_outputs()["9"]["translations"]["ko"]["name"], "이미지");
    }

    #[test]
    fn input_picture_comes_from_an_earlier_app() {
        let apps = all().expect("every file is what the README says");
        for (place, app) in apps.iter().enumerate() {
            for (name, sample) in app.samples.iter().flat_map(|sample| sample.values.values()).filter_map(picture_of) {
                let source = apps[..place].iter().find(|before| before.id == name);
                let source = source.unwrap_or_else(|| panic!("{} uses {name}, which is not before it", app.id));
                assert!(sample < source.samples.len(), "{} uses sample {sample} of {name}", app.id);
            }
        }
    }
}
