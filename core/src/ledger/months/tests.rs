//! Entries and holds in the partitions of their months.

use std::collections::BTreeMap;

use futures_util::future::join_all;
use sqlx::{Connection as _, PgExecutor};
use uuid::Uuid;

use super::{ENTRIES, SETTLED, maintain_months};
use crate::database::monthly::{Month, MonthlyTable};
use crate::ids::{JobId, UserId};
use crate::ledger::{
    Audit, Denial, EntryFilter, GrantKind, LedgerPost, Movement, NewGrant, PostError, PostReceipt, audit, entries,
    full_audit, grant,
};
use crate::testing::TestCore;
use crate::{Caller, Core};

/// A core with partitions, and the month of its database.
async fn months() -> (TestCore, Month) {
    let core = TestCore::new().await;
    maintain_months(&core).await.expect("a round");
    let this = Month::of(ENTRIES.now(&core.db).await.expect("a time"));
    (core, this)
}

async fn granted(core: &Core) -> UserId {
    let account = UserId::new();
    let new = NewGrant { kind: GrantKind::Operator, source: "welcome".into(), amount: 100, expires_at: None };
    grant(core, account, new).await.expect("a grant");
    account
}

async fn post(core: &Core, account: UserId, movement: Movement) -> Result<PostReceipt, PostError> {
    core.ledger.post(LedgerPost { account, movement, attached: None }).await
}

/// Holds 30 credits for a job of this month.
async fn hold(core: &Core, account: UserId, month: Month) -> JobId {
    let job = JobId(month.new_id());
    let movement = Movement::Hold { job, want: 30, at_least: 30, day_ceiling: None };
    post(core, account, movement).await.expect("enough credits");
    job
}

async fn settle(core: &Core, account: UserId, job: JobId) -> Result<PostReceipt, PostError> {
    post(core, account, Movement::Settle { job, used: 12 }).await
}

/// The partition of a hold.
async fn table_of(core: &Core, job: JobId) -> String {
    let table = sqlx::query_scalar("SELECT tableoid::regclass::text FROM credit_holds WHERE job_id = $1").bind(job.0);
    table.fetch_one(&core.db).await.expect("one hold of the job")
}

/// Gives the entries of a kind another id.
async fn move_entries(core: &Core, account: UserId, kind: i16, id: Uuid) {
    let moved = sqlx::query("UPDATE credit_entries SET id = $1 WHERE account_id = $2 AND kind = $3")
        .bind(id)
        .bind(account.0)
        .bind(kind)
        .execute(&core.db)
        .await
        .expect("an id");
    assert_eq!(moved.rows_affected(), 1, "entries of kind {kind}");
}

/// The partitions of rows, with the number of their rows.
async fn counts(db: impl PgExecutor<'_>, sql: &'static str) -> BTreeMap<String, i64> {
    let rows: Vec<(String, i64)> = sqlx::query_as(sql).fetch_all(db).await.expect("counts");
    rows.into_iter().collect()
}

const ENTRY_COUNTS: &str = "SELECT tableoid::regclass::text, count(*) FROM credit_entries GROUP BY 1";
const HOLD_COUNTS: &str = "SELECT tableoid::regclass::text, count(*) FROM credit_holds GROUP BY 1";

#[actix::test]
async fn settled_hold_moves_from_the_open_ones_to_the_month_of_its_job() {
    let (core, this) = months().await;
    assert_eq!(maintain_months(&core).await.expect("a round"), 0, "partitions are created once");
    let account = granted(&core).await;
    let job = hold(&core, account, this.later(1)).await;
    assert_eq!(table_of(&core, job).await, "credit_holds_open");
    let extend = Movement::Extend { job, by: 5, day_ceiling: None };
    post(&core, account, extend).await.expect("enough credits");
    assert_eq!(table_of(&core, job).await, "credit_holds_open", "a hold that was extended");
    settle(&core, account, job).await.expect("an open hold");
    assert_eq!(table_of(&core, job).await, SETTLED.partition_name(this.later(1)));
    let expected = BTreeMap::from([(ENTRIES.partition_name(this), 6)]);
    assert_eq!(counts(&core.db, ENTRY_COUNTS).await, expected, "granted, held twice, captured, released twice");
}

