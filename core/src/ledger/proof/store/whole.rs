//! A full audit: derives every balance from the entries. Sums saturate at 64 bits, so that one absurd account is
//! reported as a difference and does not stop the audit.
//!
//! `accounts` limits the audit to these accounts; `None` means all.

use std::collections::BTreeSet;

use sqlx::PgConnection;
use uuid::Uuid;

use crate::ledger::proof::report::Reconciliation;

/// Maximum number of differences reported per kind.
const TOLD: i64 = 100;

#[derive(Debug, Default)]
pub(in crate::ledger::proof) struct Whole {
    pub report: Reconciliation,
    /// Accounts with differences.
    differing: BTreeSet<Uuid>,
    /// Whether there are more differences than reported.
    is_cut: bool,
}

impl Whole {
    fn add(&mut self, differences: Vec<(Uuid, String)>) {
        self.is_cut |= differences.len() as i64 >= TOLD;
        for (account, difference) in differences {
            self.differing.insert(account);
            self.report.differences.push(difference);
        }
    }
}

type Differences = sqlx::Result<Vec<(Uuid, String)>>;

/// Audits everything, or these accounts.
pub(in crate::ledger::proof) async fn whole(db: &mut PgConnection, accounts: Option<&[Uuid]>) -> sqlx::Result<Whole> {
    let mut whole = Whole { report: sums(db, accounts).await?, ..Whole::default() };
    whole.add(lots(db, accounts).await?);
    whole.add(open_holds(db, accounts).await?);
    whole.add(holds(db, accounts).await?);
    whole.add(balances(db, accounts).await?);
    whole.add(versions(db, accounts).await?);
    Ok(whole)
}

async fn sums(db: &mut PgConnection, accounts: Option<&[Uuid]>) -> sqlx::Result<Reconciliation> {
    let sums = sqlx::query!(
        r#"SELECT count(*) AS "grants!", count(DISTINCT account_id) AS "accounts!",
                  LEAST(COALESCE(SUM(amount), 0), 9223372036854775807)::bigint AS "granted!",
                  LEAST(COALESCE(SUM(remaining), 0), 9223372036854775807)::bigint AS "available!",
                  LEAST(COALESCE(SUM(held), 0), 9223372036854775807)::bigint AS "held!",
                  LEAST(COALESCE(SUM(spent), 0), 9223372036854775807)::bigint AS "spent!",
                  LEAST(COALESCE(SUM(expired), 0), 9223372036854775807)::bigint AS "expired!",
                  LEAST(COALESCE(SUM(debited), 0), 9223372036854775807)::bigint AS "debited!",
                  COALESCE(SUM(amount) = SUM(remaining) + SUM(held) + SUM(spent) + SUM(expired) + SUM(debited), true)
                    AS "adds_up!",
                  (SELECT count(*) FROM credit_holds WHERE $1::uuid[] IS NULL OR account_id = ANY($1)) AS "holds!",
                  (SELECT count(*) FROM credit_entries WHERE $1::uuid[] IS NULL OR account_id = ANY($1)) AS "entries!"
           FROM credit_grants WHERE $1::uuid[] IS NULL OR account_id = ANY($1)"#,
        accounts,
    )
    .fetch_one(db)
    .await?;
    let mut report = Reconciliation {
        accounts: sums.accounts,
        grants: sums.grants,
        holds: sums.holds,
        entries: sums.entries,
        granted: sums.granted,
        available: sums.available,
        held: sums.held,
        spent: sums.spent,
        expired: sums.expired,
        debited: sums.debited,
        differences: Vec::new(),
    };
    if !sums.adds_up {
        report.differences.push("in total, granted is not available + held + spent + expired + debited".into());
    }
    Ok(report)
}

