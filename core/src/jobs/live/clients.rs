//! Clients that submit prompts and follow them over a socket. A client chooses its id, so it only means something
//! together with the account.

use chrono::Duration;
use serde::Deserialize;
use serde_json::Value;

use super::events::messages::MessageSubscription;
use super::events::{EventSubscription, first_id_at};
use crate::graph::read_lenient;
use crate::ids::{JobId, UserId};
use crate::jobs::client_prompts;
use crate::jobs::client_prompts::client_prompt::ClientJob;
use crate::jobs::lists::JobStatus;
use crate::jobs::status::Status;
use crate::shared::ChannelSubscription;
use crate::{Caller, Core, Result};

/// How long after its submit a job is still of interest to a client that reconnects.
const RECENT: Duration = Duration::hours(24);
/// Jobs that a client gets after a reconnect.
const MAX_RECENT: i64 = 100;
/// The key of the client's id in the `extra_data` of a prompt, as in ComfyUI.
const CLIENT_ID: &str = "client_id";

/// The future submits of an account's clients, on all nodes.
pub struct ClientJobs(ChannelSubscription);

impl ClientJobs {
    /// The next submit; `None` if the node stops. Cancel-safe.
    pub async fn next(&mut self) -> Option<ClientJob> {
        loop {
            if let Ok(job) = serde_json::from_slice(&self.0.next().await?) {
                return Some(job);
            }
        }
    }
}

/// The client that a prompt's `extra_data` names. It gets the messages of the prompt's worker.
pub(in crate::jobs) fn client_in(extra_data: &str) -> Option<String> {
    // The graph in it can be large, and most submits name no client.
    if !extra_data.contains(CLIENT_ID) {
        return None;
    }
    #[derive(Deserialize)]
    struct ExtraData {
        client_id: Option<Value>,
    }
    let extra = read_lenient::<ExtraData>(extra_data.as_bytes()).ok()?;
    extra.client_id?.as_str().filter(|client| !client.is_empty()).map(str::to_owned)
}

/// Announces a job to the sockets of its account.
pub(in crate::jobs) async fn announce(core: &Core, user: UserId, job: ClientJob) {
    if let Ok(message) = serde_json::to_vec(&job) {
        core.shared.publish(&channel(user), message.into()).await;
    }
}

/// Subscribes to the submits of the caller's clients. A lost message is not repeated: read [`of_client`] from time to
/// time.
///
/// # Errors
/// [`crate::Error::LoginRequired`] for a guest.
pub fn client_jobs(core: &Core, caller: &Caller) -> Result<ClientJobs> {
    Ok(ClientJobs(core.shared.subscribe(&channel(caller.signed_in()?))))
}

/// The jobs that a client of the caller submitted during the last day, oldest first, with their statuses. `None`: that
/// any client submitted.
///
/// # Errors
/// [`crate::Error::LoginRequired`] for a guest.
pub async fn of_client(core: &Core, caller: &Caller, client: Option<&str>) -> Result<Vec<(ClientJob, Status)>> {
    let user = caller.signed_in()?;
    let since = core.clock.now() - RECENT;
    let mut jobs = client_prompts::store::recent_of_client(&core.db, user, client, since, MAX_RECENT).await?;
    jobs.reverse();
    Ok(jobs)
}

/// Subscribes to the events of a job and to its worker's messages, and returns the current status.
///
/// # Errors
/// [`crate::Error::NotFound`] where the job does not exist or belongs to another account.
pub async fn subscribe_client(
    core: &Core,
    caller: &Caller,
    job: JobId,
) -> Result<(JobStatus, EventSubscription, MessageSubscription)> {
    // Before the announcement to other nodes, which tells them what this node listens to.
    let messages = core.queue.events().subscribe_messages(job);
    let now = first_id_at(core.clock.now());
    match super::subscribe(core, caller, job, Some(now)).await {
        Ok((status, events)) => Ok((status, events, messages)),
        Err(error) => {
            drop(messages);
            core.queue.events().remove_unused(job);
            Err(error)
        }
    }
}

fn channel(user: UserId) -> String {
    format!("client-jobs:{user}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn client_is_read_from_the_extra_data() {
        for (extra, client) in [
            (r#"{"client_id":"abc","extra_pnginfo":{"workflow":{"x":NaN}}}"#, Some("abc")),
            (r#"{"extra_pnginfo":{"workflow":{"client_id":"inner"}}}"#, None),
            (r#"{"client_id":""}"#, None),
            (r#"{"client_id":7}"#, None),
            (r#"{"client_id":"abc""#, None),
            ("{}", None),
        ] {
            assert_eq!(client_in(extra).as_deref(), client, "{extra}");
        }
    }
}