#[actix::test]
async fn statement_and_audits_read_entries_and_holds_of_all_months() {
    let (core, this) = months().await;
    let account = granted(&core).await;
    let (first, second) = (hold(&core, account, this).await, this.later(1).min_id());
    settle(&core, account, first).await.expect("an open hold");
    // The last id of a month, the first of the next one, one of the month after it, and one of a month without a table.
    let ids = [Uuid::from_u128(second.as_u128() - 1), second, this.later(2).new_id(), this.later(4).new_id()];
    for (kind, id) in (0..).zip(ids) {
        move_entries(&core, account, kind, id).await;
    }
    let months = [this, this.later(1), this.later(2)].map(|month| (ENTRIES.partition_name(month), 1));
    let mut expected = BTreeMap::from(months);
    expected.insert("credit_entries_default".into(), 1);
    assert_eq!(counts(&core.db, ENTRY_COUNTS).await, expected);

    let (caller, mut lines, mut before) = (Caller::customer(account), Vec::new(), None);
    for _ in 0..ids.len() {
        let page = entries(&core, &caller, &EntryFilter::default(), before, 1).await.expect("a statement");
        before = page.last().map(|entry| entry.id);
        lines.extend(page.iter().map(|entry| (entry.id.0, entry.amount)));
    }
    let [grant, hold_entry, capture, release] = ids;
    assert_eq!(lines, [(release, 18), (capture, 12), (hold_entry, 30), (grant, 100)], "newest first");

    let late = hold(&core, account, this.later(6)).await;
    let whole = full_audit(&core.db).await.expect("an audit");
    assert!(whole.report().is_clean(), "{whole:?}");
    assert_eq!((whole.report().holds, whole.report().entries), (2, 5));
    settle(&core, account, late).await.expect("an open hold");
    let progress = match audit(&core.db).await.expect("an audit") {
        Audit::Incremental(progress) => progress,
        Audit::Full(report) => panic!("the audit was not incremental: {report:?}"),
    };
    assert_eq!((progress.moved, progress.reproved, progress.report.is_clean()), (1, 0, true), "{progress:?}");

    for (table, month) in [(ENTRIES, this.later(4)), (SETTLED, this.later(6))] {
        table.make(&core.db, month).await.expect("a partition");
    }
    let rows = counts(&core.db, ENTRY_COUNTS).await;
    assert_eq!(rows.get(&ENTRIES.partition_name(this.later(4))), Some(&1), "it left the default partition: {rows:?}");
    assert_eq!(table_of(&core, late).await, SETTLED.partition_name(this.later(6)));
    assert!(full_audit(&core.db).await.expect("an audit").report().is_clean());
}

#[actix::test]
async fn second_settlement_is_denied_in_every_month() {
    let (core, this) = months().await;
    let other = core.another("other");
    let account = granted(&core).await;
    // The last one has no partition of its month.
    let mut jobs = Vec::new();
    for month in [this, this.later(3), this.later(5)] {
        jobs.push(hold(&core, account, month).await);
    }
    for job in &jobs {
        settle(&other, account, *job).await.expect("an open hold");
    }
    assert_eq!(table_of(&core, jobs[2]).await, "credit_holds_settled_default");
    for node in [&core.core, &other] {
        for denied in join_all(jobs.iter().map(|job| settle(node, account, *job))).await {
            assert!(matches!(denied, Err(PostError::Denied(Denial::HoldEnded))), "{denied:?}");
        }
        let denied = settle(node, account, JobId(this.new_id())).await;
        assert!(matches!(denied, Err(PostError::Denied(Denial::HoldUnknown))), "{denied:?}");
    }
}

/// Fails if the plan reads another month than this one of four.
fn reads_only(plan: &str, table: MonthlyTable, this: Month, month: Month) {
    assert!(plan.contains(&table.partition_name(month)), "the month is not read:\n{plan}");
    for other in (0..=3).map(|later| this.later(later)).filter(|other| *other != month) {
        assert!(!plan.contains(&table.partition_name(other)), "another month is read:\n{plan}");
    }
    assert!(!plan.contains("_default"), "rows without a month are read:\n{plan}");
}

