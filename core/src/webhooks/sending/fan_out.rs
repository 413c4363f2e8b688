//! Creates deliveries from the log of events.
//!
//! The head of the log is locked and moved in the transaction that inserts the deliveries, so that each event is queued
//! once, even if several nodes run this and one dies.

use std::collections::{HashMap, HashSet};

use uuid::Uuid;

use crate::database;
use crate::events::{self, Event, EventKind};
use crate::ids::{UserId, WebhookConfigId, WorkflowApiId, WorkflowApiVersionId};
use crate::webhooks::store::configs::Subscriber;
use crate::webhooks::store::{configs, deliveries};
use crate::{Core, Result, mini_apps};

/// Events that are read in one transaction.
const AT_ONCE: i64 = 1000;
/// Events of subscribers among them that are queued while submits wait for their commits. One page a second then passes
/// ([`super::give_way`]), and an endpoint sends fewer than this: more rows would only take time from the submits.
const QUEUED_BESIDE_SUBMITS: usize = 250;

/// Queues new events; returns the webhooks that got deliveries.
pub(in crate::webhooks) async fn run(core: &Core) -> Result<HashSet<WebhookConfigId>> {
    let mut queued = HashSet::new();
    loop {
        let last = events::last(core).await?;
        if deliveries::head(&core.db).await? >= last {
            return Ok(queued);
        }
        let mut tx = database::begin(&core.db).await?;
        let Some(head) = deliveries::lock_head(&mut tx).await? else { return Ok(queued) };
        if head.position >= last {
            // Dropping the transaction would free the head some time later, and the next round would skip it.
            tx.rollback().await?;
            return Ok(queued);
        }
        if !head.has_configs {
            deliveries::set_head(&mut tx, last).await?;
            tx.commit().await?;
            return Ok(queued);
        }
        let mut page = events::between(core, head.position, last, AT_ONCE).await?;
        let mut has_more = page.len() >= usize::try_from(AT_ONCE).unwrap_or(0);
        let mut users: Vec<Uuid> = page.iter().map(|event| event.user.0).collect();
        users.sort_unstable();
        users.dedup();
        let subscribers = configs::subscribers(&mut tx, &users).await?;
        if core.ledger.is_crowded() {
            has_more |= cut(&mut page, &subscribers, QUEUED_BESIDE_SUBMITS);
        }
        let new = new_deliveries(core, &page, &subscribers).await?;
        if !new.is_empty() {
            deliveries::insert(&mut tx, &new, core.clock.now()).await?;
        }
        let next = page.last().filter(|_| has_more);
        deliveries::set_head(&mut tx, next.map_or(last, |event| event.position)).await?;
        tx.commit().await?;
        queued.extend(new.iter().map(|one| one.config));
        // Later events are announced. While submits wait, the rest waits for the next round, so that this one does not keep
        // leases from being renewed.
        if next.is_none() || core.ledger.is_crowded() {
            return Ok(queued);
        }
    }
}

/// Leaves the beginning of the page with at most this many events of subscribers; returns whether there were more.
fn cut(page: &mut Vec<Event>, subscribers: &[Subscriber], most: usize) -> bool {
    let users: HashSet<UserId> = subscribers.iter().map(|subscriber| subscriber.user).collect();
    let mut count = 0;
    let end = page.iter().position(|event| {
        count += usize::from(users.contains(&event.user));
        count > most
    });
    page.truncate(end.unwrap_or(page.len()));
    end.is_some()
}

