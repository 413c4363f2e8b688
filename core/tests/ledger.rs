//! Group commits of the ledger with a real database: several nodes, invalid rows, refused attached rows.

use std::any::Any;
use std::sync::Arc;

use futures_util::future::{BoxFuture, join_all};
use sqlx::PgConnection;
use verdigraph_core::ids::{JobId, UserId};
use verdigraph_core::ledger::{
    self, AttachedOutcome, AttachedRow, AttachedWriter, Denial, EntryFilter, GrantKind, LedgerEntryKind, LedgerPost,
    Movement, NewGrant, PostError, reconcile,
};
use verdigraph_core::testing::TestCore;
use verdigraph_core::{Caller, Code, Core, Error, audit as log, users};

async fn grant(core: &Core, account: UserId, source: &str, amount: i64) {
    let grant = NewGrant { kind: GrantKind::Operator, source: source.into(), amount, expires_at: None };
    ledger::grant(core, account, grant).await.expect("a grant");
}

async fn hold(core: &Core, account: UserId, job: JobId, want: i64) -> Result<i64, PostError> {
    let movement = Movement::Hold { job, want, at_least: want, day_ceiling: None };
    core.ledger.post(LedgerPost { account, movement, attached: None }).await.map(|posted| posted.amount)
}

async fn settle(core: &Core, account: UserId, job: JobId, used: i64) -> Result<i64, PostError> {
    let movement = Movement::Settle { job, used };
    core.ledger.post(LedgerPost { account, movement, attached: None }).await.map(|posted| posted.amount)
}

async fn is_clean(core: &Core) {
    let report = reconcile(&core.db).await.expect("an audit");
    assert!(report.is_clean(), "{:#?}", report.differences);
}

#[actix::test]
async fn entries_show_hold_capture_and_release() {
    let core = TestCore::new().await;
    let (account, job) = (UserId::new(), JobId::new());
    grant(&core, account, "welcome", 100).await;
    hold(&core, account, job, 30).await.expect("enough credits");
    settle(&core, account, job, 12).await.expect("an open hold");
    let caller = Caller::customer(account);
    let balance = ledger::balance(&core, &caller).await.expect("a balance");
    assert_eq!((balance.available, balance.held), (88, 0));
    let entries = ledger::entries(&core, &caller, &EntryFilter::default(), None, 10).await.expect("a statement");
    let lines: Vec<_> = entries.iter().rev().map(|entry| (entry.amount, entry.balance_after)).collect();
    assert_eq!(lines, [(100, 100), (30, 70), (12, 70), (18, 88)]);
    is_clean(&core).await;
}

#[actix::test]
async fn statement_of_one_kind_continues_after_its_cursor() {
    let core = TestCore::new().await;
    let (account, job) = (UserId::new(), JobId::new());
    let caller = Caller::customer(account);
    grant(&core, account, "welcome", 100).await;
    hold(&core, account, job, 30).await.expect("enough credits");
    grant(&core, account, "bought", 200).await;
    settle(&core, account, job, 12).await.expect("an open hold");
    let page = async |kind, before, limit| {
        let filter = EntryFilter { kind: Some(kind), ..EntryFilter::default() };
        ledger::entries(&core, &caller, &filter, before, limit).await.expect("a statement")
    };
    let amounts = |page: &[ledger::LedgerEntry]| page.iter().map(|entry| entry.amount).collect::<Vec<_>>();
    assert_eq!(amounts(&page(LedgerEntryKind::Capture, None, 10).await), [12]);
    assert_eq!(amounts(&page(LedgerEntryKind::Expire, None, 10).await), [0; 0]);
    let first = page(LedgerEntryKind::Grant, None, 1).await;
    assert_eq!(amounts(&first), [200]);
    let before = first.last().map(|entry| entry.id);
    assert_eq!(amounts(&page(LedgerEntryKind::Grant, before, 10).await), [100]);
    is_clean(&core).await;
}

#[actix::test]
async fn source_grants_once_even_after_its_credits_are_spent() {
    let core = TestCore::new().await;
    let (account, job) = (UserId::new(), JobId::new());
    grant(&core, account, "plan:2026-01", 10).await;
    hold(&core, account, job, 10).await.expect("enough credits");
    settle(&core, account, job, 10).await.expect("an open hold");
    // Another node, without the first grant in memory.
    let other = core.another("other");
    grant(&other, account, "plan:2026-01", 10).await;
    grant(&core, account, "plan:2026-01", 10).await;
    let balance = ledger::balance(&core, &Caller::customer(account)).await.expect("a balance");
    assert_eq!(balance.available, 0);
    is_clean(&core).await;
}

