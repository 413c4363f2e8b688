//! Which recipes the connected workers can run, and with which model files.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use serde_json::{Value, json};

use super::family::{KnownModels, matched_name};
use super::recipe::{ModelSlot, Recipe, bare_name, stem};
use crate::fleet::Capabilities;
use crate::graph::{InputKind, NodeDefinitions, content_hash};
use crate::html;
use crate::mini_apps::Words;

/// A recipe with the files of a worker.
#[derive(Debug, Clone)]
pub struct Offer {
    pub recipe: &'static Recipe,
    /// The main model as the worker names it; empty for a recipe without models.
    pub model: String,
    /// A file of the worker for each slot of the recipe.
    files: Vec<(&'static ModelSlot, String)>,
    /// Models to choose from in the form; empty where there is no choice.
    choices: BTreeSet<String>,
}

/// Models in the choice of a form.
const MOST_CHOICES: usize = 500;

impl Offer {
    /// The graph in API format.
    pub fn graph(&self) -> Value {
        let mut graph = self.recipe.form.graph.clone();
        for (slot, file) in &self.files {
            let inputs = graph.get_mut(&slot.node).and_then(|node| node.get_mut("inputs"));
            if let Some(inputs) = inputs.and_then(Value::as_object_mut) {
                inputs.insert(slot.input.clone(), json!(file));
            }
        }
        graph
    }

    /// Changes with the recipe, with the files and with the choice of models.
    pub fn digest(&self) -> String {
        let mut all = json!({ "recipe": self.recipe.digest, "graph": self.graph() });
        if !self.choices.is_empty() {
            all["choices"] = json!(self.choices);
        }
        content_hash(&all)
    }

    /// The same offer, whose form lets the user choose among the models of these offers of its recipe. Only models that
    /// run with the same helpers are choices, and only where one input takes the model: a field fills one input.
    pub fn with_choices(&self, others: &[&Self]) -> Self {
        let mut offer = self.clone();
        if self.recipe.models.iter().filter(|slot| slot.main).count() == 1 {
            let same = others.iter().filter(|other| other.helpers().eq(self.helpers()));
            offer.choices = same.map(|other| other.model.clone()).take(MOST_CHOICES - 1).collect();
            offer.choices.insert(self.model.clone());
        }
        offer
    }

    /// The files of the other slots, in the order of the recipe.
    fn helpers(&self) -> impl Iterator<Item = &str> {
        self.files.iter().filter(|(slot, _)| !slot.main).map(|(_, file)| file.as_str())
    }

    /// The form's `inputs` of a workflow API: those of the recipe, and the choice of models.
    pub fn api_inputs(&self) -> Value {
        let mut inputs = self.recipe.form.api_inputs();
        if let (Some(slot), Some(entries), false) =
            (self.recipe.main_slot(), inputs.as_object_mut(), self.choices.is_empty())
        {
            entries.insert(format!("{}.{}", slot.node, slot.input), self.choice(slot, entries.len() + 1));
        }
        inputs
    }

    /// The entry of the choice of models.
    fn choice(&self, slot: &ModelSlot, order: usize) -> Value {
        let class = self.recipe.form.graph.get(&slot.node).and_then(|node| node.get("class_type"));
        let options = self.choices.iter().map(|model| json!({ "value": model, "label": title(model) }));
        json!({
            "order": order, "id": slot.node, "name": slot.input, "nodeName": class,
            "adapter": {
                "name": "Model", "uiType": "select", "apiFieldName": "model", "default": self.model,
                "options": options.collect::<Vec<_>>(),
                "tooltip": "Which model is used. The settings of this form suit all of them.",
                "translations": { "ko": {
                    "name": "모델",
                    "tooltip": "사용할 모델입니다. 이 양식의 설정은 모든 모델에 알맞습니다.",
                    "options": {},
                } },
            },
        })
    }

    pub fn name(&self) -> Words {
        self.recipe.name.with("model", &title(&self.model))
    }

