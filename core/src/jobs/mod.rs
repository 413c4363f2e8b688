//! Jobs: the queue, and each job from its submit to its terminal status.
//!
//! ```text
//!   submit ──▶ row (Pending) + hold, one group commit
//!     Dispatcher claims rows for free workers ──▶ one JobActor per job in flight ──▶ the worker's connection
//!       reports come back ──▶ status writes ──▶ outputs + settlement + terminal status, one group commit
//! ```
//!
//! The row is the state of a job. An actor is a cache of it, and a sweep repairs the effects of lost processes.

mod app_checks;
mod batches;
mod cancel;
mod client_prompts;
pub(crate) mod ended;
mod erasure;
mod files;
mod filter;
mod flight;
mod job;
mod labels;
mod lists;
mod live;
mod metrics;
mod outputs;
mod price;
mod price_classes;
mod provenance;
mod queue;
mod rerun;
mod stats;
mod status;
mod store;
mod stored_needs;
mod submit;
#[cfg(test)]
mod tests;

pub use app_checks::{APPS_AT_ONCE, check_app, check_apps};
pub use batches::{
    Batch, BatchItem, BatchStatus, BatchUpload, batch_status, batches, cancel_batch, finish_batches, open_batch,
    receive_batch, submit_item,
};
pub use cancel::{Canceled, cancel};
pub use client_prompts::client_prompt::{
    ClientJob, ClientPrompt, ClientPromptFilter, PromptCall, PromptContent, Removal,
};
pub use client_prompts::{
    active_client_prompts, count_active_client_prompts, count_ended_client_prompts, ended_client_prompts,
    find_client_prompt, is_job_of_another, prompt_contents, prompt_outputs, remove_client_prompts,
};
pub use ended::{OUTPUTS_AT_ONCE, maintain_months};
pub use erasure::{KEYS_AT_ONCE, forget, forget_apps, forget_deleted_apps, forget_keys};
pub use files::INPUTS;
pub use filter::JobFilter;
pub use flight::dispatcher::Dispatcher;
pub use job::Job;
pub use labels::{JobLabels, MAX_FILTERED_LABELS, MAX_LABELS};
pub use lists::{
    AnyJobFilter, JobSearch, JobStatus, ListedJob, ListedJobs, count, counts, find, list, list_all, status,
};
pub use live::clients::{ClientJobs, client_jobs, of_client, subscribe_client};
pub use live::event::{JobEvent, JobProgress};
pub use live::events::messages::MessageSubscription;
pub use live::events::{EventBus, EventSubscription};
pub use live::subscribe;
pub use outputs::{JobOutput, JobPreview, OutputPiece, outputs, outputs_of, previews, undelivered};
pub use price_classes::class::PriceClass;
pub use price_classes::promotion::{PROMOTED_AT_ONCE, promote_due};
pub use provenance::graph::{OutputGraph, original, output_graph, owns_graph};
pub use provenance::origin::{OutputOrigin, OutputSetting, OutputSource, SettingTranslation, label_published, origin};
pub use queue::estimates::exchange as exchange_estimates;
pub use queue::position::QueuePosition;
pub use queue::why::{StatusReason, StatusReasonCode, why};
pub use queue::{Queue, start};
pub use rerun::rerun;
pub use stats::{QueueStats, queue_stats, workers};
pub use status::{Lane, Status, StatusGroup};
pub use submit::quote::{ExpectedRun, FlexQuote, Quote, quote, quote_app, quote_graph};
pub use submit::submission::{FormSubmit, PromptSubmit, RunTerms, Submitted};
pub use submit::{submit_client_prompt, submit_form, submit_prompt};
