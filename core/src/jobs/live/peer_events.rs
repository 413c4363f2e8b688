//! Job events between nodes.
//!
//! A node with listeners of jobs that run elsewhere announces them to all nodes. The node that runs such a job sends its
//! events to the announcing node only. Messages may be lost: `follow` reads the same from the rows. A received event
//! counts only if the job's row agrees: its sender and attempt hold the lease, and a status is that of the row.

use bytes::Bytes;
use serde::{Deserialize, Serialize};

use super::event::{JobEvent, JobProgress};
use super::events::LeaseHolder;
use super::outbox::OutboxEntry;
use crate::Core;
use crate::fleet::{ClientMessage, Preview, Retention};
use crate::ids::{JobId, NodeId};
use crate::jobs::status::Status;
use crate::jobs::store;
use crate::shared::ChannelSubscription;
use crate::supervision::Watch;

/// Channel on which nodes announce their listeners.
const CHANNEL: &str = "listeners";
/// Jobs in one message.
const MAX_JOBS: usize = 500;

const PNG: &str = "image/png";
const JPEG: &str = "image/jpeg";

/// Jobs that a node has listeners for, each with the last event that the listener has seen.
#[derive(Serialize, Deserialize)]
struct ListenerAnnouncement {
    on: NodeId,
    to: Vec<(JobId, Option<u64>)>,
    /// Those of them whose worker messages have listeners too.
    #[serde(default)]
    messages: Vec<JobId>,
}

/// The header of an event message: a line of JSON, followed by the bytes of a preview.
#[derive(Serialize, Deserialize)]
struct PeerEvent {
    from: NodeId,
    attempt: i16,
    job: JobId,
    id: u64,
    what: PeerEventKind,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
enum PeerEventKind {
    Status(i16),
    Progress(JobProgress),
    Preview { node: Option<String>, png: bool },
    Client { kind: String, retention: Retention },
}

impl OutboxEntry {
    /// `None` for positions, which each node computes.
    fn encode(self, from: NodeId) -> Option<Bytes> {
        let (what, rest) = match self.event {
            JobEvent::Status(status) => (PeerEventKind::Status(status as i16), Bytes::new()),
            JobEvent::Progress(progress) => (PeerEventKind::Progress(progress), Bytes::new()),
            JobEvent::Preview(Preview { node_id, content_type, bytes }) => {
                (PeerEventKind::Preview { node: node_id, png: content_type == PNG }, bytes)
            }
            JobEvent::Client(ClientMessage { kind, retention, body }) => {
                (PeerEventKind::Client { kind, retention }, body)
            }
            JobEvent::Position(_) => return None,
        };
        let header = PeerEvent { from, attempt: self.attempt, job: self.job, id: self.id, what };
        let mut message = serde_json::to_vec(&header).ok()?;
        message.push(b'\n');
        message.extend_from_slice(&rest);
        Some(message.into())
    }
}

/// An event of another node, with the lease that its sender claims.
#[derive(Debug, PartialEq)]
struct ReceivedEvent {
    job: JobId,
    from: LeaseHolder,
    id: u64,
    event: JobEvent,
}

fn decode(message: &Bytes) -> Option<ReceivedEvent> {
    let end = message.iter().position(|byte| *byte == b'\n')?;
    let PeerEvent { from, attempt, job, id, what } = serde_json::from_slice(message.get(..end)?).ok()?;
    let event = match what {
        PeerEventKind::Status(number) => JobEvent::Status(Status::from_number(number)),
        PeerEventKind::Progress(progress) => JobEvent::Progress(progress),
        PeerEventKind::Preview { node, png } => JobEvent::Preview(Preview {
            node_id: node,
            content_type: if png { PNG } else { JPEG },
            bytes: message.slice(end + 1..),
        }),
        PeerEventKind::Client { kind, retention } => {
            JobEvent::Client(ClientMessage { kind, retention, body: message.slice(end + 1..) })
        }
    };
    Some(ReceivedEvent { job, from: (from, attempt), id, event })
}

/// Announces listeners of this node to all nodes.
pub(in crate::jobs) async fn announce(core: &Core, jobs: &[(JobId, Option<u64>)]) {
    for some in jobs.chunks(MAX_JOBS) {
        let messages = core.queue.events().with_message_listeners(some.iter().map(|(job, _)| *job));
        let announcement = ListenerAnnouncement { on: core.node, to: some.to_vec(), messages };
        if let Ok(message) = serde_json::to_vec(&announcement) {
            core.shared.publish(CHANNEL, message.into()).await;
        }
    }
}

pub(in crate::jobs) struct PeerSubscriptions {
    announcements: ChannelSubscription,
    events: ChannelSubscription,
}

pub(in crate::jobs) fn subscribe(core: &Core) -> PeerSubscriptions {
    PeerSubscriptions {
        announcements: core.shared.subscribe(CHANNEL),
        events: core.shared.inbox(&core.node.to_string()),
    }
}

/// Sends and receives events until the subscriptions end.
pub(in crate::jobs) async fn exchange(core: &Core, peers: PeerSubscriptions, watch: &Watch) {
    tokio::join!(send(core), handle_events(core, peers.events, watch), handle_announcements(core, peers.announcements));
}

/// Sends the outbox.
async fn send(core: &Core) {
    let outbox = core.queue.events().outbox().clone();
    while let Some(entry) = outbox.take().await {
        let to = entry.to.to_string();
        if let Some(message) = entry.encode(core.node) {
            core.shared.post(&to, message).await;
        }
    }
}

async fn handle_events(core: &Core, mut events: ChannelSubscription, watch: &Watch) {
    while let Some(message) = events.next().await {
        watch.at("message");
        match decode(&message) {
            Some(event) => handle_event(core, event).await,
            None => tracing::warn!("an event from another node cannot be read"),
        }
    }
}

/// Publishes an event to this node's listeners if the row of its job agrees with it.
async fn handle_event(core: &Core, ReceivedEvent { job, from, id, event }: ReceivedEvent) {
    let events = core.queue.events();
    match (events.is_lease_holder(job, from, core.clock.now()), &event) {
        (Some(true), JobEvent::Progress(_) | JobEvent::Preview(_) | JobEvent::Client(_)) => {}
        (None, _) | (Some(true), JobEvent::Status(_)) => {
            let row = match store::locations(&core.db, &[job.0]).await {
                Ok(rows) => rows.into_iter().next(),
                Err(error) => {
                    return tracing::warn!(job.id = %job, %error, "an event from another node could not be checked");
                }
            };
            let Some(row) = row else { return };
            events.note_lease(job, row.lease, core.clock.now());
            let agrees = match &event {
                JobEvent::Status(status) => *status == row.status,
                _ => row.lease == Some(from),
            };
            if !agrees {
                return;
            }
        }
        _ => return,
    }
    events.publish_from_peer(job, id, event, core.clock.now());
}

async fn handle_announcements(core: &Core, mut announcements: ChannelSubscription) {
    while let Some(message) = announcements.next().await {
        let Ok(ListenerAnnouncement { on, to, messages }) = serde_json::from_slice(&message) else {
            tracing::warn!("an announcement of listeners from another node cannot be read");
            continue;
        };
        if on == core.node {
            continue;
        }
        for (job, after) in to {
            core.queue.events().add_remote_listener(on, job, after, core.clock.now());
        }
        for job in messages {
            core.queue.events().add_remote_message_listener(on, job, core.clock.now());
        }
    }
}

#[cfg(test)]
mod tests;