    pub fn description(&self) -> Words {
        self.recipe.description.with("model", &html::escaped(&title(&self.model)))
    }
}

/// A model's name for people: without folders and ending.
fn title(model: &str) -> String {
    stem(model).replace('_', " ")
}

/// What workers with these capabilities offer together, in the order of the recipes. Each main model is offered once
/// for a task of its family, and once by each variant.
pub fn offers(recipes: &'static [Recipe], workers: &[Arc<Capabilities>], known: &KnownModels) -> Vec<Offer> {
    let (mut taken, mut names) = (HashSet::new(), MatchedNames::default());
    let mut all = Vec::new();
    for recipe in recipes {
        for worker in workers {
            for offer in of_worker(recipes, recipe, &worker.definitions, known, &mut names) {
                let own = (recipe.variant || recipe.family.is_none()).then_some(&recipe.id);
                if taken.insert((recipe.task, offer.model.clone(), own)) {
                    all.push(offer);
                }
            }
        }
    }
    all
}

/// The names by which recipes match files, by folder and file: many recipes ask for the same file.
#[derive(Default)]
struct MatchedNames<'a>(HashMap<(&'static str, &'a str), Option<Cow<'a, str>>>);

impl<'a> MatchedNames<'a> {
    /// See [`matched_name`].
    fn of(&mut self, recipes: &[Recipe], known: &'a KnownModels, folder: &'static str, file: &'a str) -> Option<&str> {
        let name = self.0.entry((folder, file)).or_insert_with(|| matched_name(recipes, known, folder, file));
        name.as_deref()
    }
}

fn of_worker<'a>(
    recipes: &'static [Recipe],
    recipe: &'static Recipe,
    definitions: &'a NodeDefinitions,
    known: &'a KnownModels,
    names: &mut MatchedNames<'a>,
) -> Vec<Offer> {
    let Some(nodes) = recipe.form.graph.as_object() else { return Vec::new() };
    let class_of = |node: &str| nodes.get(node)?.get("class_type")?.as_str();
    let has_nodes = nodes.keys().all(|node| class_of(node).is_some_and(|class| definitions.contains(class)));
    if !has_nodes || !recipe.requires.iter().all(|class| definitions.contains(class)) {
        return Vec::new();
    }
    let mut others = Vec::new();
    for slot in recipe.models.iter().filter(|slot| !slot.main) {
        let files = files(definitions, class_of(&slot.node), &slot.input);
        let ranked = files.into_iter().filter_map(|file| {
            let name = names.of(recipes, known, &slot.folder, file)?;
            Some((slot.rank(name)?, file))
        });
        let best = ranked.min();
        let Some((_, file)) = best else { return Vec::new() };
        others.push((slot, file.to_owned()));
    }
    let Some(main) = recipe.main_slot() else {
        return vec![Offer { recipe, model: String::new(), files: others, choices: BTreeSet::new() }];
    };
    let mut files = files(definitions, class_of(&main.node), &main.input);
    files.retain(|&file| {
        let name = names.of(recipes, known, &main.folder, file);
        name.is_some_and(|name| main.rank(name).is_some())
    });
    files.sort_by_key(|file| bare_name(file));
    files
        .into_iter()
        .map(|file| {
            let main = recipe.models.iter().filter(|slot| slot.main).map(|slot| (slot, file.to_owned()));
            let files = others.iter().cloned().chain(main).collect();
            Offer { recipe, model: file.to_owned(), files, choices: BTreeSet::new() }
        })
        .collect()
}

/// The files that a worker lists for an input.
fn files<'a>(definitions: &'a NodeDefinitions, class: Option<&str>, input: &str) -> Vec<&'a str> {
    let input = class.and_then(|class| definitions.get(class)).and_then(|class| class.input(input));
    match input.map(|input| &input.kind) {
        Some(InputKind::Combo { options }) => options.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}
