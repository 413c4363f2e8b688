//! Follows a job to its end: by its event stream, or by polling where streams fail.

use std::time::Duration;

use futures_util::StreamExt as _;
use serde_json::Value;

use super::display::Display;
use super::sse::{Event, Parser};
use crate::cli::client::{Client, JobStatus};
use crate::cli::failure::Failure;
use crate::cli::signaled;

/// Consecutive failed streams before polling takes over.
const STREAM_ATTEMPTS: u32 = 3;
/// The specification's polling interval.
const POLL: Duration = Duration::from_secs(2);
/// A stream is dead when not even a heartbeat (every 15 s) arrived for this long.
const SILENCE: Duration = Duration::from_secs(45);
/// How long a canceled job may take to end before the command gives up waiting.
const CANCEL_GRACE: Duration = Duration::from_secs(15);
/// Consecutive failed polls (a restarting server) before the command gives up.
const POLL_FAILURES: u32 = 30;

/// Waits for the terminal status and shows progress. An interrupt cancels the job.
pub async fn until_end(client: &Client, job: &str, display: &Display) -> Result<JobStatus, Failure> {
    tokio::select! {
        status = watch(client, job, display) => status,
        () = signaled() => cancel(client, job, display).await,
    }
}

async fn cancel(client: &Client, job: &str, display: &Display) -> Result<JobStatus, Failure> {
    display.canceling(job);
    tokio::select! {
        canceled = client.cancel(job) => canceled?,
        () = signaled() => return Err(Failure::interrupted()),
    }
    let ended = tokio::time::timeout(CANCEL_GRACE, poll(client, job, display, Duration::from_millis(250)));
    tokio::select! {
        ended = ended => match ended {
                  // The job was done before the cancellation arrived: its outputs are there and paid for.
            Ok(Ok(status)) if status.status == "Done" => Ok(status),
            Ok(Err(failure)) => Err(failure),
            Ok(Ok(_)) | Err(_) => Err(Failure::interrupted()),
        },
        () = signaled() => Err(Failure::interrupted()),
    }
}

async fn watch(client: &Client, job: &str, display: &Display) -> Result<JobStatus, Failure> {
    let mut last_id: Option<String> = None;
    let mut broken = 0;
    while broken < STREAM_ATTEMPTS {
        let before = last_id.clone();
        if let Some(status) = stream(client, job, &mut last_id, display).await {
            return Ok(status);
        }
        // A stream that delivered an event resets the counter.
        broken = if last_id == before { broken + 1 } else { 1 };
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
    poll(client, job, display, POLL).await
}

/// Reads one stream; `None` if it ended or failed before the job did.
async fn stream(client: &Client, job: &str, last_id: &mut Option<String>, display: &Display) -> Option<JobStatus> {
    let mut body = client.events(job, last_id.as_deref()).await.ok()?.bytes_stream();
    let mut parser = Parser::default();
    while let Ok(Some(Ok(chunk))) = tokio::time::timeout(SILENCE, body.next()).await {
        for event in parser.push(&chunk) {
            if event.id.is_some() {
                last_id.clone_from(&event.id);
            }
            if let Some(status) = show(&event, display).filter(JobStatus::is_terminal) {
                return Some(status);
            }
        }
    }
    None
}

/// Shows one event; returns a status.
fn show(event: &Event, display: &Display) -> Option<JobStatus> {
    let data: Value = serde_json::from_str(&event.data).ok()?;
    match event.name.as_str() {
        "status" => {
            let status: JobStatus = serde_json::from_value(data).ok()?;
            display.status(&status);
            return Some(status);
        }
        "queue" => display.queue(&data),
        "progress" => display.progress(&data),
        "preview" => display.preview(&data),
        _ => {}
    }
    None
}

async fn poll(client: &Client, job: &str, display: &Display, every: Duration) -> Result<JobStatus, Failure> {
    let mut failures = 0;
    loop {
        match client.status(job).await {
            Ok(status) => {
                failures = 0;
                display.status(&status);
                status.queue.as_ref().inspect(|queue| display.queue(queue));
                status.progress.as_ref().inspect(|progress| display.progress(progress));
                if status.is_terminal() {
                    return Ok(status);
                }
            }
            Err(failure)
                if failure
                    .code
                    .as_deref()
                    .is_some_and(|code| matches!(code, "NOT_FOUND" | "API_KEY_INVALID" | "FORBIDDEN")) =>
            {
                return Err(failure);
            }
            Err(failure) => {
                failures += 1;
                if failures >= POLL_FAILURES {
                    return Err(failure);
                }
            }
        }
        tokio::time::sleep(every).await;
    }
}