/// Compares each lot with the sums of its entries.
async fn lots(db: &mut PgConnection, accounts: Option<&[Uuid]>) -> Differences {
    let rows = sqlx::query!(
        r#"WITH derived AS (
             SELECT grant_id, account_id,
                    SUM(amount) FILTER (WHERE kind = 0) AS granted, SUM(amount) FILTER (WHERE kind = 1) AS hold,
                    SUM(amount) FILTER (WHERE kind = 2) AS capture, SUM(amount) FILTER (WHERE kind = 3) AS release,
                    SUM(amount) FILTER (WHERE kind = 4) AS expire, SUM(amount) FILTER (WHERE kind = 5) AS debit
             FROM credit_entries WHERE $1::uuid[] IS NULL OR account_id = ANY($1) GROUP BY grant_id, account_id),
           lots AS (SELECT * FROM credit_grants WHERE $1::uuid[] IS NULL OR account_id = ANY($1))
           SELECT COALESCE(g.id, d.grant_id) AS "id!", COALESCE(g.account_id, d.account_id) AS "account!",
                  g.amount AS "amount?", g.remaining AS "remaining?", g.held AS "held?", g.spent AS "spent?",
                  g.expired AS "expired?", g.debited AS "debited?",
                  LEAST(COALESCE(d.granted, 0), 9223372036854775807)::bigint AS "granted!", LEAST(COALESCE(d.hold, 0), 9223372036854775807)::bigint AS "hold!", LEAST(COALESCE(d.capture, 0), 9223372036854775807)::bigint AS "capture!",
                  LEAST(COALESCE(d.release, 0), 9223372036854775807)::bigint AS "release!", LEAST(COALESCE(d.expire, 0), 9223372036854775807)::bigint AS "expire!",
                  LEAST(COALESCE(d.debit, 0), 9223372036854775807)::bigint AS "debit!"
           FROM lots g FULL JOIN derived d ON d.grant_id = g.id AND d.account_id = g.account_id
           WHERE g.id IS NULL OR d.grant_id IS NULL OR g.amount <> COALESCE(d.granted, 0)
              OR g.remaining <> COALESCE(d.granted, 0) - COALESCE(d.hold, 0) + COALESCE(d.release, 0)
                                - COALESCE(d.expire, 0) - COALESCE(d.debit, 0)
              OR g.held <> COALESCE(d.hold, 0) - COALESCE(d.capture, 0) - COALESCE(d.release, 0)
              OR g.spent <> COALESCE(d.capture, 0) OR g.expired <> COALESCE(d.expire, 0)
              OR g.debited <> COALESCE(d.debit, 0)
           LIMIT $2"#,
        accounts,
        TOLD,
    )
    .fetch_all(db)
    .await?;
    let told = rows.into_iter().map(|row| {
        let text = format!(
            "grant {} stands as {:?} available, {:?} held, {:?} spent, {:?} expired, {:?} debited of {:?}, but its \
             entries sum to {} granted, {} held, {} captured, {} released, {} expired, {} debited",
            row.id,
            row.remaining,
            row.held,
            row.spent,
            row.expired,
            row.debited,
            row.amount,
            row.granted,
            row.hold,
            row.capture,
            row.release,
            row.expire,
            row.debit
        );
        (row.account, text)
    });
    Ok(told.collect())
}

/// Compares each lot's held credits with the open holds.
async fn open_holds(db: &mut PgConnection, accounts: Option<&[Uuid]>) -> Differences {
    let rows = sqlx::query!(
        r#"WITH open AS (
             SELECT lot.grant_id, h.account_id, LEAST(SUM(lot.amount), 9223372036854775807)::bigint AS held
             FROM credit_holds h, UNNEST(h.grant_ids, h.amounts) AS lot(grant_id, amount)
             WHERE h.state = 0 AND ($1::uuid[] IS NULL OR h.account_id = ANY($1)) GROUP BY lot.grant_id, h.account_id),
           lots AS (SELECT * FROM credit_grants WHERE $1::uuid[] IS NULL OR account_id = ANY($1))
           SELECT COALESCE(g.id, o.grant_id) AS "id!", COALESCE(g.account_id, o.account_id) AS "account!",
                  COALESCE(g.held, 0) AS "stands!", COALESCE(o.held, 0) AS "derived!"
           FROM lots g FULL JOIN open o ON o.grant_id = g.id AND o.account_id = g.account_id
           WHERE COALESCE(g.held, 0) <> COALESCE(o.held, 0) LIMIT $2"#,
        accounts,
        TOLD,
    )
    .fetch_all(db)
    .await?;
    let told = rows.into_iter().map(|row| {
        let text = format!("grant {} has {} held, but open holds took {} from it", row.id, row.stands, row.derived);
        (row.account, text)
    });
    Ok(told.collect())
}

