//! SQL of proofs. One snapshot reads the ledger's tables and writes the proofs.

mod whole;

use std::collections::{BTreeMap, HashMap};
use std::iter;

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool, Postgres, Transaction};
use uuid::Uuid;

pub(super) use self::whole::{keep_whole, whole};
use super::report::Reconciliation;
use super::state::{AccountRows, Entry, HoldRow, Lot, ProvedAccount, Sums};
use crate::database;
use crate::ids::min_id;
use crate::ledger::store::{CLOCKS_DIFFER, array_literal, column, entry_kind, hold_state};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(i16)]
pub(super) enum AuditKind {
    Full = 0,
    Incremental = 1,
}

pub(super) struct LastAudits {
    pub from_the_beginning_at: DateTime<Utc>,
    pub since: DateTime<Utc>,
}

pub(super) struct Proof {
    pub proved_at: DateTime<Utc>,
    pub proved: ProvedAccount,
}

/// A read-consistent transaction with a long statement timeout.
pub(super) async fn snapshot(db: &PgPool) -> sqlx::Result<Transaction<'static, Postgres>> {
    let mut snapshot = database::begin_with(db, "BEGIN ISOLATION LEVEL REPEATABLE READ").await?;
    sqlx::query!("SELECT set_config('statement_timeout', '1h', true)").fetch_one(&mut *snapshot).await?;
    Ok(snapshot)
}

/// The last audits. `None` without a successful full audit: until then an incremental audit is not possible.
pub(super) async fn audits(db: &PgPool) -> sqlx::Result<Option<LastAudits>> {
    sqlx::query_as!(
        LastAudits,
        r#"SELECT ended_at AS from_the_beginning_at, (SELECT max(ended_at) FROM credit_audits) AS "since!"
           FROM credit_audits WHERE kind = 0 AND differences = 0"#
    )
    .fetch_optional(db)
    .await
}

pub(super) async fn note_audit(db: &PgPool, kind: AuditKind, differences: usize) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO credit_audits (kind, ended_at, differences) VALUES ($1, clock_timestamp(), $2)
         ON CONFLICT (kind) DO UPDATE SET ended_at = excluded.ended_at, differences = excluded.differences",
        kind as i16,
        i64::try_from(differences).unwrap_or(i64::MAX),
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Accounts that changed since their last proof, in the order of their ids.
pub(super) async fn moved(db: &PgPool) -> sqlx::Result<Vec<Uuid>> {
    sqlx::query_scalar!(
        "SELECT a.account_id FROM credit_accounts a LEFT JOIN credit_proofs p USING (account_id)
         WHERE p.version IS DISTINCT FROM a.version ORDER BY account_id"
    )
    .fetch_all(db)
    .await
}

/// The stored proofs of these accounts; accounts without one are left out.
pub(super) async fn proofs(db: &mut PgConnection, accounts: &[Uuid]) -> sqlx::Result<HashMap<Uuid, Proof>> {
    let rows = sqlx::query!(
        r#"SELECT account_id, version, proved_at, grants, entries, lot_ids, lot_amounts, remaining, lot_held, lot_spent,
                  lot_expired, lot_debited, open_jobs, open_lots, open_amounts,
                  LEAST(granted, 9223372036854775807)::bigint AS "granted!",
                  LEAST(available, 9223372036854775807)::bigint AS "available!",
                  LEAST(held, 9223372036854775807)::bigint AS "held!",
                  LEAST(spent, 9223372036854775807)::bigint AS "spent!",
                  LEAST(expired, 9223372036854775807)::bigint AS "expired!",
                  LEAST(debited, 9223372036854775807)::bigint AS "debited!"
           FROM credit_proofs WHERE account_id = ANY($1)"#,
        accounts,
    )
    .fetch_all(db)
    .await?;
    let proofs = rows.into_iter().map(|row| {
        let amounts = row.lot_amounts.into_iter().zip(row.remaining);
        let ends = row.lot_held.into_iter().zip(row.lot_spent).zip(row.lot_expired);
        // A proof from before there were debits has none.
        let debited = row.lot_debited.into_iter().chain(iter::repeat(0));
        let lots = amounts.zip(ends).zip(debited).map(|(((amount, remaining), ((held, spent), expired)), debited)| {
            Lot { amount, remaining, held, spent, expired, debited }
        });
        let mut open: BTreeMap<Uuid, BTreeMap<Uuid, i64>> = BTreeMap::new();
        for ((job, lot), amount) in row.open_jobs.into_iter().zip(row.open_lots).zip(row.open_amounts) {
            open.entry(job).or_default().insert(lot, amount);
        }
        let proved = ProvedAccount {
            version: row.version,
            sums: Sums {
                grants: row.grants,
                entries: row.entries,
                granted: row.granted,
                available: row.available,
                held: row.held,
                spent: row.spent,
                expired: row.expired,
                debited: row.debited,
            },
            lots: row.lot_ids.into_iter().zip(lots).collect(),
            open,
        };
        (row.account_id, Proof { proved_at: row.proved_at, proved })
    });
    Ok(proofs.collect())
}

