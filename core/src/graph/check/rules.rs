//! The rules of validation: intended differences between the platform and a server, and between versions.

use serde_json::Value;

use super::outcome::SubmittedFiles;
use super::python;
use crate::graph::classes::definitions::NodeDefinition;
use crate::graph::prompt::PromptNode;
use crate::graph::refusal::PromptError;
use crate::graph::version::ComfyVersion;

/// Whose rules apply. They are ComfyUI's, with the differences below.
#[derive(Clone, Copy)]
pub enum ValidationRules<'a> {
    /// The platform, before any worker is asked, with the submitted files.
    Platform(&'a SubmittedFiles),
    /// A server that emulates this version, with its nodes' own checks.
    Server(ComfyVersion, &'a dyn NodeChecks),
}

/// What a server knows of a node beyond its class definition.
pub trait NodeChecks {
    /// The exception that Python raises before validation, if the node's JSON has no usable inputs.
    fn broken(&self, id: &str) -> Option<Exception>;

    /// The class's own validation (`VALIDATE_INPUTS`), over the node's literal values.
    fn check(&self, node: &PromptNode) -> Result<Option<PromptError>, Exception>;
}

/// A Python exception.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exception {
    /// Its class, such as `KeyError`.
    pub kind: &'static str,
    pub text: String,
}

impl Exception {
    pub fn new(kind: &'static str, text: impl Into<String>) -> Self {
        Self { kind, text: text.into() }
    }
}

impl ValidationRules<'_> {
    /// Whether all errors are reported with their place. A server stops at the first unknown class, reports nothing
    /// else for a node whose check raised, and does not follow a link of a wrong type.
    pub(in crate::graph) fn reports_everything(self) -> bool {
        matches!(self, Self::Platform(_))
    }

    /// Whether empty lists, and lists that the editor fetches remotely, accept every value. The platform does not know
    /// a worker's list; a server checks its own.
    pub(in crate::graph) fn accepts_open_lists(self) -> bool {
        matches!(self, Self::Platform(_))
    }

    /// Whether the node's own validation (`VALIDATE_INPUTS`) is left to the worker. A custom class may replace
    /// ComfyUI's checks and use types that equal several others.
    pub(in crate::graph) fn defers_to_node(self, class: &NodeDefinition) -> bool {
        matches!(self, Self::Platform(_)) && class.is_custom()
    }

    /// Whether links of types that `object_info` does not tell are left to the worker.
    pub(in crate::graph) fn defers_open_types(self) -> bool {
        matches!(self, Self::Platform(_))
    }

    /// Whether choices may have another system's path separators, and models outside of lists are checked.
    pub(in crate::graph) fn accepts_other_separators(self) -> bool {
        matches!(self, Self::Platform(_))
    }

    /// Whether file inputs are checked against the submitted files, which the platform sends to the worker.
    pub(in crate::graph) fn checks_submitted_files(self) -> bool {
        matches!(self, Self::Platform(_))
    }

    /// Whether cycles are reported. 0.3.64 overflowed its stack and silently dropped the output.
    pub(in crate::graph) fn reports_cycles(self) -> bool {
        self.version() >= ComfyVersion::V0_33_0
    }

    /// A value in an error message: 0.3.64 quoted every value.
    pub(in crate::graph) fn shown(self, value: &Value) -> String {
        match self.version() {
            ComfyVersion::V0_3_64 => format!("'{}'", python::text(value)),
            ComfyVersion::V0_33_0 => python::repr(value),
        }
    }

    /// The version whose messages are used; the platform uses the newest.
    pub(in crate::graph) fn version(self) -> ComfyVersion {
        match self {
            Self::Platform(_) => ComfyVersion::default(),
            Self::Server(version, _) => version,
        }
    }
}
