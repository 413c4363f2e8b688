//! Who judges a prompt: where the platform's check differs from a server's on purpose, and where versions differ.

use serde_json::Value;

use super::checked::Given;
use super::python;
use crate::graph::classes::definitions::NodeDefinition;
use crate::graph::like::Like;
use crate::graph::prompt::PromptNode;
use crate::graph::refusal::Trouble;

/// Who judges a prompt. The rules are ComfyUI's either way; every difference that is meant is a question below.
#[derive(Clone, Copy)]
pub enum Judge<'a> {
    /// The platform, before any worker is asked, with what comes along with the prompt.
    Platform(&'a Given),
    /// A server like ComfyUI of this version, with what its nodes check by themselves.
    Server(Like, &'a dyn OwnChecks),
}

/// What a server knows of a node beside what its class declares.
pub trait OwnChecks {
    /// What Python raises before it looks at any input: the node's JSON has none that can be looked at.
    fn broken(&self, id: &str) -> Option<Exception>;

    /// The check of the node's class (`VALIDATE_INPUTS`), over its plain values.
    ///
    /// # Errors
    /// What that check raises.
    fn check(&self, node: &PromptNode) -> Result<Option<Trouble>, Exception>;
}

/// What Python raises.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exception {
    /// The exception's class, such as `KeyError`.
    pub kind: &'static str,
    pub text: String,
}

impl Exception {
    /// An exception with its text.
    pub fn new(kind: &'static str, text: impl Into<String>) -> Self {
        Self { kind, text: text.into() }
    }
}

impl Judge<'_> {
    /// Whether everything that is wrong is told, and each time where. A server stops at the first unknown class, says
    /// nothing else of a node whose check raised, and does not look behind a link of a wrong type. Who submits to the
    /// platform is to hear all of it at once.
    pub(in crate::graph) fn tells_everything(self) -> bool {
        matches!(self, Self::Platform(_))
    }

    /// Whether a list that the editor fetches from elsewhere, or that is empty, takes every value. The platform does not
    /// know what a worker will find there; a server holds the value against the list that it has.
    pub(in crate::graph) fn takes_open_lists(self) -> bool {
        matches!(self, Self::Platform(_))
    }

    /// Whether what a node of this class checks by itself is left to the worker. A custom class may have its own check
    /// (`VALIDATE_INPUTS`), which replaces ComfyUI's, and types that are equal to several others.
    pub(in crate::graph) fn leaves_to_the_node(self, class: &NodeDefinition) -> bool {
        matches!(self, Self::Platform(_)) && class.is_custom()
    }

    /// Whether links of types that `object_info` does not tell are left to the worker.
    pub(in crate::graph) fn leaves_open_types(self) -> bool {
        matches!(self, Self::Platform(_))
    }

    /// Whether a choice may have the path separators of another operating system, and models that are named outside of
    /// lists are looked for.
    pub(in crate::graph) fn respells_paths(self) -> bool {
        matches!(self, Self::Platform(_))
    }

    /// Whether lists of files are held against the files of the submit instead: the platform sends them to the worker.
    pub(in crate::graph) fn sends_files(self) -> bool {
        matches!(self, Self::Platform(_))
    }

    /// Whether nodes that depend on themselves are told of it. 0.3.64 ran out of stack there, and left the output out
    /// without a word.
    pub(in crate::graph) fn tells_of_cycles(self) -> bool {
        self.like() >= Like::V0_33_0
    }

    /// A value that is in no list, as the message shows it: 0.3.64 put quotes around whatever it was.
    pub(in crate::graph) fn shown(self, value: &Value) -> String {
        match self.like() {
            Like::V0_3_64 => format!("'{}'", python::text(value)),
            Like::V0_33_0 => python::repr(value),
        }
    }

    /// Whose words are used: the platform speaks like the newest.
    pub(in crate::graph) fn like(self) -> Like {
        match self {
            Self::Platform(_) => Like::default(),
            Self::Server(like, _) => like,
        }
    }
}
