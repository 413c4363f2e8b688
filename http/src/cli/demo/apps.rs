//! The mini apps of `config/apps`, as their README describes them.

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

/// A text by language.
#[derive(Debug, Deserialize)]
pub struct Words {
    pub en: String,
}

/// One field of the form.
#[derive(Debug, Deserialize)]
pub struct Input {
    node: String,
    input: String,
    field: String,
    label: Words,
    ui: String,
    tooltip: Option<String>,
    default: Option<Value>,
    min: Option<Value>,
    max: Option<Value>,
    step: Option<Value>,
    options: Option<Value>,
    random: Option<bool>,
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
///
/// # Errors
/// A file that is not what the README says.
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
    /// The sample whose picture is the cover; the first one where none is marked.
    pub fn cover(&self) -> usize {
        self.samples.iter().position(|sample| sample.cover).unwrap_or(0)
    }

    /// `inputs` of a workflow API: what the server does not know by itself.
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
                ("options", input.options.clone()),
                ("tooltip", input.tooltip.clone().map(Value::String)),
                ("isRandom", input.random.map(Value::Bool)),
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

    /// `outputs` of a workflow API.
    pub fn api_outputs(&self) -> Value {
        let entries = (1..).zip(&self.outputs).map(|(order, output)| {
            (output.node.clone(), json!({ "id": output.node, "order": order, "name": output.label.en }))
        });
        Value::Object(entries.collect())
    }
}

/// A picture that another sample made, where a value names one: `{"app": "…", "sample": 0}`.
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
    fn every_app_has_one_to_five_tags_of_the_tree_that_installations_begin_with() {
        let tree = include_str!("../../../../core/migrations/0012_workflows_posts.sql");
        for app in all().expect("every file is what the README says") {
            assert!((1..=5).contains(&app.tags.len()), "{}: {:?}", app.id, app.tags);
            for tag in &app.tags {
                assert!(tree.contains(&format!(", 1, '{tag}', '")), "{}: there is no tag {tag}", app.id);
            }
        }
    }

    #[test]
    fn a_picture_comes_from_an_app_before() {
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
