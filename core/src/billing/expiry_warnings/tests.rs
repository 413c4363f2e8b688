//! Who is warned of what, and when.

use chrono::TimeDelta;

use super::*;
use crate::Caller;
use crate::ids::{JobId, UserId};
use crate::ledger::{self, GrantKind, LedgerPost, Movement, NewGrant};
use crate::notifications::{Notification, NotificationKind, NotificationOrder};
use crate::testing::TestCore;
use crate::users::factory;

async fn give(core: &TestCore, account: UserId, kind: GrantKind, source: &str, amount: i64, life: TimeDelta) {
    let expires_at = Some(core.clock.now() + life);
    let new = NewGrant { kind, source: source.into(), amount, expires_at };
    ledger::grant(core, account, new).await.expect("a grant");
}

async fn notices(core: &TestCore, account: UserId) -> Vec<Notification> {
    let (caller, kind) = (Caller::customer(account), Some(NotificationKind::Notice));
    notifications::page(core, &caller, kind, 0, 100, NotificationOrder::Newest).await.expect("a page").items
}

async fn warned(core: &TestCore) -> u64 {
    warn_of_expiring_credits(core).await.expect("a round")
}

#[actix::test]
async fn owner_is_warned_once_a_week_ahead_by_bell_and_mail() {
    let core = TestCore::new().await;
    let owner = factory::user().insert(&core.db).await;
    let days = TimeDelta::days;
    give(&core, owner, GrantKind::Purchase, "a", 12_000, days(90)).await;
    give(&core, owner, GrantKind::Coupon, "b", 500, days(90) + TimeDelta::hours(3)).await;
    give(&core, owner, GrantKind::Coupon, "later", 70, days(91)).await;
    core.clock.advance(days(83) - TimeDelta::seconds(1));
    assert_eq!(warned(&core).await, 0, "it is eight days to the day of their end");
    core.clock.advance(TimeDelta::seconds(1));
    assert_eq!(warned(&core).await, 1);
    let found = notices(&core, owner).await;
    let [warning] = found.as_slice() else { panic!("{found:?}") };
    assert_eq!(warning.title.as_deref(), Some("12,500 of your credits expire soon"));
    let content = warning.content.as_deref().expect("words");
    assert!(content.contains("until 2026.04.01 00:00 (UTC)"), "{content}");
    assert!(content.contains("href=\"/account?tab=credits\""), "{content}");
    let mails = core.mails().await;
    assert_eq!(mails.len(), 1);
    assert!(mails[0].1.contains("12,500 of your credits can be used until 2026.04.01 00:00 (UTC)"), "{}", mails[0].1);
    core.clock.advance(TimeDelta::hours(23));
    assert_eq!(warned(&core).await, 0, "no owner is warned twice");
    core.clock.advance(TimeDelta::hours(1));
    assert_eq!(warned(&core).await, 1, "each day has its own warning");
    assert_eq!(core.mails().await.len(), 2);
    core.clock.advance(days(30));
    assert_eq!(warned(&core).await, 0, "what is gone is nothing to be warned of");
    let kept: i64 =
        sqlx::query_scalar("SELECT count(*) FROM credit_expiry_warnings").fetch_one(&core.db).await.expect("a count");
    assert_eq!(kept, 0, "days that are over are forgotten");
}

#[actix::test]
async fn allowances_short_lots_and_spent_lots_are_not_warned_of() {
    let core = TestCore::new().await;
    let days = TimeDelta::days;
    let [allowance, short, spent, gone] = [(); 4].map(|()| factory::user());
    let (allowance, short) = (allowance.insert(&core.db).await, short.insert(&core.db).await);
    let (spent, gone) = (spent.insert(&core.db).await, gone.insert(&core.db).await);
    give(&core, allowance, GrantKind::Plan, "plan:Free:1", 6000, days(20)).await;
    give(&core, short, GrantKind::Coupon, "a", 100, days(7)).await;
    give(&core, spent, GrantKind::Operator, "a", 100, days(20)).await;
    give(&core, gone, GrantKind::Operator, "a", 100, days(20)).await;
    let movement = Movement::Hold { job: JobId::new(), want: 100, at_least: 100, day_ceiling: None };
    core.ledger.post(LedgerPost { account: spent, movement, attached: None }).await.expect("a hold");
    users::delete(&core, &Caller::customer(gone), &users::DeletionProof::Name("Ann".to_owned()))
        .await
        .expect("a deletion");
    core.clock.advance(days(15));
    let count = warned(&core).await;
    for (what, account) in [("allowance", allowance), ("short", short), ("spent", spent)] {
        assert!(notices(&core, account).await.is_empty(), "{what}");
    }
    assert_eq!(count, 0);
    assert_eq!(core.mails().await.len(), 1, "a mail besides that of the deletion");
}

#[actix::test]
async fn two_nodes_warn_once_and_many_accounts_take_several_rounds() {
    let core = TestCore::new().await;
    let other = core.another("other");
    let count = u64::try_from(WARNED_AT_ONCE).expect("a count") + 3;
    for _ in 0..count {
        let account = factory::user().insert(&core.db).await;
        give(&core, account, GrantKind::Operator, "a", 1, TimeDelta::days(20)).await;
    }
    core.clock.advance(TimeDelta::days(15));
    let (here, there) = tokio::join!(warn_of_expiring_credits(&core), warn_of_expiring_credits(&other));
    let mut all = here.expect("a round") + there.expect("a round");
    for _ in 0..3 {
        all += warned(&core).await;
    }
    assert_eq!(all, count);
    assert_eq!(core.mails().await.len(), usize::try_from(count).expect("a count"));
}
