//! `verdigraph run --batch`: sends a file of items, resumes after interruptions, and waits for the jobs.
//!
//! The file's content names the batch, and each item has its own key: an item that is sent twice is answered with the
//! existing job. After a lost connection only unanswered items are sent again.

mod file;
mod tally;

use std::path::Path;
use std::time::Duration;

use futures_util::StreamExt as _;
use serde_json::Value;

use self::file::BatchFile;
use self::tally::Tally;
use crate::cli::client::Client;
use crate::cli::failure::Failure;
use crate::cli::signaled;

/// Consecutive attempts without progress before the command gives up.
const TRIES: u32 = 8;
/// Longest wait between two attempts, whatever `Retry-After` says.
const LONGEST_WAIT: Duration = Duration::from_secs(30);
/// An upload is dead when it got no answer for this long.
const SILENCE: Duration = Duration::from_secs(60);
/// Polling interval while the batch's jobs run.
const LOOK: Duration = Duration::from_secs(2);

/// Options of the command.
pub struct Batch<'a> {
    pub path: &'a Path,
    /// Where the answers are written, one line per item.
    pub out: Option<&'a Path>,
    pub wait: bool,
    pub json: bool,
}

/// Sends the file until every item has a final answer; with `wait`, until every job has ended.
///
/// # Errors
/// Some items were refused or some jobs are not Done (exit 1); the file cannot be read (2); the server refuses the
/// batch or is gone (3); interrupted (130).
pub async fn run(client: &Client, batch: Batch<'_>) -> Result<(), Failure> {
    let file = BatchFile::read(batch.path).await?;
    let mut tally = Tally::new(file.lines.len(), batch.json);
    let mut id = None;
    let worked = tokio::select! {
        worked = work(client, &file, &batch, &mut tally, &mut id) => worked,
        () = signaled() => Err(interrupted()),
    };
    tally.finish(id.as_deref());
    if let Some(out) = batch.out {
        tally.write(out)?;
    }
    let statuses = worked?;
    let failed: u64 = statuses.iter().filter(|(name, _)| name != "Done").map(|(_, count)| count).sum();
    match (tally.refused(), failed) {
        (0, 0) => Ok(()),
        (0, failed) => Err(unfinished(format!("{failed} jobs ended otherwise than Done"))),
        (refused, 0) => Err(unfinished(format!("{refused} items were refused; mend them and send the file again"))),
        (refused, failed) => Err(unfinished(format!("{refused} items were refused, {failed} jobs ended otherwise"))),
    }
}

/// Sends the batch; with `wait`, returns the jobs' statuses.
async fn work(
    client: &Client,
    file: &BatchFile,
    batch: &Batch<'_>,
    tally: &mut Tally,
    id: &mut Option<String>,
) -> Result<Vec<(String, u64)>, Failure> {
    send(client, file, tally, id).await?;
    match id {
        Some(id) if batch.wait && tally.accepted() > 0 => wait(client, id, tally).await,
        _ => Ok(Vec::new()),
    }
}

async fn send(client: &Client, file: &BatchFile, tally: &mut Tally, id: &mut Option<String>) -> Result<(), Failure> {
    let mut tries = 0;
    let mut pause = Duration::from_millis(500);
    loop {
        let open = tally.open(&file.lines);
        if open.is_empty() {
            return Ok(());
        }
        let before = tally.progress();
        let outcome = upload(client, file, open, tally, id).await;
        if let Err(failure) = &outcome
            && !is_passing(failure, tries == 0 && id.is_none())
        {
            return Err(advised(outcome.err()));
        }
        if tally.progress() == before {
            tries += 1;
        } else {
            (tries, pause) = (0, Duration::from_millis(500));
        }
        if tally.open(&file.lines).is_empty() {
            return Ok(());
        }
        if tries >= TRIES {
            return Err(advised(outcome.err()));
        }
        let wait = tally.wait().unwrap_or(pause).max(pause).min(LONGEST_WAIT);
        let left = tally.open(&file.lines).len();
        let why = outcome.err().map_or_else(|| "the server is busy".to_owned(), |failure| failure.message);
        tally.say(&format!("{left} items are sent again in {:.1} s ({why})", wait.as_secs_f64()));
        tokio::time::sleep(wait).await;
        pause = (pause * 2).min(LONGEST_WAIT);
    }
}