/// Entries newer than these proofs, sorted by version. An account whose entries lag by more than [`CLOCKS_DIFFER`] is
/// audited from its first entry.
pub(super) async fn entries_since(
    db: &mut PgConnection,
    proofs: &HashMap<Uuid, Proof>,
) -> sqlx::Result<Vec<(Uuid, Entry)>> {
    let (mut accounts, mut versions, mut floors) = (Vec::new(), Vec::new(), Vec::new());
    for (account, Proof { proved_at, proved }) in proofs {
        accounts.push(*account);
        versions.push(proved.version);
        floors.push(min_id(*proved_at - CLOCKS_DIFFER));
    }
    // The least floor again, as a value: it leaves out months before all floors, however the planner joins.
    let Some(first) = floors.iter().min() else { return Ok(Vec::new()) };
    let rows = sqlx::query!(
        "SELECT e.account_id, e.version, e.kind, e.grant_id, e.job_id, e.amount, e.balance_after
         FROM UNNEST($1::uuid[], $2::bigint[], $3::uuid[]) AS p(account_id, version, floor)
         JOIN credit_entries e ON e.account_id = p.account_id AND e.id >= p.floor AND e.version > p.version
         WHERE e.id >= $4
         ORDER BY e.version, e.id",
        &accounts,
        &versions,
        &floors,
        *first,
    )
    .fetch_all(db)
    .await?;
    rows.into_iter()
        .map(|row| {
            let entry = Entry {
                version: row.version,
                kind: entry_kind(row.kind)?,
                grant: row.grant_id,
                job: row.job_id,
                amount: row.amount,
                balance_after: row.balance_after,
            };
            Ok((row.account_id, entry))
        })
        .collect()
}

/// The rows of these accounts, with the holds of these jobs. Accounts with two holds of one job are left out.
pub(super) async fn account_rows(
    db: &mut PgConnection,
    accounts: &[Uuid],
    jobs: &[Uuid],
) -> sqlx::Result<HashMap<Uuid, AccountRows>> {
    let rows = sqlx::query!("SELECT account_id, version FROM credit_accounts WHERE account_id = ANY($1)", accounts)
        .fetch_all(&mut *db)
        .await?;
    let mut by_account: HashMap<Uuid, AccountRows> = rows
        .into_iter()
        .map(|row| (row.account_id, AccountRows { version: row.version, ..AccountRows::default() }))
        .collect();
    let lots = sqlx::query!(
        "SELECT id, account_id, amount, remaining, held, spent, expired, debited FROM credit_grants
         WHERE account_id = ANY($1)",
        accounts,
    )
    .fetch_all(&mut *db)
    .await?;
    for row in lots {
        let Some(account) = by_account.get_mut(&row.account_id) else { continue };
        let lot = Lot {
            amount: row.amount,
            remaining: row.remaining,
            held: row.held,
            spent: row.spent,
            expired: row.expired,
            debited: row.debited,
        };
        account.lots.insert(row.id, lot);
    }
    // The range names the months of the jobs.
    let (Some(first), Some(last)) = (jobs.iter().min(), jobs.iter().max()) else { return Ok(by_account) };
    let holds = sqlx::query!(
        "SELECT job_id, account_id, state, held, captured, grant_ids, amounts FROM credit_holds
         WHERE job_id = ANY($1) AND job_id >= $2 AND job_id <= $3",
        jobs,
        *first,
        *last,
    )
    .fetch_all(db)
    .await?;
    for row in holds {
        let Some(account) = by_account.get_mut(&row.account_id) else { continue };
        let lots = row.grant_ids.into_iter().zip(row.amounts).collect();
        let hold = HoldRow { state: hold_state(row.state)?, held: row.held, captured: row.captured, lots };
        if account.holds.insert(row.job_id, hold).is_some() {
            // A job with an open and a settled hold. The audit from the first entry reports it.
            by_account.remove(&row.account_id);
        }
    }
    Ok(by_account)
}

