//! Events between nodes: who listens on which, and what happens where.
//!
//! A node on which somebody listens to a job that does not run there says so to all; the one that has the job sends what
//! happens to it to that node alone. Nothing is sent where nobody listens. All of it may be lost: `follow` finds in the
//! rows what matters. What another node sends counts as far as the job's row agrees: an event is told only where it comes
//! from the node and the attempt that the row names, and a status only where it is the row's.

use bytes::Bytes;
use serde::{Deserialize, Serialize};

use super::event::{JobEvent, Progress};
use super::events::Lease;
use super::outbox::Parcel;
use crate::Core;
use crate::fleet::Preview;
use crate::ids::{JobId, NodeId};
use crate::jobs::status::Status;
use crate::jobs::store;
use crate::shared::Subscription;
use crate::supervision::Watch;

/// On which all nodes hear where somebody listens.
const CHANNEL: &str = "listeners";
/// Jobs in one message.
const AT_ONCE: usize = 500;

/// Somebody listens to these jobs on a node, from after these events on.
#[derive(Serialize, Deserialize)]
struct Listens {
    on: NodeId,
    to: Vec<(JobId, Option<u64>)>,
}

/// An event as it is sent: a line of JSON, and after it the bytes of a preview.
#[derive(Serialize, Deserialize)]
struct Letter {
    from: NodeId,
    attempt: i16,
    job: JobId,
    id: u64,
    what: What,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
enum What {
    Status(i16),
    Progress(Progress),
    Preview { node: Option<String>, png: bool },
}

impl Parcel {
    /// The event as it is sent; `None` for what each node finds out by itself.
    fn into_bytes(self, from: NodeId) -> Option<Bytes> {
        let (what, rest) = match self.event {
            JobEvent::Status(status) => (What::Status(status as i16), Bytes::new()),
            JobEvent::Progress(progress) => (What::Progress(progress), Bytes::new()),
            JobEvent::Preview(Preview { node_id, content_type, bytes }) => {
                (What::Preview { node: node_id, png: content_type == PNG }, bytes)
            }
            JobEvent::Position(_) => return None,
        };
        let mut letter =
            serde_json::to_vec(&Letter { from, attempt: self.attempt, job: self.job, id: self.id, what }).ok()?;
        letter.push(b'\n');
        letter.extend_from_slice(&rest);
        Some(letter.into())
    }
}

const PNG: &str = "image/png";
const JPEG: &str = "image/jpeg";

/// An event that was sent, and which lease its sender claims.
#[derive(Debug, PartialEq)]
struct Opened {
    job: JobId,
    from: Lease,
    id: u64,
    event: JobEvent,
}

/// The event that another node has sent.
fn opened(letter: &Bytes) -> Option<Opened> {
    let end = letter.iter().position(|byte| *byte == b'\n')?;
    let Letter { from, attempt, job, id, what } = serde_json::from_slice(letter.get(..end)?).ok()?;
    let event = match what {
        What::Status(number) => JobEvent::Status(Status::from_number(number)),
        What::Progress(progress) => JobEvent::Progress(progress),
        What::Preview { node, png } => JobEvent::Preview(Preview {
            node_id: node,
            content_type: if png { PNG } else { JPEG },
            bytes: letter.slice(end + 1..),
        }),
    };
    Some(Opened { job, from: (from, attempt), id, event })
}

/// Says to all nodes that somebody listens here to jobs which run elsewhere, or will.
pub(in crate::jobs) async fn announce(core: &Core, jobs: &[(JobId, Option<u64>)]) {
    for some in jobs.chunks(AT_ONCE) {
        if let Ok(letter) = serde_json::to_vec(&Listens { on: core.node, to: some.to_vec() }) {
            core.shared.publish(CHANNEL, letter.into()).await;
        }
    }
}

/// What this node hears of others.
pub(in crate::jobs) struct Ears {
    listeners: Subscription,
    inbox: Subscription,
}

/// Hears the others from now on.
pub(in crate::jobs) fn ears(core: &Core) -> Ears {
    Ears { listeners: core.shared.subscribe(CHANNEL), inbox: core.shared.inbox(&core.node.to_string()) }
}

/// Sends and hears, until nobody can say anything any more.
pub(in crate::jobs) async fn exchange(core: &Core, ears: Ears, watch: &Watch) {
    tokio::join!(send(core), hear(core, ears.inbox, watch), heed(core, ears.listeners));
}

/// Sends what happens here to whoever listens elsewhere.
async fn send(core: &Core) {
    let outbox = core.queue.events().outbox().clone();
    while let Some(parcel) = outbox.take().await {
        let to = parcel.to.to_string();
        if let Some(letter) = parcel.into_bytes(core.node) {
            core.shared.post(&to, letter).await;
        }
    }
}

/// Tells what happens elsewhere to whoever listens here.
async fn hear(core: &Core, mut inbox: Subscription, watch: &Watch) {
    while let Some(letter) = inbox.next().await {
        watch.at("letter");
        match opened(&letter) {
            Some(opened) => tell(core, opened).await,
            None => tracing::warn!("an event of another node cannot be read"),
        }
    }
}

/// Tells an event to those who listen here, where the row of its job agrees with it.
async fn tell(core: &Core, Opened { job, from, id, event }: Opened) {
    let events = core.queue.events();
    match (events.comes_from_lease(job, from, core.clock.now()), &event) {
        (Some(true), JobEvent::Progress(_) | JobEvent::Preview(_)) => {}
        (None, _) | (Some(true), JobEvent::Status(_)) => {
            let row = match store::whereabouts(&core.db, &[job.0]).await {
                Ok(rows) => rows.into_iter().next(),
                Err(error) => return tracing::warn!(job.id = %job, %error, "an event of another node was not checked"),
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
    events.happened_elsewhere(job, id, event, core.clock.now());
}

/// Learns where somebody listens.
async fn heed(core: &Core, mut listeners: Subscription) {
    while let Some(letter) = listeners.next().await {
        let Ok(Listens { on, to }) = serde_json::from_slice::<Listens>(&letter) else {
            tracing::warn!("what another node says of its listeners cannot be read");
            continue;
        };
        if on == core.node {
            continue;
        }
        for (job, after) in to {
            core.queue.events().listened_elsewhere(on, job, after, core.clock.now());
        }
    }
}

#[cfg(test)]
mod tests;
