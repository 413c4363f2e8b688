//! Full and incremental audits of the ledger with a real database.

use futures_util::future::join_all;
use verdigraph_core::Core;
use verdigraph_core::ids::{JobId, UserId};
use verdigraph_core::ledger::{
    self, Audit, GrantKind, IncrementalAudit, LedgerPost, Movement, NewGrant, audit, audit_task, full_audit, reconcile,
};
use verdigraph_core::testing::TestCore;

async fn grant(core: &Core, account: UserId, source: &str, amount: i64) {
    let grant = NewGrant { kind: GrantKind::Operator, source: source.into(), amount, expires_at: None };
    ledger::grant(core, account, grant).await.expect("a grant");
}

async fn post(core: &Core, account: UserId, movement: Movement) {
    core.ledger.post(LedgerPost { account, movement, attached: None }).await.expect("credits that allow it");
}

async fn hold(core: &Core, account: UserId, want: i64) -> JobId {
    let job = JobId::new();
    post(core, account, Movement::Hold { job, want, at_least: want, day_ceiling: None }).await;
    job
}

async fn settle(core: &Core, account: UserId, job: JobId, used: i64) {
    post(core, account, Movement::Settle { job, used }).await;
}

async fn debit(core: &Core, account: UserId, source: &str, amount: i64) {
    post(core, account, Movement::Debit { source: source.into(), amount }).await;
}

async fn run(core: &Core, statement: &'static str, account: UserId) {
    let written = sqlx::query(statement).bind(account.0).execute(&core.db).await;
    assert!(written.expect("a manual change").rows_affected() > 0, "no row was changed by {statement}");
}

/// Runs an incremental audit.
async fn since(core: &Core) -> IncrementalAudit {
    match audit(&core.db).await.expect("an audit") {
        Audit::Incremental(progress) => progress,
        Audit::Full(report) => panic!("the audit was not incremental: {report:?}"),
    }
}

/// A proved account with an open hold from before the proof, one that was settled since, and the same for holds after
/// the proof.
async fn proved_account(core: &Core) -> UserId {
    let account = UserId::new();
    grant(core, account, "one", 100).await;
    grant(core, account, "two", 1000).await;
    let (before, _open) = (hold(core, account, 70).await, hold(core, account, 50).await);
    let whole = full_audit(&core.db).await.expect("an audit");
    assert!(whole.report().is_clean(), "{whole:?}");
    settle(core, account, before, 30).await;
    let after = hold(core, account, 40).await;
    settle(core, account, after, 45).await;
    hold(core, account, 20).await;
    debit(core, account, "two", 300).await;
    grant(core, account, "three", 10).await;
    account
}

#[actix::test]
async fn incremental_audit_reads_only_changed_accounts() {
    let core = TestCore::new().await;
    let others: Vec<UserId> = (0..40).map(|_| UserId::new()).collect();
    for account in &others {
        grant(&core, *account, "welcome", 10).await;
    }
    // Without proofs the first audit is a full one.
    assert!(matches!(audit(&core.db).await.expect("an audit"), Audit::Full(_)));
    assert_eq!((since(&core).await.moved, since(&core).await.read), (0, 0), "no credits have moved");
    let account = proved_account(&core).await;
    let progress = since(&core).await;
    assert!(progress.report.is_clean(), "{progress:?}");
    assert_eq!((progress.moved, progress.reproved), (1, 0), "one account, and it follows from its proof: {progress:?}");
    // Captured and released of the old hold; held, held more, captured in two lots; held; debited; granted.
    let entries: i64 = sqlx::query_scalar("SELECT count(*) FROM credit_entries WHERE account_id = $1 AND version > 4")
        .bind(account.0)
        .fetch_one(&core.db)
        .await
        .expect("a count");
    assert_eq!(i64::try_from(progress.read).ok(), Some(entries), "the entries since the proof, and no others");
    let whole = reconcile(&core.db).await.expect("an audit");
    let sums = |report: &ledger::Reconciliation| {
        let sums = [report.granted, report.available, report.held, report.spent, report.expired, report.debited];
        (report.accounts, report.grants, report.entries, sums)
    };
    assert_eq!(sums(&progress.report), sums(&whole), "both come to the same");
    let (began, last) = (progress.full_audit_at, progress.since);
    assert!(began <= last && since(&core).await.since > last, "it says since when");
    // A new account has no proof.
    let newcomer = UserId::new();
    grant(&core, newcomer, "welcome", 5).await;
    let progress = since(&core).await;
    assert_eq!((progress.moved, progress.reproved, progress.report.is_clean()), (1, 1, true), "{progress:?}");
}