/// Sends these lines once and records the answers as they arrive.
async fn upload(
    client: &Client,
    file: &BatchFile,
    lines: Vec<usize>,
    tally: &mut Tally,
    id: &mut Option<String>,
) -> Result<(), Failure> {
    let body = reqwest::Body::wrap_stream(file.upload(lines.clone()).await?);
    let response = client.upload_batch(&file.key, body).await?;
    let mut pieces = response.bytes_stream();
    let mut rest = Vec::new();
    loop {
        let piece = tokio::time::timeout(SILENCE, pieces.next()).await;
        let piece = piece.map_err(|_| Failure::server("the server fell silent"))?;
        let Some(piece) = piece else { return Err(Failure::server("the connection broke off")) };
        rest.extend(piece?);
        while let Some(end) = rest.iter().position(|byte| *byte == b'\n') {
            let line: Vec<u8> = rest.drain(..=end).collect();
            let answer: Value = serde_json::from_slice(&line)
                .map_err(|error| Failure::server(format!("an answer that cannot be read: {error}")))?;
            if let Some(batch) = answer["batch"].as_str() {
                *id = Some(batch.to_owned());
            }
            if answer["complete"] == true {
                tally.show();
                return Ok(());
            }
            let place = answer["line"].as_u64().and_then(|line| usize::try_from(line).ok()?.checked_sub(1));
            if let Some(line) = place.and_then(|place| lines.get(place)) {
                tally.note(*line, answer);
            }
        }
        tally.show();
    }
}

/// Waits until no job of the batch is pending or running.
async fn wait(client: &Client, id: &str, tally: &mut Tally) -> Result<Vec<(String, u64)>, Failure> {
    let mut failures = 0;
    loop {
        match client.get(&format!("/api/general/job/batch/{id}")).await {
            Ok(status) => {
                failures = 0;
                tally.show_jobs(&status);
                if status["active"] == 0 {
                    let counts = status["statuses"].as_object().into_iter().flatten();
                    return Ok(counts.map(|(name, count)| (name.clone(), count.as_u64().unwrap_or(0))).collect());
                }
            }
            Err(failure) if is_passing(&failure, false) && failures < 30 => failures += 1,
            Err(failure) => return Err(failure),
        }
        tokio::time::sleep(LOOK).await;
    }
}

/// Whether another attempt may help. A refused connection at the start is final: no server is running.
fn is_passing(failure: &Failure, at_start: bool) -> bool {
    match failure.code.as_deref() {
        Some("RATE_LIMITED" | "UNAVAILABLE" | "INTERNAL") => true,
        Some(_) => false,
        None => failure.exit == 3 && !(at_start && failure.message.starts_with("no server answers")),
    }
}

/// A failure with advice.
fn advised(failure: Option<Failure>) -> Failure {
    let failure = failure.unwrap_or_else(|| Failure::server("the server stayed busy"));
    let advice = match failure.code.as_deref() {
        Some("BATCH_CANCELED") => "; give the items new keys to run them again",
        None | Some("RATE_LIMITED" | "UNAVAILABLE") => {
            "; nothing is lost: run the same command again, and it goes on where it stopped"
        }
        Some(_) => "",
    };
    Failure { message: format!("{}{advice}", failure.message), ..failure }
}

fn unfinished(message: String) -> Failure {
    Failure { exit: 1, code: None, message }
}

fn interrupted() -> Failure {
    let message = "interrupted; accepted jobs go on, and the same command goes on with the rest".to_owned();
    Failure { exit: 130, code: None, message }
}