#[actix::test]
async fn two_nodes_never_spend_a_credit_twice() {
    let core = TestCore::new().await;
    let other = core.another("other");
    let account = UserId::new();
    grant(&core, account, "welcome", 100).await;
    let jobs: Vec<JobId> = (0..200).map(|_| JobId::new()).collect();
    let held = join_all(jobs.iter().enumerate().map(|(number, job)| {
        let node: &Core = if number % 2 == 0 { &core } else { &other };
        hold(node, account, *job, 1)
    }))
    .await;
    let accepted: Vec<JobId> =
        jobs.iter().zip(&held).filter(|(_, outcome)| outcome.is_ok()).map(|(job, _)| *job).collect();
    assert_eq!(accepted.len(), 100, "exactly the available credits can be held");
    let refused = held.into_iter().filter_map(Result::err);
    assert!(refused.into_iter().all(|error| matches!(error, PostError::Denied(Denial::OutOfCredits { .. }))));
    // Each node settles what the other one held.
    let settled = join_all(accepted.iter().enumerate().map(|(number, job)| {
        let node: &Core = if number % 2 == 0 { &other } else { &core };
        settle(node, account, *job, i64::from(number % 3 == 0))
    }))
    .await;
    assert!(settled.iter().all(Result::is_ok), "{settled:?}");
    let balance = ledger::balance(&core, &Caller::customer(account)).await.expect("a balance");
    assert_eq!((balance.available, balance.held), (66, 0));
    is_clean(&core).await;
}

#[actix::test]
async fn account_used_through_three_nodes_gets_every_post_committed() {
    let core = TestCore::new().await;
    let nodes: [&Core; 3] = [&core, &core.another("two"), &core.another("three")];
    let busy = UserId::new();
    let others: Vec<UserId> = (0..30).map(|_| UserId::new()).collect();
    for account in others.iter().chain([&busy]) {
        grant(&core, *account, "welcome", 10_000).await;
    }
    // Sequential posts make many small batches; nodes alternate between both accounts, so that they share them.
    let (others, busy) = (&others, &busy);
    let takers = nodes.iter().enumerate().flat_map(|(number, node)| (0..10).map(move |taker| (number, *node, taker)));
    let jobs: Vec<(UserId, JobId)> = join_all(takers.map(|(number, node, taker)| async move {
        let mut jobs = Vec::new();
        for step in 0..40 {
            let neighbour = others.get(number + 3 * taker).copied().unwrap_or(*busy);
            let (account, job) = (if step % 2 == 0 { *busy } else { neighbour }, JobId::new());
            hold(node, account, job, 2).await.expect("a hold despite changes by other nodes");
            jobs.push((account, job));
        }
        jobs
    }))
    .await
    .concat();
    // Any node can settle the hold.
    let settled = jobs.iter().zip(nodes.iter().cycle().skip(1));
    for outcome in join_all(settled.map(|((account, job), node)| settle(node, *account, *job, 1))).await {
        assert_eq!(outcome.expect("an open hold"), 1);
    }
    let balance = ledger::balance(&core, &Caller::customer(*busy)).await.expect("a balance");
    assert_eq!((balance.available, balance.held), (10_000 - 600, 0));
    is_clean(&core).await;
}

#[actix::test]
async fn credits_added_by_another_node_are_available() {
    let core = TestCore::new().await;
    let other = core.another("other");
    let account = UserId::new();
    grant(&core, account, "welcome", 10).await;
    hold(&core, account, JobId::new(), 10).await.expect("all there is");
    grant(&other, account, "bought", 50).await;
    hold(&core, account, JobId::new(), 20).await.expect("the credits bought through the other node");
    // Nodes that change different lots conflict too, because each entry has the account's balance.
    grant(&other, account, "bought more", 5).await;
    hold(&core, account, JobId::new(), 1).await.expect("some of it");
    let entries = ledger::entries(&core, &Caller::customer(account), &EntryFilter::default(), None, 10)
        .await
        .expect("a statement");
    assert_eq!(entries.first().map(|entry| entry.balance_after), Some(34));
    is_clean(&core).await;
}

#[actix::test]
async fn hold_settled_on_one_node_cannot_be_settled_on_another() {
    let core = TestCore::new().await;
    let other = core.another("other");
    let (account, job) = (UserId::new(), JobId::new());
    grant(&core, account, "welcome", 50).await;
    hold(&core, account, job, 20).await.expect("enough credits");
    let both = join_all([settle(&core, account, job, 5), settle(&other, account, job, 5)]).await;
    assert_eq!(both.iter().filter(|outcome| outcome.is_ok()).count(), 1, "{both:?}");
    let balance = ledger::balance(&core, &Caller::customer(account)).await.expect("a balance");
    assert_eq!(balance.available, 45);
    is_clean(&core).await;
}