/// Manual changes of rows that are newer than the proof.
const BY_HAND: [(&str, &str); 22] = [
    ("credits", "UPDATE credit_grants SET amount = amount + 1, remaining = remaining + 1 WHERE account_id = $1"),
    ("spent", "UPDATE credit_grants SET spent = spent - 1, remaining = remaining + 1 WHERE account_id = $1 AND spent > 0"),
    ("held", "UPDATE credit_grants SET held = held - 1, remaining = remaining + 1 WHERE account_id = $1 AND held > 0"),
    (
        "a lot",
        "INSERT INTO credit_grants (id, account_id, kind, source, amount, remaining, issued_at)
         VALUES (gen_random_uuid(), $1, 2, 'by hand', 7, 7, now())",
    ),
    ("a lot's end", "DELETE FROM credit_grants WHERE account_id = $1 AND source = 'three'"),
    ("a capture", "DELETE FROM credit_entries WHERE account_id = $1 AND kind = 2 AND version > 4"),
    ("a grant's entry", "DELETE FROM credit_entries WHERE account_id = $1 AND kind = 0 AND version > 4"),
    ("an amount", "UPDATE credit_entries SET amount = amount + 1 WHERE account_id = $1 AND kind = 3 AND version > 4"),
    ("a balance", "UPDATE credit_entries SET balance_after = balance_after + 1 WHERE account_id = $1 AND kind = 3 AND version > 4"),
    ("the last balance", "UPDATE credit_entries SET balance_after = 1 WHERE account_id = $1 AND kind = 0 AND version > 4"),
    (
        "an entry twice",
        "INSERT INTO credit_entries (id, account_id, grant_id, job_id, kind, amount, balance_after, created_at, version)
         SELECT overlay(id::text placing 'ff' from 35)::uuid, account_id, grant_id, job_id, kind, amount,
                balance_after, created_at, version
         FROM credit_entries WHERE account_id = $1 AND kind = 2 AND version > 4 LIMIT 1",
    ),
    ("another's entry", "UPDATE credit_entries SET account_id = gen_random_uuid() WHERE account_id = $1 AND kind = 3 AND version > 4"),
    ("a hold that is settled", "UPDATE credit_holds SET captured = captured + 1 WHERE account_id = $1 AND state = 1 AND captured < held"),
    ("a hold that ends", "UPDATE credit_holds SET state = 1 WHERE account_id = $1 AND state = 0 AND held = 20"),
    ("a hold's end", "UPDATE credit_holds SET state = 0 WHERE account_id = $1 AND state = 1"),
    (
        "a hold twice",
        "INSERT INTO credit_holds (job_id, account_id, state, held, captured, grant_ids, amounts, created_at)
         SELECT job_id, account_id, 0, held, captured, grant_ids, amounts, created_at
         FROM credit_holds WHERE account_id = $1 AND state = 1",
    ),
    ("debited", "UPDATE credit_grants SET debited = debited - 1, remaining = remaining + 1 WHERE account_id = $1 AND debited > 0"),
    ("debited for spent", "UPDATE credit_grants SET debited = debited + 1, spent = spent - 1 WHERE account_id = $1 AND spent > 0"),
    ("a debit", "DELETE FROM credit_entries WHERE account_id = $1 AND kind = 5"),
    ("a debit's kind", "UPDATE credit_entries SET kind = 4 WHERE account_id = $1 AND kind = 5"),
    (
        "a debit's lot",
        "UPDATE credit_entries SET grant_id = (SELECT id FROM credit_grants WHERE account_id = $1 AND source = 'one')
         WHERE account_id = $1 AND kind = 5",
    ),
    (
        "a debit twice",
        "INSERT INTO credit_entries (id, account_id, grant_id, kind, amount, balance_after, created_at, version)
         SELECT overlay(id::text placing 'ff' from 35)::uuid, account_id, grant_id, kind, 1, balance_after - 1,
                created_at, version
         FROM credit_entries WHERE account_id = $1 AND kind = 5",
    ),
];

