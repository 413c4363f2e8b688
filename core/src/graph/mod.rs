//! Node graphs: prompts in API format, node classes, and validation of prompts against classes.
//!
//! This is not a room: it has no tables and calls no room. It is the lowest module because mini apps, jobs and the CPU
//! worker all read graphs. It knows ComfyUI's data formats (a prompt, an `object_info`), not its messages. Everything
//! is pure.
//!
//! ComfyUI's conversions and validation are implemented once (`check`). [`ValidationRules`] lists the intended
//! differences between the platform and the built-in worker.

mod check;
mod classes;
mod dependent;
mod files;
mod layout;
mod lenient;
mod models;
mod nested;
mod parse;
mod prompt;
mod refusal;
mod template;
mod text;
mod version;

pub use check::outcome::{NormalizedInput, SubmittedFiles, ValidPrompt};
pub use check::rules::{Exception, NodeChecks, ValidationRules};
pub use check::{convert, python, validate, validate_as};
pub use classes::definitions::{NodeDefinition, NodeDefinitions, OutputDefinition};
pub use classes::input::{Choice, InputDefinition, InputKind, InputPresence};
pub use classes::model_folder::model_folder;
pub use dependent::DependentPart;
pub use files::{
    FileNames, InputChange, Medium, NodeFiles, WorkerPrompt, is_always_a_file, is_file_input, is_model,
    is_never_a_file, medium, node_files, object_info_with_files, only_upstream, public_object_info, text_extension,
    with_file_names, worker_prompt,
};
pub use layout::{compacted, indented};
pub use lenient::{NotANumber, non_number, read as read_lenient, without_non_numbers};
pub use models::{ModelNeed, Needs, classes, drawn_classes, models};
pub use nested::folder_of_place;
pub use parse::{MAX_DEPTH, MAX_NODES, MAX_PROMPT_BYTES, MAX_TEXT_BYTES};
pub use prompt::{Prompt, PromptNode, Slot, content_hash};
pub use refusal::{NodeErrors, PromptError, Refusal};
pub use template::{MAX_SEED, Template, UnknownSlot, fresh_seed};
pub use text::{JsonText, PromptText, WrittenPrompt, value_of};
pub use version::{ComfyVersion, UnknownVersion};

#[cfg(test)]
mod tests;
