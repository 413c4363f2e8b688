//! Expiry, and the warning before it.

use chrono::{DateTime, TimeDelta, Utc};

use crate::gallery::factory::{insert, output};
use crate::gallery::tests::{outputs, person};
use crate::gallery::*;
use crate::language::Language;
use crate::notifications::{self, Notification, NotificationKind};
use crate::testing::TestCore;
use crate::{Clock, users};

#[test]
fn old_outputs_expired_together_and_later_ones_after_their_days() {
    for (created, ends) in [
        ("2024-01-01T00:00:00Z", "2025-06-21T00:00:00Z"),
        ("2025-04-21T23:59:59Z", "2025-06-21T00:00:00Z"),
        ("2025-04-22T00:00:00Z", "2025-05-22T00:00:00Z"),
        ("2026-01-01T12:00:00Z", "2026-01-31T12:00:00Z"),
    ] {
        let time = |text: &str| text.parse::<DateTime<Utc>>().expect("a time");
        assert_eq!(expiry(time(created), 30), time(ends), "made at {created}");
    }
}

async fn notices(core: &TestCore, caller: &Caller) -> Vec<Notification> {
    let order = notifications::NotificationOrder::Newest;
    notifications::page(core, caller, Some(NotificationKind::Notice), 0, 100, order).await.expect("a page").items
}

/// Sweeps until all owners are warned for today.
async fn sweep(core: &TestCore) -> u64 {
    let mut all = 0;
    for _ in 0..20 {
        all += warn_of_expiry(core).await.expect("a sweep");
    }
    all
}

#[actix::test]
async fn owner_is_warned_once_three_days_ahead_with_count_and_link() {
    let core = TestCore::new().await;
    let (owner, caller) = person(&core).await;
    let (korean, in_korean) = person(&core).await;
    users::set_language(&core, &in_korean, Language::Ko).await.expect("a language");
    let all = outputs(&core, owner, 4).await;
    outputs(&core, korean, 1).await;
    set_private(&core, &caller, &all[..1], false).await.expect("a publication");
    delete(&core, &caller, &all[1..2]).await.expect("a deletion");
    core.clock.advance(TimeDelta::days(27) - TimeDelta::seconds(1));
    assert_eq!(sweep(&core).await, 0, "it is four days to the day of their end");
    core.clock.advance(TimeDelta::seconds(1));
    assert_eq!(sweep(&core).await, 2);
    let warnings = notices(&core, &caller).await;
    let [warning] = warnings.as_slice() else { panic!("{warnings:?}") };
    assert_eq!(warning.title.as_deref(), Some("2 of your private files will be deleted soon"));
    assert_eq!((warning.count, warning.actor), (Some(2), None));
    let content = warning.content.as_deref().expect("words");
    assert!(content.contains("2026.01.31"), "{content}");
    assert!(content.contains(&format!("href=\"/profile/{owner}/image-files\"")), "{content}");
    let warnings = notices(&core, &in_korean).await;
    assert_eq!(warnings[0].title.as_deref(), Some("비공개 파일 1개가 곧 삭제됩니다"));
    users::set_language(&core, &in_korean, Language::En).await.expect("another language");
    let warnings = notices(&core, &in_korean).await;
    assert_eq!(warnings[0].title.as_deref(), Some("1 of your private files will be deleted soon"));
    core.clock.advance(TimeDelta::hours(20));
    assert_eq!(sweep(&core).await, 0, "no owner is warned twice");
    core.clock.advance(TimeDelta::days(3));
    assert_eq!(sweep(&core).await, 0, "what is gone is nothing to be warned of");
}

#[actix::test]
async fn each_day_has_its_own_warning_and_missed_days_are_warned_late() {
    let core = TestCore::new().await;
    let (owner, caller) = person(&core).await;
    for _ in 0..3 {
        outputs(&core, owner, 1).await;
        core.clock.advance(TimeDelta::days(1));
    }
    core.clock.advance(TimeDelta::days(24));
    assert_eq!(sweep(&core).await, 1);
    assert_eq!(notices(&core, &caller).await[0].count, Some(1));
    // After a day without a sweep, the next one warns about both days.
    core.clock.advance(TimeDelta::days(2));
    assert_eq!(sweep(&core).await, 1);
    let warnings: Vec<_> = notices(&core, &caller).await.iter().map(|notice| notice.count).collect();
    assert_eq!(warnings, [Some(2), Some(1)]);
}

#[actix::test]
async fn several_nodes_warn_each_owner_once() {
    let core = TestCore::new().await;
    let other = core.another("other");
    let mut people = Vec::new();
    for _ in 0..450 {
        people.push(person(&core).await);
    }
    let new: Vec<_> = people.iter().map(|(owner, _)| output(*owner, core.clock.now())).collect();
    insert(&core.db, &new).await;
    core.clock.advance(TimeDelta::days(28));
    let mut warnings = 0;
    while warnings < 450 {
        let (here, there) = tokio::join!(warn_of_expiry(&core), warn_of_expiry(&other));
        let both = here.expect("a sweep") + there.expect("a sweep");
        assert!(both > 0, "a round ended after {warnings} of 450 people");
        warnings += both;
    }
    assert_eq!((warnings, sweep(&core).await), (450, 0));
    for (_, caller) in [&people[0], &people[200], &people[449]] {
        assert_eq!(notices(&core, caller).await.len(), 1);
    }
}

#[actix::test]
async fn short_retention_has_no_warnings() {
    let start = "2026-01-01T00:00:00Z".parse().expect("a time");
    let core = TestCore::with(Clock::held(start), |settings| settings.outputs.days = 3).await;
    let (owner, _) = person(&core).await;
    let mut new = output(owner, core.clock.now());
    new.expires_at = core.clock.now() + TimeDelta::days(3);
    insert(&core.db, &[new]).await;
    assert_eq!(sweep(&core).await, 0);
}
