//! What the nodes of an installation tell each other of the queue: where jobs wait that no worker of the teller is free
//! for, and which job to stop. A message may be lost; the sweep finds the same in the rows, some seconds later.

use actix::{Message, Recipient};
use serde::{Deserialize, Serialize};

use crate::Core;
use crate::ids::{JobId, NodeId};
use crate::jobs::status::Lane;
use crate::shared::Subscription;
use crate::supervision::Watch;

const CHANNEL: &str = "queue";

/// PeerMessage of the queue from another node.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Message)]
#[serde(rename_all = "camelCase")]
#[rtype(result = "()")]
pub(in crate::jobs) enum PeerMessage {
    /// How many jobs wait in lanes of pools, as the teller counts them.
    Waits(Vec<(String, Lane, i64)>),
    /// This job is to stop, and it is not in flight where that was asked.
    Stop(JobId),
}

#[derive(Serialize, Deserialize)]
struct Letter {
    from: NodeId,
    news: PeerMessage,
}

/// Tells the other nodes.
pub(in crate::jobs) async fn tell(core: &Core, news: PeerMessage) {
    match serde_json::to_vec(&Letter { from: core.node, news }) {
        Ok(letter) => core.shared.publish(CHANNEL, letter.into()).await,
        Err(error) => tracing::error!(%error, "news of the queue cannot be written"),
    }
}

/// The news that are told from now on.
pub(in crate::jobs) fn subscribe(core: &Core) -> Subscription {
    core.shared.subscribe(CHANNEL)
}

/// Hands on what other nodes tell, until nobody can tell any more.
pub(in crate::jobs) async fn listen(node: NodeId, mut letters: Subscription, to: Recipient<PeerMessage>, watch: Watch) {
    while let Some(letter) = letters.next().await {
        watch.at("letter");
        match serde_json::from_slice::<Letter>(&letter) {
            // What does not fit in the mailbox is found by the sweep.
            Ok(Letter { from, news }) if from != node => drop(to.try_send(news)),
            Ok(_) => {}
            Err(error) => tracing::warn!(%error, "news of the queue cannot be read"),
        }
    }
}