/// Compares each job's hold with the job's entries: it is settled or released once.
async fn holds(db: &mut PgConnection, accounts: Option<&[Uuid]>) -> Differences {
    let rows = sqlx::query!(
        r#"WITH moved AS (
             SELECT job_id, account_id, SUM(amount) FILTER (WHERE kind = 1) AS held,
                    SUM(amount) FILTER (WHERE kind = 2) AS captured, SUM(amount) FILTER (WHERE kind = 3) AS released
             FROM credit_entries WHERE job_id IS NOT NULL AND ($1::uuid[] IS NULL OR account_id = ANY($1))
             GROUP BY job_id, account_id),
           holds AS (SELECT * FROM credit_holds WHERE $1::uuid[] IS NULL OR account_id = ANY($1))
           SELECT COALESCE(h.job_id, m.job_id) AS "job!", COALESCE(h.account_id, m.account_id) AS "account!",
                  h.state AS "state?", h.held AS "held?", h.captured AS "captured?",
                  LEAST(COALESCE(m.held, 0), 9223372036854775807)::bigint AS "entry_held!", LEAST(COALESCE(m.captured, 0), 9223372036854775807)::bigint AS "entry_captured!", LEAST(COALESCE(m.released, 0), 9223372036854775807)::bigint AS "entry_released!"
           FROM holds h FULL JOIN moved m ON m.job_id = h.job_id AND m.account_id = h.account_id
           WHERE h.job_id IS NULL OR h.held <> COALESCE(m.held, 0) OR h.captured <> COALESCE(m.captured, 0)
              OR (h.state = 1 AND h.held <> COALESCE(m.captured, 0) + COALESCE(m.released, 0))
              OR (h.state = 0 AND COALESCE(m.released, 0) + COALESCE(m.captured, 0) <> 0)
           LIMIT $2"#,
        accounts,
        TOLD,
    )
    .fetch_all(db)
    .await?;
    let told = rows.into_iter().map(|row| {
        let text = format!(
            "the hold of job {} stands at {:?} held, {:?} captured (state {:?}), but its entries say {} held, {} \
             captured, {} released",
            row.job, row.held, row.captured, row.state, row.entry_held, row.entry_captured, row.entry_released
        );
        (row.account, text)
    });
    Ok(told.collect())
}

/// Compares each entry's balance with the previous one, and the last one with the account. The order of entries is only
/// known since accounts have versions; of older entries only the last one is checked.
async fn balances(db: &mut PgConnection, accounts: Option<&[Uuid]>) -> Differences {
    let rows = sqlx::query!(
        r#"WITH chain AS (
             SELECT id, account_id, version, balance_after,
                    CASE WHEN kind IN (0, 3) THEN amount WHEN kind = 2 THEN 0 ELSE -amount END AS moved,
                    LAG(balance_after) OVER life AS before, LAG(version) OVER life AS version_before,
                    LEAD(id) OVER life AS next
             FROM credit_entries WHERE $1::uuid[] IS NULL OR account_id = ANY($1)
             WINDOW life AS (PARTITION BY account_id ORDER BY version, id)),
           lots AS (
             SELECT account_id, SUM(remaining) AS remaining FROM credit_grants
             WHERE $1::uuid[] IS NULL OR account_id = ANY($1) GROUP BY account_id)
           SELECT c.id, c.account_id, c.balance_after, c.next IS NULL AS "is_last!",
                  LEAST(COALESCE(l.remaining, 0), 9223372036854775807)::bigint AS "stands!",
                  LEAST(COALESCE(c.before, 0)::numeric + c.moved, 9223372036854775807)::bigint AS "derived!"
           FROM chain c LEFT JOIN lots l USING (account_id)
           WHERE (c.next IS NULL AND c.balance_after <> COALESCE(l.remaining, 0))
              OR (c.version > 0 AND COALESCE(c.version_before, 1) > 0
                  AND c.balance_after <> COALESCE(c.before, 0)::numeric + c.moved)
           LIMIT $2"#,
        accounts,
        TOLD,
    )
    .fetch_all(db)
    .await?;
    let told = rows.into_iter().map(|row| {
        let text = if row.is_last && row.balance_after != row.stands {
            format!(
                "account {} has {} available, but its last entry says {}",
                row.account_id, row.stands, row.balance_after
            )
        } else {
            let (id, account, says, derived) = (row.id, row.account_id, row.balance_after, row.derived);
            format!("entry {id} of account {account} says that {says} were available after it, but it was {derived}")
        };
        (row.account_id, text)
    });
    Ok(told.collect())
}

/// No entry may have a version above its account's: incremental audits would miss it.
async fn versions(db: &mut PgConnection, accounts: Option<&[Uuid]>) -> Differences {
    let rows = sqlx::query!(
        r#"SELECT e.account_id, max(e.version) AS "last!", COALESCE(max(a.version), 0) AS "stands!"
           FROM credit_entries e LEFT JOIN credit_accounts a USING (account_id)
           WHERE $1::uuid[] IS NULL OR e.account_id = ANY($1)
           GROUP BY e.account_id HAVING max(e.version) > COALESCE(max(a.version), 0) LIMIT $2"#,
        accounts,
        TOLD,
    )
    .fetch_all(db)
    .await?;
    let told = rows.into_iter().map(|row| {
        let text = format!("account {} is at version {}, but has an entry of {}", row.account_id, row.stands, row.last);
        (row.account_id, text)
    });
    Ok(told.collect())
}

