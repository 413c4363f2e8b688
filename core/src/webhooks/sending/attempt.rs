//! One attempt at an address.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::signing::signature;
use super::store::{Address, AttemptResult, DueDelivery};
use crate::Core;
use crate::outbound::{DeliveryResponse, OutboundError, OutboundMessage, Purpose, Target};
use crate::webhooks::state::{AttemptOutcome, next};

/// Bytes that are kept of a response.
const KEPT_BYTES: usize = 4096;

/// An address, and where its URL leads.
pub(super) struct Destination {
    pub address: Address,
    target: Result<Target, OutboundError>,
}

impl Destination {
    /// The URL of a busy address is parsed once, and not for each statement that reads the address again.
    pub fn new(core: &Core, address: Address, former: Option<&Self>) -> Self {
        let same = former.filter(|former| former.address.url == address.url);
        let target = same.map_or_else(|| core.outbound.target(&address.url, purpose(core)), |same| same.target.clone());
        Self { address, target }
    }
}

/// Makes one attempt.
pub(super) async fn tried(core: &Core, destination: &Destination, due: DueDelivery) -> (AttemptResult, AttemptOutcome) {
    let at = core.clock.now();
    let answer = send(core, destination, &due, at).await;
    let now = core.clock.now();
    let outcome = match &answer {
        Ok(answer) => AttemptOutcome::of_answer(answer.status, answer.retry_after),
        Err(_) => AttemptOutcome::Refused { retry_after: None },
    };
    let next = next(due.attempts, outcome, &core.settings.webhooks.retry_seconds, now, rand::random());
    let (response, response_body, error) = match answer {
        Ok(answer) => (i16::try_from(answer.status).ok(), answer.body, None),
        Err(blocked) => (None, String::new(), Some(blocked.to_string())),
    };
    let tried = AttemptResult {
        id: Uuid::now_v7(),
        delivery: due.id,
        number: due.attempts,
        at,
        responded_at: response.map(|_| now),
        response,
        is_success: outcome == AttemptOutcome::Accepted,
        response_body,
        error,
        next,
    };
    (tried, outcome)
}

async fn send(
    core: &Core,
    destination: &Destination,
    due: &DueDelivery,
    at: DateTime<Utc>,
) -> Result<DeliveryResponse, OutboundError> {
    let target = destination.target.as_ref().map_err(Clone::clone)?;
    let (id, timestamp) = (due.event_id.to_string(), at.timestamp());
    let signature = signature(destination.address.secrets(at), &id, timestamp, &due.body);
    let name = format!("{id}.json");
    let headers = [
        ("user-agent", "Verdigraph-Webhooks/1".to_owned()),
        ("webhook-id", id),
        ("webhook-timestamp", timestamp.to_string()),
        ("webhook-signature", signature),
    ];
    let message = OutboundMessage { name: &name, content_type: "application/json", headers: &headers, body: &due.body };
    core.outbound.deliver(target, message, KEPT_BYTES).await
}

/// The kind of address that the operator allows.
pub(in crate::webhooks) fn purpose(core: &Core) -> Purpose {
    if core.settings.webhooks.https_only { Purpose::SecureDelivery } else { Purpose::Delivery }
}
