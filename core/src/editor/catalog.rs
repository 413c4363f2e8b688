//! The node classes and model files that the editor offers a caller: those of the pools in which the caller's jobs run.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde_json::Value;

use crate::fleet::Capabilities;
use crate::graph::{InputKind, NodeDefinitions, model_folder};
use crate::{Caller, Core, Result, users};

#[derive(Debug, Clone)]
pub struct EditorCatalog {
    /// The merged definitions of the pools' workers.
    pub definitions: Arc<NodeDefinitions>,
    /// Changes whenever the definitions may have changed.
    pub generation: u64,
    /// Names the set of pools; callers with equal ones share `definitions`.
    pub pools: Vec<String>,
    workers: Vec<Arc<Capabilities>>,
}

/// The catalog of the caller's plan; of the first plan for a guest, who views public workflows.
///
/// # Errors
/// [`crate::Error::NotFound`] if there is no such user.
pub async fn catalog(core: &Core, caller: &Caller) -> Result<EditorCatalog> {
    let plan = match caller.user {
        Some(user) => users::plan(core, user).await?,
        None => users::first_plan(core)?,
    };
    let pools = plan.pools.clone();
    let roster = core.fleet.roster();
    // Read before the definitions: if these change in between, the next call sees another generation.
    let generation = roster.generation();
    Ok(EditorCatalog {
        definitions: roster.definitions(&pools),
        generation,
        workers: roster.capabilities_of(&pools),
        pools,
    })
}

impl EditorCatalog {
    /// Model files by folder: those that workers list, and those that node classes offer.
    #[must_use]
    pub fn models(&self) -> BTreeMap<String, BTreeSet<String>> {
        let mut models: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for (folder, names) in self.workers.iter().flat_map(|worker| &worker.models) {
            models.entry(folder.clone()).or_default().extend(names.iter().cloned());
        }
        for class in self.definitions.iter() {
            for input in &class.inputs {
                let InputKind::Combo { options } = &input.kind else { continue };
                let Some(folder) = model_folder(&class.class, &input.name) else { continue };
                let names = options.iter().filter_map(Value::as_str).map(str::to_owned);
                models.entry(folder.to_owned()).or_default().extend(names);
            }
        }
        models
    }

    /// The newest ComfyUI version among the workers. `None` if no worker reports one.
    #[must_use]
    pub fn comfy_version(&self) -> Option<&str> {
        newest(self.workers.iter().filter_map(|worker| worker.version.as_deref()))
    }
}

/// The version with the highest numbers: `0.33.0` is newer than `0.3.64`.
fn newest<'a>(versions: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let numbers = |version: &str| -> Vec<u64> {
        version.split(|c: char| !c.is_ascii_digit()).filter_map(|part| part.parse().ok()).collect()
    };
    versions.max_by_key(|version| numbers(version))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn newest_version_is_compared_by_numbers() {
        assert_eq!(newest(["0.3.64", "0.33.0", "v0.9.1"].into_iter()), Some("0.33.0"));
        assert_eq!(newest([].into_iter()), None);
    }
}
