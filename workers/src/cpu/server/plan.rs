//! Plans a prompt: the nodes to run, upstream first, each with its cache key.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use serde_json::{Map, Value as Json};
use sha2::{Digest, Sha256};

use super::cache::{Cache, CachedResult, Key};
use super::catalog::{Catalog, Class};
use super::literal::value_of;
use crate::cpu::node::{Folders, Inputs};
use crate::cpu::value::Value;

/// The source of an input's value.
pub(super) enum Source {
    Plain(Value),
    /// A slot of an earlier step. Negative slots count from the end.
    Link {
        step: usize,
        slot: i64,
    },
}

/// One node to run.
pub(super) struct Step<'a> {
    pub id: &'a str,
    pub class: &'a Class,
    pub inputs: Vec<(&'a str, Source)>,
    pub key: Key,
    /// Whether it is a requested output.
    pub is_wanted: bool,
    /// The cached result. Only for needed steps: the cache may evict the others.
    pub cached: Option<Arc<CachedResult>>,
    /// Whether the result was cached at the start.
    pub is_cached: bool,
    /// Whether a step that runs needs its result.
    pub is_needed: bool,
}

/// Why there is no plan. Validation rejects all such prompts, except for links hidden in `__value__`.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct PlanError {
    pub node_id: String,
    pub reason: &'static str,
}

/// Plans a prompt. Each step comes after those it needs, and outputs come early.
pub(super) fn plan<'a>(
    catalog: &'a Catalog,
    folders: &Folders,
    prompt: &'a Map<String, Json>,
    outputs: &[String],
) -> Result<Vec<Step<'a>>, PlanError> {
    let mut planner = Planner { catalog, prompt, folders, steps: Vec::new(), places: HashMap::new() };
    for output in outputs {
        planner.add(output)?;
    }
    for output in outputs {
        if let Some(VisitState::Done(step)) = planner.places.get(output.as_str()).copied()
            && let Some(step) = planner.steps.get_mut(step)
        {
            step.is_wanted = true;
        }
    }
    Ok(planner.steps)
}

