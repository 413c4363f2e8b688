//! Runs, from submit to terminal status; the queue.
//!
//! ```text
//!   submit ──▶ row (Pending) + hold, one group commit
//!     Dispatcher claims rows for free workers ──▶ one JobActor per job in flight ──▶ the worker's connection
//!       reports come back ──▶ status writes ──▶ outputs + settlement + terminal status, one group commit
//! ```
//!
//! The row is the truth: an actor is a cache of it, and a sweep repeats what was lost with a process.

mod again;
mod batches;
mod cancel;
mod census;
pub(crate) mod ended;
mod files;
mod filter;
mod flight;
mod forgetting;
mod job;
mod kept_needs;
mod lists;
mod live;
mod metrics;
mod outputs;
mod provenance;
mod queue;
mod status;
mod store;
mod submit;
#[cfg(test)]
mod tests;
mod works;

pub use again::again;
pub use batches::{
    Batch, BatchItem, BatchStatus, Receiving, batch_status, batches, cancel_batch, finish_batches, open_batch,
    receive_batch, submit_item,
};
pub use cancel::{Canceled, cancel};
pub use census::{Census, census, workers};
pub use ended::{OUTPUTS_AT_ONCE, look_after_months};
pub use files::INPUTS;
pub use filter::JobFilter;
pub use flight::dispatcher::Dispatcher;
pub use forgetting::{KEYS_AT_ONCE, forget, forget_apps, forget_deleted_apps, forget_keys};
pub use job::Job;
pub use lists::{JobStatus, count, counts, find, list, status};
pub use live::event::{JobEvent, Progress};
pub use live::events::{EventBus, Subscription};
pub use live::subscribe;
pub use outputs::{Glimpse, JobOutput, OutputPiece, glimpses, outputs, undelivered};
pub use provenance::graph::{MadeWith, made_with, original, owns_graph};
pub use provenance::origin::{Origin, Setting, SettingWords, Source, label_published, origin};
pub use queue::estimates::exchange as exchange_estimates;
pub use queue::position::QueuePosition;
pub use queue::why::{Why, WhyCode, why};
pub use queue::{Queue, start};
pub use status::{Lane, Status};
pub use submit::submission::{FormSubmit, PromptSubmit, Submitted};
pub use submit::{submit_form, submit_prompt};
pub use works::{APPS_AT_ONCE, check_app, check_apps};