#[actix::test]
async fn manual_changes_are_found_by_full_and_incremental_audits() {
    for (what, statement) in BY_HAND {
        let core = TestCore::new().await;
        let account = proved_account(&core).await;
        assert!(reconcile(&core.db).await.expect("an audit").is_clean(), "before the change");
        run(&core, statement, account).await;
        assert!(!reconcile(&core.db).await.expect("an audit").is_clean(), "{what}: not found by a full audit");
        let progress = since(&core).await;
        assert!(!progress.report.is_clean(), "{what}: not found from the last proof");
        assert!(!since(&core).await.report.is_clean(), "{what}: found once, and forgotten");
    }
}

#[actix::test]
async fn debits_are_proved_from_the_start_and_from_the_last_proof() {
    let core = TestCore::new().await;
    let account = UserId::new();
    grant(&core, account, "one", 100).await;
    debit(&core, account, "one", 30).await;
    let whole = full_audit(&core.db).await.expect("an audit");
    assert!(whole.report().is_clean(), "{whole:?}");
    assert_eq!((whole.report().available, whole.report().debited), (70, 30));
    // From the proof of a full audit, then from an incremental one.
    for (round, left) in [(1, 40), (2, 10)] {
        debit(&core, account, "one", 30).await;
        let progress = since(&core).await;
        assert_eq!((progress.moved, progress.reproved, progress.read), (1, 0, 1), "round {round}: {progress:?}");
        assert!(progress.report.is_clean(), "round {round}: {progress:?}");
        assert_eq!((progress.report.available, progress.report.debited), (left, 100 - left), "round {round}");
    }
    // A lot without credits left is in no proof; its sums are.
    debit(&core, account, "one", 10).await;
    assert_eq!(since(&core).await.reproved, 0);
    grant(&core, account, "two", 5).await;
    let progress = since(&core).await;
    assert_eq!(
        (progress.reproved, progress.report.is_clean(), progress.report.debited),
        (0, true, 100),
        "{progress:?}"
    );
    assert!(reconcile(&core.db).await.expect("an audit").is_clean());
}

#[actix::test]
async fn proof_from_before_debits_is_one_to_go_on_from() {
    let core = TestCore::new().await;
    let account = UserId::new();
    grant(&core, account, "one", 100).await;
    assert!(full_audit(&core.db).await.expect("an audit").report().is_clean());
    run(&core, "UPDATE credit_proofs SET lot_debited = '{}' WHERE account_id = $1", account).await;
    debit(&core, account, "one", 30).await;
    let progress = since(&core).await;
    assert_eq!((progress.reproved, progress.report.is_clean()), (0, true), "{progress:?}");
}

#[actix::test]
async fn change_of_proved_rows_is_found_by_full_audits_until_it_is_repaired() {
    let core = TestCore::new().await;
    let account = proved_account(&core).await;
    assert!(since(&core).await.report.is_clean());
    run(&core, "UPDATE credit_holds SET captured = captured + 1 WHERE account_id = $1 AND captured = 30", account)
        .await;
    let progress = since(&core).await;
    assert!(progress.report.is_clean(), "an unchanged account was audited again, proved at {}", progress.since);
    let whole = full_audit(&core.db).await.expect("an audit");
    assert_eq!(whole.report().differences.len(), 1, "{whole:?}");
    let regular = audit_task(&core).await.expect_err("an error that the operator sees");
    assert!(regular.to_string().contains("the ledger does not add up"), "{regular}");
    run(&core, "UPDATE credit_holds SET captured = captured - 1 WHERE account_id = $1 AND captured = 31", account)
        .await;
    assert!(matches!(audit(&core.db).await, Ok(Audit::Full(report)) if report.is_clean()));
    assert_eq!(audit_task(&core).await.expect("all is well"), 0, "no credits have moved since");
}

