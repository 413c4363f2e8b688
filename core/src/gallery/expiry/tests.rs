//! Who is warned before their outputs end, and when.

use chrono::{DateTime, TimeDelta, Utc};

use crate::gallery::factory::{insert, output};
use crate::gallery::tests::{outputs, person};
use crate::gallery::*;
use crate::language::Language;
use crate::notifications::{self, Kind, Notification};
use crate::testing::TestCore;
use crate::{Clock, users};

#[test]
fn old_outputs_ended_together_and_later_ones_end_after_their_days() {
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
    let order = crate::filter::Order::Newest;
    notifications::page(core, caller, Some(Kind::Notice), 0, 100, order).await.expect("a page").items
}

/// Sweeps until nobody is left to be warned today.
async fn sweep(core: &TestCore) -> u64 {
    let mut all = 0;
    for _ in 0..20 {
        all += warn_of_expiry(core).await.expect("a sweep");
    }
    all
}

#[actix::test]
async fn an_owner_is_warned_once_three_days_before_with_the_number_and_the_way_there() {
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
    let told = notices(&core, &caller).await;
    let [told] = told.as_slice() else { panic!("{told:?}") };
    assert_eq!(told.title.as_deref(), Some("2 of your private files will be deleted soon"));
    assert_eq!((told.count, told.actor), (Some(2), None));
    let content = told.content.as_deref().expect("words");
    assert!(content.contains("2026.01.31"), "{content}");
    assert!(content.contains(&format!("href=\"/profile/{owner}/image-files\"")), "{content}");
    let told = notices(&core, &in_korean).await;
    assert_eq!(told[0].title.as_deref(), Some("비공개 파일 1개가 곧 삭제됩니다"));
    users::set_language(&core, &in_korean, Language::En).await.expect("another language");
    let told = notices(&core, &in_korean).await;
    assert_eq!(told[0].title.as_deref(), Some("1 of your private files will be deleted soon"));
    core.clock.advance(TimeDelta::hours(20));
    assert_eq!(sweep(&core).await, 0, "nobody is told twice");
    core.clock.advance(TimeDelta::days(3));
    assert_eq!(sweep(&core).await, 0, "what is gone is nothing to be warned of");
}

#[actix::test]
async fn each_day_is_told_of_by_itself_and_a_day_that_was_missed_is_told_late() {
    let core = TestCore::new().await;
    let (owner, caller) = person(&core).await;
    for _ in 0..3 {
        outputs(&core, owner, 1).await;
        core.clock.advance(TimeDelta::days(1));
    }
    core.clock.advance(TimeDelta::days(24));
    assert_eq!(sweep(&core).await, 1);
    assert_eq!(notices(&core, &caller).await[0].count, Some(1));
    // Nothing swept for a day: the next sweep tells of both days at once.
    core.clock.advance(TimeDelta::days(2));
    assert_eq!(sweep(&core).await, 1);
    let told: Vec<_> = notices(&core, &caller).await.iter().map(|notice| notice.count).collect();
    assert_eq!(told, [Some(2), Some(1)]);
}

#[actix::test]
async fn everybody_of_a_large_installation_is_told_once_by_several_nodes() {
    let core = TestCore::new().await;
    let other = core.another("other");
    let mut people = Vec::new();
    for _ in 0..450 {
        people.push(person(&core).await);
    }
    let new: Vec<_> = people.iter().map(|(owner, _)| output(*owner, core.clock.now())).collect();
    insert(&core.db, &new).await;
    core.clock.advance(TimeDelta::days(28));
    let mut told = 0;
    while told < 450 {
        let (here, there) = tokio::join!(warn_of_expiry(&core), warn_of_expiry(&other));
        let both = here.expect("a sweep") + there.expect("a sweep");
        assert!(both > 0, "a round ended after {told} of 450 people");
        told += both;
    }
    assert_eq!((told, sweep(&core).await), (450, 0));
    for (_, caller) in [&people[0], &people[200], &people[449]] {
        assert_eq!(notices(&core, caller).await.len(), 1);
    }
}

#[actix::test]
async fn where_outputs_are_kept_for_few_days_nobody_is_warned() {
    let start = "2026-01-01T00:00:00Z".parse().expect("a time");
    let core = TestCore::with(Clock::held(start), |settings| settings.outputs.days = 3).await;
    let (owner, _) = person(&core).await;
    let mut new = output(owner, core.clock.now());
    new.expires_at = core.clock.now() + TimeDelta::days(3);
    insert(&core.db, &[new]).await;
    assert_eq!(sweep(&core).await, 0);
}
