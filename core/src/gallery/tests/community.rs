//! Likes, views, and lists of one user's outputs.

use super::*;
use crate::notifications::{self, MilestoneMetric, NotificationKind};
use crate::users::RequestOrigin;

async fn views_of(core: &TestCore, id: OutputAssetId) -> i64 {
    settle_views(core).await.expect("a sweep");
    find(core, &Caller::system(), id).await.expect("an output").view_count
}

#[actix::test]
async fn a_viewer_counts_once_a_day_and_an_owner_never() {
    let core = TestCore::new().await;
    let (owner, own) = person(&core).await;
    let (_, fan) = person(&core).await;
    let id = published_outputs(&core, owner, 1).await[0];
    let asset = find(&core, &own, id).await.expect("an output");
    for _ in 0..3 {
        view(&core, &fan, &from("192.0.2.1"), &asset).await;
        view(&core, &own, &from("192.0.2.2"), &asset).await;
        view(&core, &Caller::guest(), &from("192.0.2.3"), &asset).await;
        view(&core, &Caller::guest(), &RequestOrigin::default(), &asset).await;
    }
    assert_eq!(views_of(&core, id).await, 2, "the fan and one guest");
    view(&core, &Caller::guest(), &from("192.0.2.4"), &asset).await;
    assert_eq!(views_of(&core, id).await, 3);
    core.clock.advance(TimeDelta::days(1) + TimeDelta::seconds(1));
    view(&core, &fan, &from("192.0.2.1"), &asset).await;
    assert_eq!(views_of(&core, id).await, 4, "another day is another view");
}

#[actix::test]
async fn owner_is_notified_once_of_each_like_and_of_view_milestones() {
    let core = TestCore::new().await;
    let (owner, own) = person(&core).await;
    let (fan, fan_caller) = person(&core).await;
    let id = published_outputs(&core, owner, 1).await[0];
    for _ in 0..3 {
        toggle_like(&core, &fan_caller, id).await.expect("a like");
    }
    let asset = find(&core, &own, id).await.expect("an output");
    for last in 1..=11 {
        view(&core, &Caller::guest(), &from(&format!("192.0.2.{last}")), &asset).await;
    }
    assert_eq!(views_of(&core, id).await, 11);
    let order = notifications::NotificationOrder::Oldest;
    let told = async |kind: NotificationKind| {
        notifications::page(&core, &own, Some(kind), 0, 9, order).await.expect("a box").items
    };
    let likes: Vec<_> = told(NotificationKind::Like).await.iter().map(|item| (item.actor, item.output_asset)).collect();
    assert_eq!(likes, [(Some(fan), Some(id))], "a change of mind was told again");
    let reached: Vec<_> =
        told(NotificationKind::Others).await.iter().map(|item| (item.others, item.count, item.output_asset)).collect();
    assert_eq!(reached, [(Some(MilestoneMetric::View), Some(10), Some(id))]);
}

#[actix::test]
async fn hiding_a_published_output_needs_stealth_mode() {
    let core = TestCore::new().await;
    let (owner, free) = person(&core).await;
    let id = published_outputs(&core, owner, 1).await[0];
    let private = outputs(&core, owner, 1).await[0];
    assert!(matches!(set_private(&core, &free, &[id], true).await, Err(Error::StealthModeRequired { .. })));
    assert!(!find(&core, &free, id).await.expect("an output").is_private);
    set_private(&core, &free, &[private], true).await.expect("what never was public stays private on every plan");
    set_private(&core, &Caller::system(), &[id], true).await.expect("an admin hides what must be hidden");
    let (secret, caller) = secretive(&core).await;
    let id = published_outputs(&core, secret, 1).await[0];
    set_private(&core, &caller, &[id], true).await.expect("a private post");
}