/// Looks up cached results, and marks the steps that are needed then.
pub(super) fn look_up(steps: &mut [Step<'_>], cache: &Cache, folders: &Folders) {
    for step in steps.iter_mut() {
        step.cached = cache.get(&step.key).filter(|stored| files_exist(stored, folders));
        step.is_cached = step.cached.is_some();
    }
    for index in (0..steps.len()).rev() {
        let Some((step, earlier)) = steps.get_mut(..=index).and_then(<[Step<'_>]>::split_last_mut) else {
            continue;
        };
        step.is_needed |= step.is_wanted;
        if !step.is_needed {
            step.cached = None;
        }
        if !step.is_needed || step.is_cached {
            continue;
        }
        for (_, source) in &step.inputs {
            if let Source::Link { step, .. } = source
                && let Some(upstream) = earlier.get_mut(*step)
            {
                upstream.is_needed = true;
            }
        }
    }
}

/// Whether the files of a cached output still exist. A real server does not check this and names missing files; this
/// one runs the node again.
fn files_exist(stored: &CachedResult, folders: &Folders) -> bool {
    let named = stored.ui.iter().filter_map(Json::as_object).flat_map(Map::values).filter_map(Json::as_array).flatten();
    named.filter(|file| file.get("filename").is_some()).all(|file| {
        let text = |name: &str| file.get(name).and_then(Json::as_str).unwrap_or_default();
        let folder = folders.by_type(text("type"));
        folder.is_some_and(|folder: &Path| folder.join(text("subfolder")).join(text("filename")).is_file())
    })
}

#[derive(Clone, Copy)]
enum VisitState {
    Open,
    Done(usize),
}

struct Planner<'a, 'f> {
    catalog: &'a Catalog,
    prompt: &'a Map<String, Json>,
    folders: &'f Folders,
    steps: Vec<Step<'a>>,
    places: HashMap<&'a str, VisitState>,
}

impl<'a> Planner<'a, '_> {
    /// Adds a node and everything it needs. Uses an explicit stack, because chains may be long.
    fn add(&mut self, id: &str) -> Result<(), PlanError> {
        let mut stack: Vec<(&'a str, bool)> = vec![(self.known(id)?.0, false)];
        while let Some((id, expanded)) = stack.pop() {
            if expanded {
                let step = self.step(id)?;
                self.places.insert(id, VisitState::Done(self.steps.len()));
                self.steps.push(step);
                continue;
            }
            match self.places.get(id) {
                Some(VisitState::Done(_)) => continue,
                Some(VisitState::Open) => return Err(unplannable(id, "the node depends on itself")),
                None => {}
            }
            self.places.insert(id, VisitState::Open);
            stack.push((id, true));
            let mut upstream = self.upstream(id)?;
            upstream.reverse();
            for id in upstream {
                match self.places.get(id) {
                    Some(VisitState::Done(_)) => {}
                    // Open: on the path from the output to here.
                    Some(VisitState::Open) => return Err(unplannable(id, "the node depends on itself")),
                    None => stack.push((id, false)),
                }
            }
        }
        Ok(())
    }

    fn known(&self, id: &str) -> Result<(&'a str, &'a Class, &'a Map<String, Json>), PlanError> {
        let Some((id, node)) = self.prompt.get_key_value(id) else {
            return Err(unplannable(id, "the node does not exist"));
        };
        let class = node.get("class_type").and_then(Json::as_str).and_then(|class| self.catalog.class(class));
        let class = class.ok_or_else(|| unplannable(id, "the node's class does not exist"))?;
        let inputs = node.get("inputs").and_then(Json::as_object);
        let inputs = inputs.ok_or_else(|| unplannable(id, "the node has no inputs"))?;
        Ok((id, class, inputs))
    }

    /// Declared inputs only. Others are ignored, including links.
    fn declared(&self, id: &str) -> Result<impl Iterator<Item = (&'a str, &'a Json)> + use<'a>, PlanError> {
        let (_, class, inputs) = self.known(id)?;
        Ok(class.inputs().filter_map(|input| Some((input.name.as_str(), inputs.get(&input.name)?))))
    }

    fn upstream(&self, id: &str) -> Result<Vec<&'a str>, PlanError> {
        let mut upstream = Vec::new();
        for (_, value) in self.declared(id)? {
            if let Some((id, _)) = is_link(value) {
                upstream.push(self.known(id)?.0);
            }
        }
        Ok(upstream)
    }

    fn step(&self, id: &'a str) -> Result<Step<'a>, PlanError> {
        let (_, class, _) = self.known(id)?;
        let mut inputs = Vec::new();
        let mut plain = Inputs::default();
        for (name, value) in self.declared(id)? {
            let Some((upstream, slot)) = is_link(value) else {
                let value = value_of(value);
                plain.0.insert(name.to_owned(), vec![value.clone()]);
                inputs.push((name, Source::Plain(value)));
                continue;
            };
            let Some(VisitState::Done(step)) = self.places.get(upstream).copied() else {
                return Err(unplannable(upstream, "the node depends on itself"));
            };
            inputs.push((name, Source::Link { step, slot }));
        }
        let key = self.key(class, &inputs, class.node.fingerprint(&plain, self.folders));
        Ok(Step { id, class, inputs, key, is_wanted: false, cached: None, is_cached: false, is_needed: false })
    }

    fn key(&self, class: &Class, inputs: &[(&str, Source)], fingerprint: Option<String>) -> Key {
        let mut hash = Sha256::new();
        let mut part = |bytes: &[u8]| {
            hash.update(bytes.len().to_be_bytes());
            hash.update(bytes);
        };
        part(class.node.class().as_bytes());
        part(fingerprint.unwrap_or_default().as_bytes());
        for (name, source) in inputs {
            part(name.as_bytes());
            match source {
                Source::Plain(value) => part(format!("{value:?}").as_bytes()),
                Source::Link { step, slot } => {
                    part(b"link");
                    part(&slot.to_be_bytes());
                    part(self.steps.get(*step).map_or(&[], |step| step.key.as_slice()));
                }
            }
        }
        hash.finalize().into()
    }
}

fn unplannable(node_id: &str, reason: &'static str) -> PlanError {
    PlanError { node_id: node_id.to_owned(), reason }
}

/// The upstream node and slot, if the value is a link.
fn is_link(value: &Json) -> Option<(&str, i64)> {
    let Json::Array(parts) = value else {
        return None;
    };
    match parts.as_slice() {
        [Json::String(id), Json::Number(slot)] => Some((id, slot.as_i64()?)),
        [Json::String(id), Json::Bool(slot)] => Some((id, i64::from(*slot))),
        _ => None,
    }
}
