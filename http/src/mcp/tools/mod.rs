//! The tools. Each reads its arguments, calls the verbs that the REST calls use, and returns what an assistant needs.

mod account;
mod apps;
mod jobs;
mod outputs;
mod own;
mod prices;
mod runs;
mod uploads;

use serde_json::value::RawValue;

use super::arguments::read;
use super::failure::Failure;
use super::outcome::{Context, Outcome, ToolResult, Waiting};
use super::schema::ToolKind;

/// Calls a tool.
pub async fn call(context: &Context, tool: ToolKind, arguments: Option<&RawValue>) -> Result<Outcome, Failure> {
    match tool {
        ToolKind::SearchApps => apps::search(context, read(arguments)?).await.map(Outcome::Done),
        ToolKind::GetApp => apps::find(context, read(arguments)?).await.map(Outcome::Done),
        ToolKind::Quote => prices::quote(context, read(arguments)?).await.map(Outcome::Done),
        ToolKind::UploadInput => uploads::upload(context, read(arguments)?).await.map(Outcome::Done),
        ToolKind::RunApp => runs::run_app(context, read(arguments)?).await.map(Outcome::Wait),
        ToolKind::RunMany => runs::run_many(context, read(arguments)?).await.map(Outcome::Done),
        ToolKind::SubmitWorkflow => runs::submit_workflow(context, read(arguments)?).await.map(Outcome::Wait),
        ToolKind::GetJob => jobs::find(context, read(arguments)?).await.map(Outcome::Done),
        ToolKind::WaitForJob => jobs::wait(context, read(arguments)?).await.map(Outcome::Wait),
        ToolKind::GetOutputs => outputs::outputs(context, read(arguments)?).await.map(Outcome::Done),
        ToolKind::CancelJob => jobs::cancel(context, read(arguments)?).await.map(Outcome::Done),
        ToolKind::ListJobs => jobs::list(context, read(arguments)?).await.map(Outcome::Done),
        ToolKind::GetAccount => account::find(context, read(arguments)?).await.map(Outcome::Done),
    }
}

/// The result of a wait: the job as it is now, with its outputs if it has made them.
pub async fn waited(context: &Context, waiting: &Waiting) -> Result<ToolResult, Failure> {
    jobs::waited(context, waiting).await
}