/// An attached row whose value decides its outcome.
struct Moody;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mood {
    Fine,
    Refused,
    /// The database refuses the row, and thereby the statement.
    Bad,
}

impl AttachedWriter for Moody {
    fn order(&self) -> u8 {
        200
    }

    fn write<'a>(
        &'a self,
        connection: &'a mut PgConnection,
        rows: &'a [Arc<dyn Any + Send + Sync>],
    ) -> BoxFuture<'a, sqlx::Result<Vec<AttachedOutcome>>> {
        Box::pin(async move {
            let moods: Vec<Mood> = rows.iter().filter_map(|row| row.downcast_ref::<Mood>().copied()).collect();
            if moods.contains(&Mood::Bad) {
                sqlx::query("SELECT '\\u0000'::jsonb").execute(connection).await?;
                sqlx::Result::Err(sqlx::Error::Protocol("the database took a bad row".into()))
            } else {
                Ok(moods
                    .into_iter()
                    .map(|mood| {
                        if mood == Mood::Refused {
                            AttachedOutcome::Refused(Box::new("no"))
                        } else {
                            AttachedOutcome::Done
                        }
                    })
                    .collect())
            }
        })
    }
}

async fn moody(core: &Core, account: UserId, want: i64, mood: Mood) -> Result<i64, PostError> {
    let attached = Some(AttachedRow { writer: &Moody, row: Arc::new(mood) });
    let movement = Movement::Hold { job: JobId::new(), want, at_least: want, day_ceiling: None };
    core.ledger.post(LedgerPost { account, movement, attached }).await.map(|posted| posted.amount)
}

#[actix::test]
async fn invalid_row_fails_alone() {
    let core = TestCore::new().await;
    let account = UserId::new();
    grant(&core, account, "welcome", 1000).await;
    let moods = (0..64).map(|number| if number % 13 == 5 { Mood::Bad } else { Mood::Fine });
    let outcomes = join_all(moods.map(|mood| {
        let core = &core;
        async move { (mood, moody(core, account, 1, mood).await) }
    }))
    .await;
    for (mood, outcome) in &outcomes {
        match mood {
            Mood::Bad => assert!(matches!(outcome, Err(PostError::Failed(Error::Database(_)))), "{outcome:?}"),
            _ => assert!(outcome.is_ok(), "a neighbour of a bad row failed: {outcome:?}"),
        }
    }
    let fine = outcomes.iter().filter(|(mood, _)| *mood == Mood::Fine).count();
    let balance = ledger::balance(&core, &Caller::customer(account)).await.expect("a balance");
    assert_eq!(balance.held, i64::try_from(fine).unwrap_or(0));
    is_clean(&core).await;
}

#[actix::test]
async fn refused_row_undoes_its_movement_and_denied_posts_stay_denied() {
    let core = TestCore::new().await;
    // If both are in one batch, the refused post takes all credits and the next post is denied. It stays denied
    // although the refusal leaves the credits over, because its row was not written. The lane has its own thread and
    // may commit the first post before the second arrives; the test then tries again.
    for _ in 0..50 {
        let account = UserId::new();
        grant(&core, account, "welcome", 10).await;
        let (refused, behind) =
            futures_util::join!(moody(&core, account, 10, Mood::Refused), moody(&core, account, 10, Mood::Fine));
        assert!(matches!(refused, Err(PostError::Refused(why)) if why.is::<&str>()));
        let balance = ledger::balance(&core, &Caller::customer(account)).await.expect("a balance");
        match behind {
            Err(PostError::Denied(Denial::OutOfCredits { .. })) => {
                assert_eq!((balance.available, balance.held), (10, 0));
                return is_clean(&core).await;
            }
            alone => {
                alone.expect("the other posts of a refused batch");
                assert_eq!((balance.available, balance.held), (0, 10));
            }
        }
    }
    panic!("the two concurrent posts were never in one batch");
}

#[actix::test]
async fn expiring_lots_are_spent_first_and_written_off_later() {
    let core = TestCore::new().await;
    let account = UserId::new();
    let soon = core.clock.now() + chrono::Duration::days(1);
    let expiring = NewGrant { kind: GrantKind::Coupon, source: "c".into(), amount: 40, expires_at: Some(soon) };
    ledger::grant(&core, account, expiring).await.expect("a grant");
    grant(&core, account, "bought", 60).await;
    let job = JobId::new();
    hold(&core, account, job, 50).await.expect("enough credits");
    core.clock.advance(chrono::Duration::days(2));
    settle(&core, account, job, 10).await.expect("an open hold");
    ledger::expire_due(&core).await.expect("a sweep");
    let balance = ledger::balance(&core, &Caller::customer(account)).await.expect("a balance");
    assert_eq!((balance.available, balance.held), (60, 0), "10 were used of the coupon, its other 30 expired");
    is_clean(&core).await;
}