/// Stores proofs from the same snapshot.
pub(in crate::ledger::proof) async fn keep_whole(
    db: &mut PgConnection,
    whole: &Whole,
    accounts: Option<&[Uuid]>,
) -> sqlx::Result<()> {
    if whole.is_cut {
        return Ok(());
    }
    let differing: Vec<Uuid> = whole.differing.iter().copied().collect();
    sqlx::query!(
        "WITH lots AS (
           SELECT account_id, count(*) AS grants, SUM(amount) AS granted, SUM(remaining) AS available,
                  SUM(held) AS held, SUM(spent) AS spent, SUM(expired) AS expired, SUM(debited) AS debited,
                  array_agg(id ORDER BY id) FILTER (WHERE remaining + held > 0) AS ids,
                  array_agg(amount ORDER BY id) FILTER (WHERE remaining + held > 0) AS amounts,
                  array_agg(remaining ORDER BY id) FILTER (WHERE remaining + held > 0) AS lot_remaining,
                  array_agg(held ORDER BY id) FILTER (WHERE remaining + held > 0) AS lot_held,
                  array_agg(spent ORDER BY id) FILTER (WHERE remaining + held > 0) AS lot_spent,
                  array_agg(expired ORDER BY id) FILTER (WHERE remaining + held > 0) AS lot_expired,
                  array_agg(debited ORDER BY id) FILTER (WHERE remaining + held > 0) AS lot_debited
           FROM credit_grants
           WHERE ($1::uuid[] IS NULL OR account_id = ANY($1)) AND NOT account_id = ANY($2) GROUP BY account_id),
         open AS (
           SELECT account_id, array_agg(job_id) AS jobs, array_agg(grant_id) AS ids, array_agg(amount) AS amounts
           FROM (SELECT h.account_id, h.job_id, lot.grant_id, SUM(lot.amount)::bigint AS amount
                 FROM credit_holds h, UNNEST(h.grant_ids, h.amounts) AS lot(grant_id, amount)
                 WHERE h.state = 0 AND lot.amount > 0 AND ($1::uuid[] IS NULL OR h.account_id = ANY($1))
                   AND NOT h.account_id = ANY($2)
                 GROUP BY h.account_id, h.job_id, lot.grant_id) AS taken
           GROUP BY account_id),
         counted AS (
           SELECT account_id, count(*) AS entries FROM credit_entries
           WHERE ($1::uuid[] IS NULL OR account_id = ANY($1)) AND NOT account_id = ANY($2) GROUP BY account_id)
         INSERT INTO credit_proofs AS p
           (account_id, version, proved_at, grants, entries, granted, available, held, spent, expired, debited, lot_ids,
            lot_amounts, remaining, lot_held, lot_spent, lot_expired, lot_debited, open_jobs, open_lots, open_amounts)
         SELECT l.account_id, COALESCE(a.version, 0), transaction_timestamp(), l.grants, COALESCE(c.entries, 0), l.granted,
                l.available, l.held, l.spent, l.expired, l.debited, COALESCE(l.ids, '{}'), COALESCE(l.amounts, '{}'),
                COALESCE(l.lot_remaining, '{}'), COALESCE(l.lot_held, '{}'), COALESCE(l.lot_spent, '{}'),
                COALESCE(l.lot_expired, '{}'), COALESCE(l.lot_debited, '{}'), COALESCE(o.jobs, '{}'),
                COALESCE(o.ids, '{}'), COALESCE(o.amounts, '{}')
         FROM lots l LEFT JOIN credit_accounts a USING (account_id) LEFT JOIN open o USING (account_id)
              LEFT JOIN counted c USING (account_id)
         ON CONFLICT (account_id) DO UPDATE
         SET version = excluded.version, proved_at = excluded.proved_at, grants = excluded.grants,
             entries = excluded.entries, granted = excluded.granted, available = excluded.available,
             held = excluded.held, spent = excluded.spent, expired = excluded.expired, debited = excluded.debited,
             lot_ids = excluded.lot_ids, lot_amounts = excluded.lot_amounts, remaining = excluded.remaining,
             lot_held = excluded.lot_held, lot_spent = excluded.lot_spent, lot_expired = excluded.lot_expired,
             lot_debited = excluded.lot_debited, open_jobs = excluded.open_jobs, open_lots = excluded.open_lots,
             open_amounts = excluded.open_amounts",
        accounts,
        &differing,
    )
    .execute(&mut *db)
    .await?;
    // The remaining rows belong to accounts that do not exist or do not add up.
    sqlx::query!(
        "DELETE FROM credit_proofs p WHERE ($1::uuid[] IS NULL OR account_id = ANY($1))
           AND (account_id = ANY($2) OR NOT EXISTS (SELECT FROM credit_grants g WHERE g.account_id = p.account_id))",
        accounts,
        &differing,
    )
    .execute(db)
    .await?;
    Ok(())
}
