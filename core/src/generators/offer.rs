//! Which recipes the connected workers can run, and with which model files.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
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
}

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

    /// Changes with the recipe and with the files.
    pub fn digest(&self) -> String {
        content_hash(&json!({ "recipe": self.recipe.digest, "graph": self.graph() }))
    }

    pub fn name(&self) -> Words {
        self.recipe.name.with("model", &self.model_title())
    }

    pub fn description(&self) -> Words {
        self.recipe.description.with("model", &html::escaped(&self.model_title()))
    }

    /// The model's name for people: without folders and ending.
    fn model_title(&self) -> String {
        stem(&self.model).replace('_', " ")
    }
}

/// What workers with these capabilities offer together, in the order of the recipes. Each main model is offered once
/// for a task of its family.
pub fn offers(recipes: &'static [Recipe], workers: &[Arc<Capabilities>], known: &KnownModels) -> Vec<Offer> {
    let (mut taken, mut names) = (HashSet::new(), MatchedNames::default());
    let mut all = Vec::new();
    for recipe in recipes {
        for worker in workers {
            for offer in of_worker(recipes, recipe, &worker.definitions, known, &mut names) {
                if taken.insert((recipe.task, offer.model.clone(), recipe.family.is_none().then_some(&recipe.id))) {
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
        return vec![Offer { recipe, model: String::new(), files: others }];
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
            Offer { recipe, model: file.to_owned(), files }
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
