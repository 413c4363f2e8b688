//! Messages between the dispatchers of the nodes. A message may be lost: the sweep finds the same in the rows, some
//! seconds later.

use actix::{Message, Recipient};
use serde::{Deserialize, Serialize};

use crate::Core;
use crate::ids::{JobId, NodeId};
use crate::jobs::status::Lane;
use crate::shared::ChannelSubscription;
use crate::supervision::Watch;

const CHANNEL: &str = "queue";

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Message)]
#[serde(rename_all = "camelCase")]
#[rtype(result = "()")]
pub(in crate::jobs) enum PeerMessage {
    /// The sender's counts of waiting jobs in the lanes of pools, for which it has no free worker.
    Waits(Vec<(String, Lane, i64)>),
    /// Stop this job, which is not in flight on the sender.
    Stop(JobId),
}

#[derive(Serialize, Deserialize)]
struct Envelope {
    from: NodeId,
    #[serde(rename = "news")]
    message: PeerMessage,
}

pub(in crate::jobs) async fn publish(core: &Core, message: PeerMessage) {
    match serde_json::to_vec(&Envelope { from: core.node, message }) {
        Ok(bytes) => core.shared.publish(CHANNEL, bytes.into()).await,
        Err(error) => tracing::error!(%error, "a message to other nodes cannot be serialized"),
    }
}

pub(in crate::jobs) fn subscribe(core: &Core) -> ChannelSubscription {
    core.shared.subscribe(CHANNEL)
}

/// Forwards the messages of other nodes until the subscription ends.
pub(in crate::jobs) async fn listen(
    node: NodeId,
    mut messages: ChannelSubscription,
    to: Recipient<PeerMessage>,
    watch: Watch,
) {
    while let Some(bytes) = messages.next().await {
        watch.at("message");
        match serde_json::from_slice::<Envelope>(&bytes) {
            // If the mailbox is full, the sweep finds the same in the rows.
            Ok(Envelope { from, message }) if from != node => drop(to.try_send(message)),
            Ok(_) => {}
            Err(error) => tracing::warn!(%error, "a message from another node cannot be read"),
        }
    }
}
