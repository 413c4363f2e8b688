//! Grants of operators, debits, and the load of the ledger, with a real database.

use std::time::Duration;

use chrono::TimeDelta;
use futures_util::future::join_all;

use super::actor::CROWDED;
use super::{
    Denial, EntryFilter, GrantKind, LedgerEntryKind, LedgerPost, Movement, NewGrant, PostError, PostReceipt, entries,
    full_audit, grant, lot, lots, reconcile,
};
use crate::ids::{JobId, UserId};
use crate::testing::TestCore;
use crate::{Caller, Code, Core, Error, users};

#[actix::test]
async fn a_reason_that_gave_other_credits_before_is_refused() {
    let core = TestCore::new().await;
    let account = users::factory::user().insert(&core.db).await;
    let give = async |amount, kind, source: &str| {
        let new = NewGrant { kind, source: source.into(), amount, expires_at: None };
        super::grant_by_operator(&core, &Caller::system(), account, new).await
    };
    let balance = give(10, GrantKind::Operator, "operator:thanks").await.expect("a grant");
    let again = give(10, GrantKind::Operator, "operator:thanks").await.expect("a repeated grant");
    assert_eq!(again.available, balance.available, "a reason gave credits twice");
    for (amount, kind) in [(11, GrantKind::Operator), (10, GrantKind::Coupon)] {
        let refused = give(amount, kind, "operator:thanks").await;
        assert!(matches!(refused, Err(Error::Conflict { code: Code::GrantReasonUsed, .. })), "{refused:?}");
    }
    let other = give(11, GrantKind::Operator, "operator:more").await.expect("another reason");
    assert_eq!(other.available, balance.available + 11);
}

