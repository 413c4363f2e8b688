//! Finding and stopping one prompt over HTTP, with the socket perhaps gone.

use super::state::{Located, Unanswered};
use crate::comfy::{Client, Failure};

/// Where a prompt is. History is asked first because that is where an ended prompt is; the server moves a prompt from
/// the queue to the history in one step, so one that was in neither is looked for in the history once more.
pub(super) async fn locate(client: Client, prompt_id: String) -> Located {
    let prompt_id = prompt_id.as_str();
    match client.history(prompt_id).await {
        Ok(Some(ended)) => return Located::Ended(Box::new(ended)),
        Ok(None) => {}
        Err(failure) => return unanswered(&failure),
    }
    match client.queue().await {
        Ok(queue) if queue.running.iter().any(|id| id == prompt_id) => return Located::Running,
        Ok(queue) if queue.pending.iter().any(|id| id == prompt_id) => return Located::Pending,
        Ok(_) => {}
        Err(failure) => return unanswered(&failure),
    }
    match client.history(prompt_id).await {
        Ok(Some(ended)) => Located::Ended(Box::new(ended)),
        Ok(None) => Located::Absent,
        Err(failure) => unanswered(&failure),
    }
}

/// Deletes the prompt where it waits and interrupts it where it runs, and no other; then says where it is.
pub(super) async fn cancel(client: Client, prompt_id: String) -> Located {
    if let Err(failure) = client.delete(&prompt_id).await {
        return unanswered(&failure);
    }
    match client.queue().await {
        Ok(queue) if queue.running.contains(&prompt_id) => {
            if let Err(failure) = client.interrupt(&prompt_id).await {
                return unanswered(&failure);
            }
        }
        Ok(_) => {}
        Err(failure) => return unanswered(&failure),
    }
    locate(client, prompt_id).await
}

/// Deletes the prompt where it waits, and no other; then says where it is.
pub(super) async fn withdraw(client: Client, prompt_id: String) -> Located {
    match client.delete(&prompt_id).await {
        Ok(_) => locate(client, prompt_id).await,
        Err(failure) => unanswered(&failure),
    }
}

fn unanswered(failure: &Failure) -> Located {
    if matches!(failure, Failure::TooLarge { .. } | Failure::TooMany { .. }) {
        return Located::TooLarge;
    }
    Located::Unanswered(match failure {
        Failure::Refused(_) => Unanswered::Refused,
        Failure::Unreachable(_) => Unanswered::Unreachable,
        _ => Unanswered::Mute,
    })
}