#[actix::test]
async fn lookups_and_settlements_read_one_partition() {
    let (core, this) = months().await;
    sqlx::raw_sql(
        "CREATE FUNCTION id_at(at timestamptz, n int) RETURNS uuid LANGUAGE sql AS $$
           SELECT (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || lpad(n::text, 20, '0'))::uuid $$;
         CREATE TEMP TABLE scene AS SELECT n, at, id_at(at, n) AS id, lpad((n % 50)::text, 32, '0')::uuid AS account
         FROM generate_series(1, 4000) n, LATERAL (SELECT now() + n * interval '20 minutes' AS at) later;
         INSERT INTO credit_holds (job_id, account_id, state, held, captured, grant_ids, amounts, created_at)
         SELECT id, account, n % 2, 1, 0, '{}', '{}', at FROM scene;
         INSERT INTO credit_entries (id, account_id, grant_id, job_id, kind, amount, balance_after, created_at, version)
         SELECT id, account, id, id, 1, 1, 1, at, n FROM scene;
         ANALYZE credit_holds; ANALYZE credit_entries",
    )
    .execute(&core.db)
    .await
    .expect("rows");
    let next = this.later(1);
    let hold = async |state: i16| -> Uuid {
        sqlx::query_scalar("SELECT job_id FROM credit_holds WHERE state = $1 AND job_id >= $2 ORDER BY job_id LIMIT 1")
            .bind(state)
            .bind(next.min_id())
            .fetch_one(&core.db)
            .await
            .expect("a hold")
    };
    let (open, settled) = (hold(0).await, hold(1).await);

    let sql = "SELECT held FROM credit_holds WHERE state = 0 AND job_id = ANY($1)";
    let plan = core.database.plan("uuid[]", sql, &format!("'{{{open}}}'")).await;
    assert!(plan.contains("credit_holds_open") && !plan.contains("credit_holds_settled"), "{plan}");

    let sql = "SELECT held FROM credit_holds
               WHERE state = 1 AND job_id = ANY($1) AND job_id >= $2 AND job_id <= $3";
    let values = format!("'{{{settled}}}', '{settled}', '{settled}'");
    let plan = core.database.plan("uuid[], uuid, uuid", sql, &values).await;
    reads_only(&plan, SETTLED, this, next);
    assert!(!plan.contains("credit_holds_open"), "{plan}");

    let sql = "UPDATE credit_holds h SET state = v.state, held = v.held
               FROM UNNEST($1::uuid[], $2::bigint[], $3::smallint[], $4::bigint[]) AS v(job_id, was_held, state, held)
               WHERE h.job_id = v.job_id AND h.state = 0 AND h.held = v.was_held RETURNING 1";
    let values = format!("'{{{open}}}', '{{1}}', '{{1}}', '{{1}}'");
    let plan = core.database.plan("uuid[], bigint[], smallint[], bigint[]", sql, &values).await;
    assert!(plan.contains("credit_holds_open") && !plan.contains("credit_holds_settled"), "{plan}");
    assert_eq!(table_of(&core, JobId(open)).await, SETTLED.partition_name(next), "it was settled");

    let sql = "SELECT amount FROM credit_entries WHERE account_id = $1 AND id >= $2 AND id < $3
               ORDER BY id DESC LIMIT 20";
    let account = "'00000000-0000-0000-0000-000000000007'";
    let values = format!("{account}, '{}', '{}'", next.min_id(), next.later(1).min_id());
    let plan = core.database.plan("uuid, uuid, uuid", sql, &values).await;
    reads_only(&plan, ENTRIES, this, next);
    assert!(!plan.contains("Seq Scan"), "{plan}");

    let sql = "SELECT e.amount FROM UNNEST($1::uuid[], $2::bigint[], $3::uuid[]) AS p(account_id, version, floor)
               JOIN credit_entries e ON e.account_id = p.account_id AND e.id >= p.floor AND e.version > p.version
               WHERE e.id >= $4 ORDER BY e.version, e.id";
    let floor = next.min_id();
    let values = format!("ARRAY[{account}::uuid], '{{1}}', '{{{floor}}}', '{floor}'");
    let plan = core.database.plan("uuid[], bigint[], uuid[], uuid", sql, &values).await;
    assert!(!plan.contains(&ENTRIES.partition_name(this)), "a month before the proofs is read:\n{plan}");
    assert!(plan.contains(&ENTRIES.partition_name(next)), "{plan}");
}