async fn new_deliveries(
    core: &Core,
    page: &[Event],
    subscribers: &[Subscriber],
) -> Result<Vec<deliveries::NewDelivery>> {
    let mut of_user: HashMap<UserId, Vec<&Subscriber>> = HashMap::new();
    for subscriber in subscribers {
        of_user.entry(subscriber.user).or_default().push(subscriber);
    }
    let wanted = page.iter().filter(|event| of_user.contains_key(&event.user));
    let mut versions: Vec<WorkflowApiVersionId> = wanted.clone().filter_map(|event| event.about.version).collect();
    versions.sort_unstable();
    versions.dedup();
    let apps: HashMap<_, WorkflowApiId> =
        mini_apps::versions(core, &versions).await?.into_iter().map(|(version, app)| (version, app.id)).collect();
    let base = core.settings.public_url();
    let mut new = Vec::new();
    for event in wanted {
        let app = event.about.workflow_api.or_else(|| apps.get(&event.about.version?).copied());
        let mut body = None;
        for subscriber in of_user.get(&event.user).into_iter().flatten().filter(|one| wants(one, event, app)) {
            let body = body
                .get_or_insert_with(|| serde_json::to_string(&events::envelope(event, app, &base)).unwrap_or_default());
            new.push(deliveries::NewDelivery {
                id: Uuid::now_v7(),
                config: subscriber.id,
                event: event.id.0,
                job: event.about.job.map(|id| id.0),
                kind: event.kind as i16,
                position: event.position,
                body: body.clone(),
            });
        }
    }
    Ok(new)
}

/// Whether a config wants an event. A batch that ran several apps belongs to none: only account-wide configs get it.
fn wants(subscriber: &Subscriber, event: &Event, app: Option<WorkflowApiId>) -> bool {
    event.kind != EventKind::Test
        && subscriber.kinds.contains(&(event.kind as i16))
        && event.position > subscriber.since
        && subscriber.app.is_none_or(|wanted| app == Some(wanted))
}

#[cfg(test)]
mod tests {
    use serde_json::value::RawValue;

    use super::*;
    use crate::events::EventSubject;
    use crate::ids::EventId;

    fn event(user: UserId, position: i64) -> Event {
        Event {
            id: EventId::new(),
            position,
            kind: EventKind::JobDone,
            user,
            about: EventSubject::default(),
            data: RawValue::from_string("{}".to_owned()).expect("JSON"),
            at: chrono::DateTime::UNIX_EPOCH,
        }
    }

    #[test]
    fn only_events_of_subscribers_count_for_the_length_of_a_page() {
        let (user, other) = (UserId::new(), UserId::new());
        let subscriber = Subscriber { id: WebhookConfigId::new(), user, app: None, kinds: Vec::new(), since: 0 };
        let whole: Vec<Event> =
            [other, user, other, user, other, user, other].into_iter().zip(1..).map(|(of, at)| event(of, at)).collect();
        for (most, left, has_more) in [(1, 3, true), (2, 5, true), (3, 7, false), (9, 7, false)] {
            let mut page = whole.clone();
            let subscribers = std::slice::from_ref(&subscriber);
            assert_eq!((cut(&mut page, subscribers, most), page.len()), (has_more, left), "{most}");
        }
        let mut page = whole.clone();
        assert!(!cut(&mut page, &[], 1) && page.len() == whole.len(), "there is no subscriber");
    }

    #[test]
    fn config_gets_its_kinds_of_its_app_after_its_creation() {
        let (user, app) = (UserId::new(), WorkflowApiId::new());
        let mut event = event(user, 7);
        let kinds = vec![EventKind::JobDone as i16, EventKind::Test as i16];
        let account = Subscriber { id: WebhookConfigId::new(), user, app: None, kinds, since: 6 };
        let of_app = Subscriber { app: Some(app), ..account.clone() };
        assert!(wants(&account, &event, None) && wants(&account, &event, Some(app)));
        assert!(wants(&of_app, &event, Some(app)));
        assert!(!wants(&of_app, &event, None) && !wants(&of_app, &event, Some(WorkflowApiId::new())));
        assert!(!wants(&Subscriber { since: 7, ..account.clone() }, &event, None), "older than the config");
        event.kind = EventKind::Test;
        assert!(!wants(&account, &event, None), "a test goes to the one address that is tested");
        event.kind = EventKind::JobFailed;
        assert!(!wants(&account, &event, None));
    }
}