#[actix::test]
async fn manually_changed_proof_is_replaced_without_a_difference() {
    let core = TestCore::new().await;
    let account = proved_account(&core).await;
    run(
        &core,
        "UPDATE credit_proofs SET available = available + 1, granted = granted + 1 WHERE account_id = $1",
        account,
    )
    .await;
    let progress = since(&core).await;
    assert_eq!((progress.reproved, progress.report.is_clean()), (1, true), "{progress:?}");
    hold(&core, account, 1).await;
    assert_eq!(since(&core).await.reproved, 0, "the new proof is one to go on from");
}

#[actix::test]
async fn entries_of_a_slow_clock_cost_a_new_proof_and_are_no_difference() {
    let core = TestCore::new().await;
    let account = proved_account(&core).await;
    let old = "UPDATE credit_entries SET id = overlay(id::text placing '00000000' from 1 for 8)::uuid
               WHERE account_id = $1 AND version > 4";
    run(&core, old, account).await;
    let progress = since(&core).await;
    assert_eq!((progress.reproved, progress.report.is_clean()), (1, true), "{progress:?}");
}

#[actix::test]
async fn interrupted_audit_continues_where_it_stopped() {
    let core = TestCore::new().await;
    let accounts: Vec<UserId> = (0..1100).map(|_| UserId::new()).collect();
    join_all(accounts.iter().map(|account| grant(&core, *account, "welcome", 10))).await;
    assert!(audit(&core.db).await.expect("an audit").report().is_clean());
    join_all(accounts.iter().map(|account| hold(&core, *account, 1))).await;
    let broken = format!(
        "CREATE FUNCTION breaks() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'the power fails'; END $$;
         CREATE TRIGGER breaks BEFORE INSERT ON credit_proofs FOR EACH ROW WHEN (NEW.account_id = '{}')
         EXECUTE FUNCTION breaks()",
        accounts[1050]
    );
    sqlx::raw_sql(sqlx::AssertSqlSafe(broken)).execute(&core.db).await.expect("a trigger");
    audit(&core.db).await.expect_err("it was cut short");
    sqlx::raw_sql("DROP TRIGGER breaks ON credit_proofs").execute(&core.db).await.expect("no trigger");
    let progress = since(&core).await;
    assert!(progress.report.is_clean(), "{progress:?}");
    assert_eq!(
        (progress.moved, progress.reproved),
        (100, 0),
        "accounts proved before the interruption are not proved again"
    );
}

#[actix::test]
async fn credits_can_move_during_audits() {
    let core = TestCore::new().await;
    let accounts: Vec<UserId> = (0..5).map(|_| UserId::new()).collect();
    for account in &accounts {
        grant(&core, *account, "welcome", 10_000).await;
    }
    let (core, accounts) = (&core, &accounts);
    let moving = join_all(accounts.iter().map(|account| async move {
        for used in 0..150 {
            let job = hold(core, *account, 5).await;
            settle(core, *account, job, used % 7).await;
        }
    }));
    let proving = async {
        let mut moved = 0;
        for _ in 0..25 {
            // Two audits at once: one stores its proofs, both results are valid.
            let (one, two) = futures_util::join!(audit(&core.db), audit(&core.db));
            for audit in [one, two] {
                let audit = audit.expect("an audit");
                assert!(audit.report().is_clean(), "{audit:?}");
                moved += if let Audit::Incremental(progress) = audit { progress.moved } else { 0 };
            }
        }
        moved
    };
    let (_, moved) = futures_util::join!(moving, proving);
    assert!(moved > 0, "no credits moved during the audits");
    assert!(since(core).await.report.is_clean() && reconcile(&core.db).await.expect("an audit").is_clean());
}