#[actix::test]
async fn ledger_is_crowded_for_a_while_after_many_posts_at_once() {
    let core = TestCore::new().await;
    let post = |_| core.ledger.post(LedgerPost { account: UserId::new(), movement: Movement::None, attached: None });
    // A pause of this thread lets the ledger answer the first post before the last one is sent; then they wait less.
    let crowded =
        async { while !tokio::join!(join_all((0..CROWDED).map(post)), async { core.ledger.is_crowded() }).1 {} };
    tokio::time::timeout(Duration::from_secs(30), crowded).await.expect("posts wait");
    let calm = async {
        while core.ledger.is_crowded() {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(30), calm).await.expect("the ledger is calm again");
}

#[actix::test]
async fn grant_without_an_end_expires_after_the_settings_days() {
    let core = TestCore::new().await;
    let account = users::factory::user().insert(&core.db).await;
    let given = |source: &str, expires_at| NewGrant {
        kind: GrantKind::Purchase,
        source: source.into(),
        amount: 10,
        expires_at,
    };
    let soon = core.clock.now() + TimeDelta::days(1);
    grant(&core, account, given("one", None)).await.expect("a grant");
    grant(&core, account, given("two", Some(soon))).await.expect("a grant");
    let grants = super::grants(&core, &Caller::customer(account)).await.expect("grants");
    let usual = core.clock.now() + TimeDelta::days(i64::from(core.settings.credits.days));
    let ends: Vec<_> = grants.iter().map(|grant| grant.expires_at).collect();
    assert_eq!(ends, [Some(soon), Some(usual)]);
}

/// Grants credits that are bought: 100 by "order:1", then 50 by "order:2".
async fn bought(core: &Core) -> UserId {
    let account = UserId::new();
    for (source, amount) in [("order:1", 100), ("order:2", 50)] {
        let new = NewGrant { kind: GrantKind::Purchase, source: source.into(), amount, expires_at: None };
        grant(core, account, new).await.expect("a grant");
    }
    account
}

async fn post(core: &Core, account: UserId, movement: Movement) -> Result<PostReceipt, PostError> {
    core.ledger.post(LedgerPost { account, movement, attached: None }).await
}

async fn debit(core: &Core, account: UserId, source: &str, amount: i64) -> Result<PostReceipt, PostError> {
    post(core, account, Movement::Debit { source: source.into(), amount }).await
}

/// The parts of a grant: remaining, held, spent, expired and debited.
async fn parts(core: &Core, account: UserId, source: &str) -> [i64; 5] {
    let grant = lot(core, account, source).await.expect("a grant").expect("a source that granted");
    [grant.remaining, grant.held, grant.spent, grant.expired, grant.debited]
}

#[actix::test]
async fn debit_takes_available_credits_of_its_grant_or_is_denied() {
    let core = TestCore::new().await;
    let account = bought(&core).await;
    let job = JobId::new();
    let hold = Movement::Hold { job, want: 30, at_least: 30, day_ceiling: None };
    post(&core, account, hold).await.expect("enough credits");
    let denied = debit(&core, account, "order:1", 71).await.expect_err("30 of 100 are held");
    assert!(matches!(denied, PostError::Denied(Denial::LotTooSmall { available: 70 })), "{denied:?}");
    let denied = Error::from(denied);
    assert_eq!(denied.code(), Code::CreditsUsed);
    assert!(matches!(denied, Error::Refused { ref details, .. } if details["available"] == 70), "{denied:?}");
    for (account, source) in [(account, "order:3"), (UserId::new(), "order:1")] {
        let denied = debit(&core, account, source, 1).await;
        assert!(matches!(denied, Err(PostError::Denied(Denial::LotTooSmall { available: 0 }))), "{denied:?}");
        assert_eq!(lot(&core, account, source).await.expect("no error"), None);
    }
    assert_eq!(parts(&core, account, "order:1").await, [70, 30, 0, 0, 0]);

    let taken = debit(&core, account, "order:1", 70).await.expect("70 are available");
    assert_eq!((taken.amount, taken.balance.available, taken.balance.held), (70, 50, 30));
    post(&core, account, Movement::Settle { job, used: 10 }).await.expect("an open hold");
    assert_eq!(parts(&core, account, "order:1").await, [20, 0, 10, 0, 70]);
    debit(&core, account, "order:1", 20).await.expect("credits that were released");
    let mut found =
        lots(&core, &[(account, "order:1"), (account, "order:2"), (account, "none")]).await.expect("grants");
    found.sort_by_key(|(_, grant)| grant.amount);
    let left: Vec<_> = found.iter().map(|(of, grant)| (*of == account, grant.remaining, grant.debited)).collect();
    assert_eq!(left, [(true, 50, 0), (true, 0, 90)], "a grant that is used up is found too");

    let caller = Caller::customer(account);
    let filter = EntryFilter { kind: Some(LedgerEntryKind::Debit), ..EntryFilter::default() };
    let statement = entries(&core, &caller, &filter, None, 10).await.expect("a statement");
    let lines: Vec<_> = statement.iter().map(|entry| (entry.amount, entry.balance_after, entry.job)).collect();
    assert_eq!(lines, [(20, 50, None), (70, 50, None)], "newest first");
    assert_eq!(super::balance(&core, &caller).await.expect("a balance").available, 50);
    let report = full_audit(&core.db).await.expect("an audit");
    assert!(report.report().is_clean(), "{report:?}");
    assert_eq!((report.report().debited, report.report().available, report.report().spent), (90, 50, 10));
}

#[actix::test]
async fn two_debits_at_once_take_the_credits_of_a_grant_once() {
    let core = TestCore::new().await;
    let other = core.another("other");
    let nodes: [(&Core, &Core); 2] = [(&core, &core), (&core, &other)];
    for (one, two) in nodes {
        let account = bought(&core).await;
        let both = join_all([debit(one, account, "order:1", 60), debit(two, account, "order:1", 60)]).await;
        let (taken, denied): (Vec<_>, Vec<_>) = both.into_iter().partition(Result::is_ok);
        assert_eq!((taken.len(), denied.len()), (1, 1), "{taken:?} {denied:?}");
        assert!(
            matches!(denied[..], [Err(PostError::Denied(Denial::LotTooSmall { available: 40 }))]),
            "the other debit saw what the first left: {denied:?}"
        );
        assert_eq!(parts(&core, account, "order:1").await, [40, 0, 0, 0, 60]);
        assert_eq!(parts(&core, account, "order:2").await, [50, 0, 0, 0, 0], "another grant was debited");
    }
    assert!(reconcile(&core.db).await.expect("an audit").is_clean());
}