#[actix::test]
async fn audit_finds_a_manually_added_credit() {
    let core = TestCore::new().await;
    let account = UserId::new();
    grant(&core, account, "welcome", 10).await;
    is_clean(&core).await;
    sqlx::query("UPDATE credit_grants SET amount = amount + 1, remaining = remaining + 1")
        .execute(&core.db)
        .await
        .expect("a manual change");
    let report = reconcile(&core.db).await.expect("an audit");
    assert!(!report.is_clean(), "the audit must not believe the balance");
}

#[actix::test]
async fn operator_grant_is_limited_audited_once_and_needs_a_user() {
    let core = TestCore::new().await;
    let account = users::factory::user().insert(&core.db).await;
    let operator = users::factory::user().admin().insert(&core.db).await;
    let admin = Caller { admin: true, ..Caller::customer(operator) };
    let give = async |to: UserId, amount: i64, source: &str, days: i64| {
        let expires_at = (days != 0).then(|| core.clock.now() + chrono::TimeDelta::days(days));
        let new = NewGrant { kind: GrantKind::Operator, source: source.into(), amount, expires_at };
        ledger::grant_by_operator(&core, &admin, to, new).await
    };
    let lines = async || {
        let filter = log::AuditFilter { action: Some(log::Action::CreditGrant), ..log::AuditFilter::default() };
        log::entries(&core, &admin, filter, None, 100).await.expect("the log").len()
    };
    for amount in [0, -1, ledger::MAX_GRANT + 1, i64::MAX] {
        assert!(matches!(give(account, amount, "odd", 0).await, Err(Error::Invalid { .. })), "{amount} was given");
    }
    assert!(matches!(give(account, 5, "late", -1).await, Err(Error::Invalid { .. })), "granted with a past expiry");
    assert!(
        matches!(give(UserId::new(), 5, "nobody", 0).await, Err(Error::NotFound { .. })),
        "granted to an unknown user"
    );
    assert_eq!(lines().await, 0, "a refused grant was logged");
    for _ in 0..2 {
        assert_eq!(give(account, 6_000, "kind words", 1).await.expect("a grant").available, 6_000);
        assert_eq!(lines().await, 1, "a repeated grant was logged again");
    }
    let rich = users::factory::user().insert(&core.db).await;
    let lots = "INSERT INTO credit_grants (id, account_id, kind, source, amount, remaining, issued_at)
                SELECT gen_random_uuid(), $1, 2, 'lot ' || n, $2, $2, now() FROM generate_series(1, 999) AS n";
    sqlx::query(lots).bind(rich.0).bind(ledger::MAX_GRANT).execute(&core.db).await.expect("lots");
    give(rich, ledger::MAX_GRANT, "up to the limit", 0).await.expect("a grant");
    let full = give(rich, 1, "one too many", 0).await;
    assert!(matches!(full, Err(Error::Refused { code: Code::CreditLimit, .. })), "{full:?}");
    assert_eq!(lines().await, 2, "a grant without a line, or a line without a grant");
    assert_eq!(ledger::available(&core, rich).await.expect("a balance"), ledger::MAX_BALANCE);
    let past_the_domain = sqlx::query(
        "INSERT INTO credit_grants (id, account_id, kind, source, amount, remaining, issued_at)
         VALUES (gen_random_uuid(), $1, 2, 'by hand', 1000000000001, 1000000000001, now())",
    );
    let refused = past_the_domain.bind(account.0).execute(&core.db).await;
    assert!(refused.is_err_and(|error| error.to_string().contains("credit_grants_amount_check")));
}

#[actix::test]
async fn absurd_account_does_not_stop_the_audit() {
    let core = TestCore::new().await;
    let account = UserId::new();
    // Neither the domain nor the database allows such grants; the test inserts them anyway.
    sqlx::query("ALTER TABLE credit_grants DROP CONSTRAINT credit_grants_amount_check")
        .execute(&core.db)
        .await
        .expect("a table as it was");
    for source in ["one", "two"] {
        sqlx::query(
            "INSERT INTO credit_grants (id, account_id, kind, source, amount, remaining, issued_at)
             VALUES (gen_random_uuid(), $1, 2, $2, 9223372036854775807, 9223372036854775807, now())",
        )
        .bind(account.0)
        .bind(source)
        .execute(&core.db)
        .await
        .expect("a row");
    }
    let report = reconcile(&core.db).await.expect("an audit");
    assert_eq!((report.grants, report.granted), (2, i64::MAX));
    assert_eq!(report.differences.len(), 2, "two grants without entries: {:?}", report.differences);
}
