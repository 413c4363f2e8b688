//! Locates and stops one prompt over HTTP, without the socket.

use super::state::{LocateFailure, PromptLocation};
use crate::comfy::{Client, Failure};

/// Locates a prompt. Asks the history first, where ended prompts are. The server moves a prompt from queue to history
/// in one step, so a prompt in neither is looked up in the history again.
pub(super) async fn locate(client: Client, prompt_id: String) -> PromptLocation {
    let prompt_id = prompt_id.as_str();
    match client.history(prompt_id).await {
        Ok(Some(ended)) => return PromptLocation::Ended(Box::new(ended)),
        Ok(None) => {}
        Err(failure) => return unanswered(&failure),
    }
    match client.queue().await {
        Ok(queue) if queue.running.iter().any(|id| id == prompt_id) => return PromptLocation::Running,
        Ok(queue) if queue.pending.iter().any(|id| id == prompt_id) => return PromptLocation::Pending,
        Ok(_) => {}
        Err(failure) => return unanswered(&failure),
    }
    match client.history(prompt_id).await {
        Ok(Some(ended)) => PromptLocation::Ended(Box::new(ended)),
        Ok(None) => PromptLocation::Absent,
        Err(failure) => unanswered(&failure),
    }
}

/// Deletes the prompt if it waits, interrupts it if it runs, then locates it. Other prompts are not touched.
pub(super) async fn cancel(client: Client, prompt_id: String) -> PromptLocation {
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

/// Deletes the prompt if it waits, then locates it. Other prompts are not touched.
pub(super) async fn withdraw(client: Client, prompt_id: String) -> PromptLocation {
    match client.delete(&prompt_id).await {
        Ok(_) => locate(client, prompt_id).await,
        Err(failure) => unanswered(&failure),
    }
}

fn unanswered(failure: &Failure) -> PromptLocation {
    if matches!(failure, Failure::TooLarge { .. } | Failure::TooMany { .. }) {
        return PromptLocation::TooLarge;
    }
    PromptLocation::Unknown(match failure {
        Failure::Refused(_) => LocateFailure::Refused,
        Failure::Unreachable(_) => LocateFailure::Unreachable,
        _ => LocateFailure::Unresponsive,
    })
}
