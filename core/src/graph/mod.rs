//! Node graphs: prompts in API format, what node classes there are, and whether the one fits the other.
//!
//! Not a room: it owns no table and calls nobody. It stands lowest because mini apps, jobs and the CPU worker
//! all read graphs. It knows ComfyUI's *data* (a prompt, an `object_info`), not its messages. Everything is pure.
//!
//! What ComfyUI makes of values and what it says of a prompt is written down here once (`check`); where the platform's check and the built-in worker's differ on purpose is asked of [`Judge`].

mod check;
mod classes;
mod files;
mod layout;
mod lenient;
mod like;
mod models;
mod nested;
mod parse;
mod prompt;
mod refusal;
mod template;
mod text;

pub use check::checked::{Checked, Given, Normalised};
pub use check::judge::{Exception, Judge, OwnChecks};
pub use check::{convert, python, validate, validate_as};
pub use classes::definitions::{NodeDefinition, NodeDefinitions, OutputDefinition};
pub use classes::input::{Choice, InputDefinition, InputKind, Presence};
pub use classes::model_folder::model_folder;
pub use files::{
    Change, Medium, NodeFiles, OwnFiles, Sent, is_always_a_file, is_file_input, is_never_a_file, medium, node_files,
    public_object_info, renamed, sent,
};
pub use layout::{compacted, indented};
pub use lenient::{NotANumber, non_number, read as read_lenient, without_non_numbers};
pub use like::{Like, NoSuchVersion};
pub use models::{ModelNeed, Needs, classes, drawn_classes, models};
pub use nested::folder_of_place;
pub use parse::{MAX_DEPTH, MAX_NODES, MAX_PROMPT_BYTES, MAX_TEXT_BYTES};
pub use prompt::{Prompt, PromptNode, content_hash};
pub use refusal::{NodeTroubles, Refusal, Trouble};
pub use template::{MAX_SEED, Slot, SlotGone, Template, fresh_seed};
pub use text::{JsonText, PromptText, WrittenPrompt, value_of};

#[cfg(test)]
mod tests;
