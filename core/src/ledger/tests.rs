//! What the ledger's connection does with its statements, and the filters of an account's statement.

use std::time::Duration;

use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use futures_util::future::join_all;
use tokio::sync::oneshot;

use super::actor::CROWDED;
use super::book::{Book, LockMode, PendingPost};
use super::{EntryFilter, GrantKind, LedgerPost, Movement, NewGrant, entries, grant};
use crate::ids::{JobId, UserId, min_id};
use crate::testing::TestCore;
use crate::{Caller, Code, Error, database, users};

#[actix::test]
async fn batches_of_all_sizes_share_one_prepared_plan() {
    let core = TestCore::new().await;
    let shard = database::keyed_shard(&core.db);
    let (mut book, accounts) = (Book::new(LockMode::Optimistic), (0..8).map(|_| UserId::new()).collect::<Vec<_>>());
    for account in &accounts {
        let new = NewGrant { kind: GrantKind::Operator, source: "one".into(), amount: 1000, expires_at: None };
        grant(&core, *account, new).await.expect("a grant");
    }
    for round in 0..20 {
        let (batch, answers): (Vec<_>, Vec<_>) = accounts
            .iter()
            .take(1 + round % 8)
            .map(|account| {
                let (answer, outcome) = oneshot::channel();
                let movement = Movement::Hold { job: JobId::new(), want: 1, at_least: 1, day_ceiling: None };
                (PendingPost { post: LedgerPost { account: *account, movement, attached: None }, answer }, outcome)
            })
            .unzip();
        assert!(book.commit(&shard, &core.clock, batch).await.is_empty(), "no other session changes the accounts");
        for answer in answers {
            assert!(answer.await.expect("an answer").is_ok());
        }
    }
    let plans: Vec<(i64, i64)> = sqlx::query_as(
        "SELECT generic_plans, custom_plans FROM pg_prepared_statements WHERE statement LIKE 'WITH ours AS%'",
    )
    .fetch_all(&shard)
    .await
    .expect("the statements of this session");
    // PostgreSQL looks five times whether a plan for the very arrays is worth it.
    assert_eq!(plans, [(15, 5)], "each batch is planned again, or each size has its own statement");
}

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
    let posts = join_all((0..CROWDED).map(post));
    let (_, is_crowded) = tokio::join!(posts, async { core.ledger.is_crowded() });
    assert!(is_crowded, "posts wait");
    let calm = async {
        while core.ledger.is_crowded() {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(10), calm).await.expect("the ledger is calm again");
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

async fn grant_of(core: &TestCore, account: UserId, amount: i64) {
    let new = NewGrant { kind: GrantKind::Operator, source: amount.to_string(), amount, expires_at: None };
    grant(core, account, new).await.expect("a grant");
}

/// The amounts of a statement, newest first.
async fn amounts(core: &TestCore, account: UserId, filter: EntryFilter) -> Vec<i64> {
    let found = entries(core, &Caller::customer(account), &filter, None, 10).await.expect("a statement");
    found.iter().map(|entry| entry.amount).collect()
}

#[actix::test]
async fn statement_of_days_has_the_first_and_the_last_moment_of_them_and_no_other() {
    let core = TestCore::new().await;
    let (account, other) = (UserId::new(), UserId::new());
    let moments = [
        (1, "2026-01-30T23:59:59.999999Z"),
        (2, "2026-01-31T00:00:00Z"),
        (3, "2026-02-01T23:59:59.999999Z"),
        (4, "2026-02-02T00:00:00Z"),
    ];
    for (amount, at) in moments {
        let at: DateTime<Utc> = at.parse().expect("a time");
        for (account, index) in [(account, 0), (other, 1)] {
            grant_of(&core, account, amount).await;
            // An id is made after its entry's time, here on the next day.
            let id = uuid::Uuid::from_u128(min_id(at + TimeDelta::milliseconds(5)).as_u128() + index);
            sqlx::query("UPDATE credit_entries SET id = $1, created_at = $2 WHERE account_id = $3 AND amount = $4")
                .bind(id)
                .bind(at)
                .bind(account.0)
                .bind(amount)
                .execute(&core.db)
                .await
                .expect("an older entry");
        }
    }
    let day = |text: &str| Some(text.parse::<NaiveDate>().expect("a day"));
    let both = EntryFilter { kind: None, from: day("2026-01-31"), until: day("2026-02-01") };
    assert_eq!(amounts(&core, account, both).await, [3, 2]);
    assert_eq!(amounts(&core, account, EntryFilter { until: None, ..both }).await, [4, 3, 2]);
    assert_eq!(amounts(&core, account, EntryFilter { from: None, ..both }).await, [3, 2, 1]);
    assert_eq!(amounts(&core, account, EntryFilter { until: both.from, ..both }).await, [2], "one day");
    let ancient = EntryFilter { kind: None, from: day("0001-01-01"), until: day("0001-01-01") };
    assert_eq!(amounts(&core, account, ancient).await, [0; 0]);
    assert_eq!(amounts(&core, account, EntryFilter { until: day("9999-12-31"), ..ancient }).await, [4, 3, 2, 1]);
    let reversed = EntryFilter { kind: None, from: both.until, until: both.from };
    let refused = entries(&core, &Caller::customer(account), &reversed, None, 10).await;
    assert!(matches!(refused, Err(Error::Invalid { .. })), "{refused:?}");
}