pub(super) async fn keep(db: &mut PgConnection, proved: &[(Uuid, ProvedAccount)]) -> sqlx::Result<()> {
    if proved.is_empty() {
        return Ok(());
    }
    // UNNEST cannot take arrays of arrays, so they are passed as array literals.
    let lots = |value: fn(&Lot) -> i64| column(proved, |(_, proved)| array_literal(proved.lots.values().map(value)));
    let open = |proved: &ProvedAccount| -> Vec<(Uuid, Uuid, i64)> {
        let of_job = |(job, taken): (&Uuid, &BTreeMap<Uuid, i64>)| {
            taken.iter().map(|(lot, amount)| (*job, *lot, *amount)).collect::<Vec<_>>()
        };
        proved.open.iter().flat_map(of_job).collect()
    };
    sqlx::query(
        "INSERT INTO credit_proofs AS p
           (account_id, version, proved_at, grants, entries, granted, available, held, spent, expired, debited, lot_ids,
            lot_amounts, remaining, lot_held, lot_spent, lot_expired, lot_debited, open_jobs, open_lots, open_amounts)
         SELECT account_id, version, transaction_timestamp(), grants, entries, granted, available, held, spent, expired,
                debited, lot_ids::uuid[], lot_amounts::bigint[], remaining::bigint[], lot_held::bigint[],
                lot_spent::bigint[], lot_expired::bigint[], lot_debited::bigint[], open_jobs::uuid[], open_lots::uuid[],
                open_amounts::bigint[]
         FROM UNNEST($1::uuid[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[],
                     $8::bigint[], $9::bigint[], $10::text[], $11::text[], $12::text[], $13::text[], $14::text[], $15::text[],
                     $16::text[], $17::text[], $18::text[], $19::bigint[], $20::text[])
           AS v(account_id, version, grants, entries, granted, available, held, spent, expired, lot_ids, lot_amounts,
                remaining, lot_held, lot_spent, lot_expired, open_jobs, open_lots, open_amounts, debited, lot_debited)
         ON CONFLICT (account_id) DO UPDATE
         SET version = excluded.version, proved_at = excluded.proved_at, grants = excluded.grants,
             entries = excluded.entries, granted = excluded.granted, available = excluded.available,
             held = excluded.held, spent = excluded.spent, expired = excluded.expired, debited = excluded.debited,
             lot_ids = excluded.lot_ids, lot_amounts = excluded.lot_amounts, remaining = excluded.remaining,
             lot_held = excluded.lot_held, lot_spent = excluded.lot_spent, lot_expired = excluded.lot_expired,
             lot_debited = excluded.lot_debited, open_jobs = excluded.open_jobs, open_lots = excluded.open_lots,
             open_amounts = excluded.open_amounts",
    )
    .bind(column(proved, |(account, _)| *account))
    .bind(column(proved, |(_, proved)| proved.version))
    .bind(column(proved, |(_, proved)| proved.sums.grants))
    .bind(column(proved, |(_, proved)| proved.sums.entries))
    .bind(column(proved, |(_, proved)| proved.sums.granted))
    .bind(column(proved, |(_, proved)| proved.sums.available))
    .bind(column(proved, |(_, proved)| proved.sums.held))
    .bind(column(proved, |(_, proved)| proved.sums.spent))
    .bind(column(proved, |(_, proved)| proved.sums.expired))
    .bind(column(proved, |(_, proved)| array_literal(proved.lots.keys())))
    .bind(lots(|lot| lot.amount))
    .bind(lots(|lot| lot.remaining))
    .bind(lots(|lot| lot.held))
    .bind(lots(|lot| lot.spent))
    .bind(lots(|lot| lot.expired))
    .bind(column(proved, |(_, proved)| array_literal(open(proved).iter().map(|(job, _, _)| job))))
    .bind(column(proved, |(_, proved)| array_literal(open(proved).iter().map(|(_, lot, _)| lot))))
    .bind(column(proved, |(_, proved)| array_literal(open(proved).iter().map(|(_, _, amount)| amount))))
    .bind(column(proved, |(_, proved)| proved.sums.debited))
    .bind(lots(|lot| lot.debited))
    .execute(db)
    .await?;
    Ok(())
}

/// Sums over all proofs.
pub(super) async fn sums(db: &PgPool) -> sqlx::Result<Reconciliation> {
    let sums = sqlx::query!(
        r#"SELECT count(*) AS "accounts!", COALESCE(SUM(grants), 0)::bigint AS "grants!",
                  COALESCE(SUM(entries), 0)::bigint AS "entries!",
                  LEAST(COALESCE(SUM(granted), 0), 9223372036854775807)::bigint AS "granted!",
                  LEAST(COALESCE(SUM(available), 0), 9223372036854775807)::bigint AS "available!",
                  LEAST(COALESCE(SUM(held), 0), 9223372036854775807)::bigint AS "held!",
                  LEAST(COALESCE(SUM(spent), 0), 9223372036854775807)::bigint AS "spent!",
                  LEAST(COALESCE(SUM(expired), 0), 9223372036854775807)::bigint AS "expired!",
                  LEAST(COALESCE(SUM(debited), 0), 9223372036854775807)::bigint AS "debited!"
           FROM credit_proofs"#
    )
    .fetch_one(db)
    .await?;
    Ok(Reconciliation {
        accounts: sums.accounts,
        grants: sums.grants,
        holds: 0,
        entries: sums.entries,
        granted: sums.granted,
        available: sums.available,
        held: sums.held,
        spent: sums.spent,
        expired: sums.expired,
        debited: sums.debited,
        differences: Vec::new(),
    })
}