#[actix::test]
async fn migration_keeps_all_rows_and_serves_statements_of_the_previous_version() {
    let core = TestCore::new().await;
    let this = Month::of(ENTRIES.now(&core.db).await.expect("a time"));
    let mut old = core.db.acquire().await.expect("a connection").detach();
    let make = |sql: &'static str| sqlx::raw_sql(sql);
    make("CREATE SCHEMA before; SET search_path = before").execute(&mut old).await.expect("a schema");
    for migration in [
        include_str!("../../../migrations/0004_ledger.sql"),
        include_str!("../../../migrations/0019_ledger_accounts.sql"),
        include_str!("../../../migrations/0024_ledger_proofs.sql"),
        include_str!("../../../migrations/0098_ledger_day_spending.sql"),
        include_str!("../../../migrations/0103_ledger_debits.sql"),
    ] {
        make(migration).execute(&mut old).await.expect("tables");
    }
    // Of three rows one has an id of a clock that is fast by centuries.
    make(
        "INSERT INTO credit_holds (job_id, account_id, state, held, captured, grant_ids, amounts, created_at)
         SELECT id, id, n % 2, n, 0, ARRAY[id], ARRAY[n], '2023-12-01'
         FROM generate_series(0, 29) n, LATERAL (SELECT (CASE n % 3 WHEN 0 THEN 'f18c251e' ELSE '018c251e' END
              || '-c400-7000-8000-' || lpad(n::text, 12, '0'))::uuid AS id) ids;
         INSERT INTO credit_entries (id, account_id, grant_id, job_id, kind, amount, balance_after, created_at, version)
         SELECT job_id, account_id, job_id, job_id, 5, held + 1, held, created_at, held FROM credit_holds",
    )
    .execute(&mut old)
    .await
    .expect("rows");
    make(include_str!("../../../migrations/0112_ledger_months.sql")).execute(&mut old).await.expect("the migration");

    let entries = BTreeMap::from([(ENTRIES.partition_name(this), 20), ("credit_entries_default".into(), 10)]);
    assert_eq!(counts(&mut old, ENTRY_COUNTS).await, entries);
    let mut holds = BTreeMap::from([
        ("credit_holds_open".into(), 15),
        (SETTLED.partition_name(this), 10),
        ("credit_holds_settled_default".into(), 5),
    ]);
    assert_eq!(counts(&mut old, HOLD_COUNTS).await, holds);
    let sums: (i64, i64, i64, i64) = sqlx::query_as(
        "SELECT (SELECT sum(held)::bigint FROM credit_holds WHERE amounts = ARRAY[held] AND grant_ids = ARRAY[job_id]),
                (SELECT sum(version)::bigint FROM credit_entries WHERE amount = balance_after + 1 AND job_id = id),
                (SELECT count(*) FROM pg_constraint WHERE conname LIKE 'old\\_%'),
                (SELECT count(*) FROM pg_class WHERE relname LIKE 'old\\_%')",
    )
    .fetch_one(&mut old)
    .await
    .expect("sums");
    assert_eq!(sums, (435, 435, 0, 0), "holds, entries, and leftover names");

    make(
        "INSERT INTO credit_holds (job_id, account_id, state, held, captured, grant_ids, amounts, created_at)
         SELECT '018c251e-c400-7000-8000-999999999999', account_id, 0, 7, 0, grant_ids, amounts, created_at
         FROM credit_holds LIMIT 1;
         UPDATE credit_holds SET state = 1, captured = 3 WHERE state = 0 AND held = 7
         AND job_id = '018c251e-c400-7000-8000-999999999999'",
    )
    .execute(&mut old)
    .await
    .expect("statements of the previous version");
    holds.insert(SETTLED.partition_name(this), 11);
    assert_eq!(counts(&mut old, HOLD_COUNTS).await, holds);
    old.close().await.expect("a close");
}
