//! Node classes and models by name, and users' requests for them.

use chrono::{DateTime, Utc};

use crate::ids::RequirementRequestId;
use crate::word_list::word_list;
use crate::{Error, Result, names};

/// The most characters of a name.
const NAME_CHARACTERS: usize = 300;
/// The most characters of a folder's name.
const FOLDER_CHARACTERS: usize = 60;

word_list! {
    /// What a graph can require.
    pub enum RequirementKind for "kind" {
        NodeClass,
        /// A model file.
        Model,
    }
}

/// A node class or a model file.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Requirement {
    pub kind: RequirementKind,
    /// The folder of a model: `checkpoints`. `None` for node classes, and for models of unknown folders.
    pub folder: Option<String>,
    /// The class, or the file with its subfolders, separated by `/`.
    pub name: String,
}

impl Requirement {
    #[must_use]
    pub fn node_class(name: &str) -> Self {
        Self { kind: RequirementKind::NodeClass, folder: None, name: name.to_owned() }
    }

    #[must_use]
    pub fn model(folder: Option<&str>, name: &str) -> Self {
        let folder = folder.map(str::to_owned);
        Self { kind: RequirementKind::Model, folder, name: name.replace('\\', "/") }
    }

    /// Checks and normalizes what a user entered.
    ///
    /// # Errors
    /// [`Error::Invalid`] for an empty or long name, one with hidden characters, and a folder that is not one of models.
    pub(super) fn checked(&self) -> Result<Self> {
        let name = names::trimmed(&self.name, 1..=NAME_CHARACTERS).filter(|name| !name.chars().any(names::is_hidden));
        let name = name.ok_or_else(|| {
            Error::invalid("name", format!("must have 1 to {NAME_CHARACTERS} characters, none of them hidden"))
        })?;
        let is_folder = |folder: &String| {
            let is_allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
            (1..=FOLDER_CHARACTERS).contains(&folder.len()) && folder.chars().all(is_allowed)
        };
        match (self.kind, &self.folder) {
            (RequirementKind::NodeClass, None) => Ok(Self::node_class(&name)),
            (RequirementKind::NodeClass, Some(_)) => Err(Error::invalid("folder", "is for models only")),
            (RequirementKind::Model, folder) if folder.as_ref().is_none_or(is_folder) => {
                Ok(Self::model(folder.as_deref(), &name))
            }
            (RequirementKind::Model, _) => Err(Error::invalid("folder", "is not the name of a folder of models")),
        }
    }
}

/// A requirement that no worker of the caller's pools meets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MissingRequirement {
    pub requirement: Requirement,
    /// The ids of the nodes that have it.
    pub nodes: Vec<String>,
    /// Other pools with a worker that meets it.
    pub pools: Vec<String>,
    /// Whether the caller has requested it.
    pub is_requested: bool,
}

/// Whether the workers of the caller's pools can run a graph.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GraphRequirements {
    /// In the order of the graph.
    pub missing: Vec<MissingRequirement>,
    /// Whether one worker meets all of them. A job runs on one worker.
    pub one_worker_meets_all: bool,
}

/// A user's request for a requirement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequirementRequest {
    pub id: RequirementRequestId,
    pub requirement: Requirement,
    pub created_at: DateTime<Utc>,
}

/// A requirement that users have requested.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestedRequirement {
    /// The first request.
    pub id: RequirementRequestId,
    pub requirement: Requirement,
    /// How many users have requested it.
    pub requests: i64,
    pub first_at: DateTime<Utc>,
    pub last_at: DateTime<Utc>,
    /// Pools with a worker that meets it now.
    pub pools: Vec<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entered_requirements_are_checked_and_normalized() {
        let model = |folder: Option<&str>, name: &str| Requirement::model(folder, name).checked();
        let found = model(Some("loras"), " sub\\a.safetensors ").expect("a model");
        assert_eq!((found.folder.as_deref(), found.name.as_str()), (Some("loras"), "sub/a.safetensors"));
        assert!(model(None, "sam.pth").is_ok());
        for (folder, name) in [(Some(""), "a"), (Some("a/b"), "a"), (Some(".."), ""), (None, " "), (None, "a\u{202e}b")]
        {
            assert!(matches!(model(folder, name), Err(Error::Invalid { .. })), "{folder:?} {name:?}");
        }
        assert!(Requirement::node_class("Fast Groups (rgthree)").checked().is_ok());
        let mut in_a_folder = Requirement::node_class("A");
        in_a_folder.folder = Some("loras".to_owned());
        assert!(matches!(in_a_folder.checked(), Err(Error::Invalid { .. })));
        assert!(Requirement::node_class(&"x".repeat(NAME_CHARACTERS + 1)).checked().is_err());
    }
}
