//! SQL of the ledger. Only [`apply`] changes balances, with one statement per batch.

mod holds;

use std::collections::{HashMap, HashSet};

use chrono::{DateTime, Duration, TimeDelta, Utc};
use sqlx::{PgConnection, PgExecutor, PgPool};
use uuid::Uuid;

pub(super) use self::holds::{hold_state, load_holds, open_holds};
use super::balance::{Balance, DaySpending};
use super::entry::LedgerEntryKind;
use super::grant::{Grant, GrantKind};
use super::state::{Account, Hold, NewEntry};
use crate::ids::{EntryId, GrantId, UserId};

/// How far a node's clock may lag behind the database's. Entry ids contain the node's time, and entries of a time are
/// found by id.
pub(super) const CLOCKS_DIFFER: TimeDelta = TimeDelta::minutes(15);

/// The versions of these accounts, and what they have spent; accounts without changes are left out.
pub(super) async fn versions(
    db: impl PgExecutor<'_>,
    accounts: &[Uuid],
) -> sqlx::Result<HashMap<UserId, (i64, DaySpending)>> {
    let rows = sqlx::query!(
        "SELECT account_id, version, day, spent FROM credit_accounts WHERE account_id = ANY($1)",
        accounts
    )
    .fetch_all(db)
    .await?;
    let read = rows.into_iter().map(|row| {
        let spending = DaySpending { day: row.day, spent: row.spent };
        (UserId(row.account_id), (row.version, spending))
    });
    Ok(read.collect())
}

/// Locks these accounts until the transaction ends, in the order of their ids, so that transactions do not deadlock.
pub(super) async fn lock(transaction: &mut PgConnection, accounts: &[Uuid]) -> sqlx::Result<()> {
    let lock = sqlx::query!(
        r#"SELECT 1 AS "locked!" FROM credit_accounts WHERE account_id = ANY($1) ORDER BY account_id FOR UPDATE"#,
        accounts,
    );
    lock.fetch_all(transaction).await?;
    Ok(())
}

struct GrantRow {
    id: Uuid,
    account_id: Uuid,
    kind: i16,
    source: String,
    amount: i64,
    remaining: i64,
    held: i64,
    spent: i64,
    expired: i64,
    debited: i64,
    issued_at: DateTime<Utc>,
    expires_at: Option<DateTime<Utc>>,
}

impl GrantRow {
    fn read(self) -> sqlx::Result<(UserId, Grant)> {
        let grant = Grant {
            id: GrantId(self.id),
            kind: grant_kind(self.kind)?,
            source: self.source,
            amount: self.amount,
            remaining: self.remaining,
            held: self.held,
            spent: self.spent,
            expired: self.expired,
            debited: self.debited,
            issued_at: self.issued_at,
            expires_at: self.expires_at,
        };
        Ok((UserId(self.account_id), grant))
    }
}

/// The lots of these accounts with available or held credits.
pub(super) async fn load_accounts(db: impl PgExecutor<'_>, accounts: &[Uuid]) -> sqlx::Result<Vec<(UserId, Grant)>> {
    let rows = sqlx::query_as!(
        GrantRow,
        "SELECT id, account_id, kind, source, amount, remaining, held, spent, expired, debited, issued_at, expires_at
         FROM credit_grants WHERE account_id = ANY($1) AND remaining + held > 0",
        accounts,
    )
    .fetch_all(db)
    .await?;
    rows.into_iter().map(GrantRow::read).collect()
}

/// The lots of these accounts and sources, also those without credits left.
pub(super) async fn lots(db: &PgPool, sources: &[(UserId, &str)]) -> sqlx::Result<Vec<(UserId, Grant)>> {
    let rows = sqlx::query_as!(
        GrantRow,
        "SELECT g.id, g.account_id, g.kind, g.source, g.amount, g.remaining, g.held, g.spent, g.expired, g.debited,
                g.issued_at, g.expires_at
         FROM credit_grants g JOIN UNNEST($1::uuid[], $2::text[]) AS wanted(account_id, source)
           ON wanted.account_id = g.account_id AND wanted.source = g.source",
        &column(sources, |(account, _)| account.0),
        &column(sources, |(_, source)| (*source).to_owned()),
    )
    .fetch_all(db)
    .await?;
    rows.into_iter().map(GrantRow::read).collect()
}

/// The sources among these that granted before.
pub(super) async fn granted_sources(
    db: impl PgExecutor<'_>,
    accounts: &[Uuid],
    sources: &[String],
) -> sqlx::Result<HashSet<(UserId, String)>> {
    let rows = sqlx::query!(
        "SELECT g.account_id, g.source FROM credit_grants g
         JOIN UNNEST($1::uuid[], $2::text[]) AS wanted(account_id, source)
           ON wanted.account_id = g.account_id AND wanted.source = g.source",
        accounts,
        sources,
    )
    .fetch_all(db)
    .await?;
    Ok(rows.into_iter().map(|row| (UserId(row.account_id), row.source)).collect())
}

/// All changes of a batch.
#[derive(Debug, Default)]
pub(super) struct LedgerChanges {
    /// Changed accounts with the version they had and what they have spent now, in the order of their ids, which is the
    /// order of locking.
    pub accounts: Vec<(UserId, i64, DaySpending)>,
    /// Changed lots: before and after.
    pub grants: Vec<(Grant, Grant)>,
    pub new_grants: Vec<(UserId, Grant)>,
    /// Changed holds: the credits held before, and the new state.
    pub holds: Vec<(i64, Hold)>,
    pub new_holds: Vec<(UserId, Hold)>,
    pub entries: Vec<(UserId, NewEntry)>,
}

impl LedgerChanges {
    pub fn is_empty(&self) -> bool {
        let Self { accounts, grants, new_grants, holds, new_holds, entries } = self;
        accounts.is_empty()
            && grants.is_empty()
            && new_grants.is_empty()
            && holds.is_empty()
            && new_holds.is_empty()
            && entries.is_empty()
    }
}

/// Writes only the commit's own row, for a batch that changes no balance.
pub(super) async fn note_commit(connection: &mut PgConnection, commit: Uuid, now: DateTime<Utc>) -> sqlx::Result<()> {
    sqlx::query!("INSERT INTO ledger_commits (id, committed_at) VALUES ($1, $2)", commit, now)
        .execute(connection)
        .await?;
    Ok(())
}

#[derive(Debug, PartialEq, Eq)]
pub(super) enum ApplyOutcome {
    /// All changes are written, and valid once the transaction commits.
    Written,
    /// Another node changed these accounts since they were read; empty if the accounts are not known. The caller must
    /// roll back, load and decide again.
    Conflict(Vec<UserId>),
}

/// Writes a batch's changes and the commit's own row, unless an account, lot or hold has changed since it was read.
pub(super) async fn apply(
    connection: &mut PgConnection,
    commit: Uuid,
    now: DateTime<Utc>,
    changes: &LedgerChanges,
) -> sqlx::Result<ApplyOutcome> {
    let LedgerChanges { accounts, grants, new_grants, holds, new_holds, entries } = changes;
    let versions: HashMap<UserId, i64> = accounts.iter().map(|(id, version, _)| (*id, *version)).collect();
    // UNNEST cannot take arrays of arrays, so the lots of a hold are passed as array literals. Accounts come first, so
    // that they are locked before everything else. The literal state of `moved` makes it read open holds only. A new
    // state moves the row into its month; if another node has moved it, PostgreSQL answers 40001.
    let (ours, changed, granted, moved): (Vec<Uuid>, i64, i64, i64) = sqlx::query_as(
        "WITH ours AS (
            INSERT INTO credit_accounts AS a (account_id, version, day, spent)
            SELECT * FROM UNNEST($42::uuid[], $43::bigint[], $45::date[], $46::bigint[])
            ON CONFLICT (account_id) DO UPDATE
            SET version = excluded.version, day = excluded.day, spent = excluded.spent WHERE a.version = excluded.version - 1
            RETURNING account_id
         ), changed AS (
            UPDATE credit_grants g
            SET remaining = v.remaining, held = v.held, spent = v.spent, expired = v.expired, debited = v.debited
            FROM UNNEST($1::uuid[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[],
              $47::bigint[]) AS v(id, was_remaining, was_held, remaining, held, spent, expired, debited)
            WHERE g.id = v.id AND g.remaining = v.was_remaining AND g.held = v.was_held
            RETURNING 1
         ), granted AS (
            INSERT INTO credit_grants
              (id, account_id, kind, source, amount, remaining, held, spent, expired, issued_at, expires_at, debited)
            SELECT * FROM UNNEST($8::uuid[], $9::uuid[], $10::smallint[], $11::text[], $12::bigint[], $13::bigint[],
              $14::bigint[], $15::bigint[], $16::bigint[], $17::timestamptz[], $18::timestamptz[], $48::bigint[])
            ON CONFLICT (account_id, source) DO NOTHING
            RETURNING 1
         ), moved AS (
            UPDATE credit_holds h
            SET held = v.held, captured = v.captured, state = v.state, grant_ids = v.grant_ids::uuid[],
                amounts = v.amounts::bigint[], settled_at = CASE WHEN v.state = 0 THEN NULL ELSE $35 END
            FROM UNNEST($19::uuid[], $20::bigint[], $21::bigint[], $22::bigint[], $23::smallint[], $24::text[], $25::text[])
              AS v(job_id, was_held, held, captured, state, grant_ids, amounts)
            WHERE h.job_id = v.job_id AND h.state = 0 AND h.held = v.was_held
            RETURNING 1
         ), held AS (
            INSERT INTO credit_holds
              (job_id, account_id, state, held, captured, grant_ids, amounts, created_at, settled_at)
            SELECT v.job_id, v.account_id, v.state, v.held, v.captured, v.grant_ids::uuid[], v.amounts::bigint[], $35,
                   CASE WHEN v.state = 0 THEN NULL ELSE $35 END
            FROM UNNEST($26::uuid[], $27::uuid[], $28::smallint[], $29::bigint[], $30::bigint[], $31::text[], $32::text[])
              AS v(job_id, account_id, state, held, captured, grant_ids, amounts)
         ), noted AS (
            INSERT INTO credit_entries
              (id, account_id, grant_id, job_id, kind, amount, balance_after, created_at, version)
            SELECT v.id, v.account_id, v.grant_id, v.job_id, v.kind, v.amount, v.balance_after, $35, v.version
            FROM UNNEST($33::uuid[], $34::uuid[], $36::uuid[], $37::uuid[], $38::smallint[], $39::bigint[], $40::bigint[],
              $44::bigint[]) AS v(id, account_id, grant_id, job_id, kind, amount, balance_after, version)
         ), committed AS (
            INSERT INTO ledger_commits (id, committed_at) VALUES ($41, $35)
         )
         SELECT (SELECT coalesce(array_agg(account_id), '{}') FROM ours), (SELECT count(*) FROM changed),
                (SELECT count(*) FROM granted), (SELECT count(*) FROM moved)",
    )
    .bind(column(grants, |(_, after)| after.id.0))
    .bind(column(grants, |(before, _)| before.remaining))
    .bind(column(grants, |(before, _)| before.held))
    .bind(column(grants, |(_, after)| after.remaining))
    .bind(column(grants, |(_, after)| after.held))
    .bind(column(grants, |(_, after)| after.spent))
    .bind(column(grants, |(_, after)| after.expired))
    .bind(column(new_grants, |(_, grant)| grant.id.0))
    .bind(column(new_grants, |(account, _)| account.0))
    .bind(column(new_grants, |(_, grant)| grant.kind as i16))
    .bind(column(new_grants, |(_, grant)| grant.source.clone()))
    .bind(column(new_grants, |(_, grant)| grant.amount))
    .bind(column(new_grants, |(_, grant)| grant.remaining))
    .bind(column(new_grants, |(_, grant)| grant.held))
    .bind(column(new_grants, |(_, grant)| grant.spent))
    .bind(column(new_grants, |(_, grant)| grant.expired))
    .bind(column(new_grants, |(_, grant)| grant.issued_at))
    .bind(column(new_grants, |(_, grant)| grant.expires_at))
    .bind(column(holds, |(_, hold)| hold.job.0))
    .bind(column(holds, |(was_held, _)| *was_held))
    .bind(column(holds, |(_, hold)| hold.held))
    .bind(column(holds, |(_, hold)| hold.captured))
    .bind(column(holds, |(_, hold)| hold.state as i16))
    .bind(column(holds, |(_, hold)| array_literal(hold.lots.iter().map(|(grant, _)| grant))))
    .bind(column(holds, |(_, hold)| array_literal(hold.lots.iter().map(|(_, amount)| amount))))
    .bind(column(new_holds, |(_, hold)| hold.job.0))
    .bind(column(new_holds, |(account, _)| account.0))
    .bind(column(new_holds, |(_, hold)| hold.state as i16))
    .bind(column(new_holds, |(_, hold)| hold.held))
    .bind(column(new_holds, |(_, hold)| hold.captured))
    .bind(column(new_holds, |(_, hold)| array_literal(hold.lots.iter().map(|(grant, _)| grant))))
    .bind(column(new_holds, |(_, hold)| array_literal(hold.lots.iter().map(|(_, amount)| amount))))
    .bind(column(entries, |_| EntryId::new().0))
    .bind(column(entries, |(account, _)| account.0))
    .bind(now)
    .bind(column(entries, |(_, entry)| entry.grant.0))
    .bind(column(entries, |(_, entry)| entry.job.map(|job| job.0)))
    .bind(column(entries, |(_, entry)| entry.kind as i16))
    .bind(column(entries, |(_, entry)| entry.amount))
    .bind(column(entries, |(_, entry)| entry.balance_after))
    .bind(commit)
    .bind(column(accounts, |(account, ..)| account.0))
    .bind(column(accounts, |(_, was, _)| was + 1))
    .bind(column(entries, |(account, _)| versions.get(account).map_or(0, |was| was + 1)))
    .bind(column(accounts, |(.., spending)| spending.day))
    .bind(column(accounts, |(.., spending)| spending.spent))
    .bind(column(grants, |(_, after)| after.debited))
    .bind(column(new_grants, |(_, grant)| grant.debited))
    .fetch_one(connection)
    .await?;
    if ours.len() < accounts.len() {
        let ours: HashSet<Uuid> = ours.into_iter().collect();
        let overtaken = accounts.iter().map(|(account, ..)| *account).filter(|account| !ours.contains(&account.0));
        return Ok(ApplyOutcome::Conflict(overtaken.collect()));
    }
    // An older version of the program, which does not write account versions, may run at the same time.
    if (changed, granted, moved) != (rows(grants), rows(new_grants), rows(holds)) {
        return Ok(ApplyOutcome::Conflict(Vec::new()));
    }
    Ok(ApplyOutcome::Written)
}

pub(super) fn column<T, C>(rows: &[T], value: impl Fn(&T) -> C) -> Vec<C> {
    rows.iter().map(value).collect()
}

fn rows<T>(rows: &[T]) -> i64 {
    i64::try_from(rows.len()).unwrap_or(i64::MAX)
}

/// `{a,b}` of ids or numbers, which need no quotes.
pub(super) fn array_literal<T: std::fmt::Display>(items: impl Iterator<Item = T>) -> String {
    let mut literal = String::from("{");
    for (index, item) in items.enumerate() {
        if index > 0 {
            literal.push(',');
        }
        literal.push_str(&item.to_string());
    }
    literal.push('}');
    literal
}

pub(super) async fn was_committed(db: &PgPool, commit: Uuid) -> sqlx::Result<bool> {
    let found = sqlx::query_scalar!("SELECT 1 FROM ledger_commits WHERE id = $1", commit).fetch_optional(db).await?;
    Ok(found.is_some())
}

/// Deletes commit rows older than an hour; no caller looks for them any more.
pub(super) async fn forget_old_commits(db: &PgPool, now: DateTime<Utc>) -> sqlx::Result<u64> {
    let before = now - Duration::hours(1);
    let done = sqlx::query!("DELETE FROM ledger_commits WHERE committed_at < $1", before).execute(db).await?;
    Ok(done.rows_affected())
}

/// Accounts with expired lots that are not written off yet.
pub(super) async fn accounts_with_due_lots(db: &PgPool, now: DateTime<Utc>, most: i64) -> sqlx::Result<Vec<UserId>> {
    let rows = sqlx::query_scalar!(
        "SELECT DISTINCT account_id FROM credit_grants WHERE expires_at <= $1 AND remaining > 0 LIMIT $2",
        now,
        most,
    )
    .fetch_all(db)
    .await?;
    Ok(rows.into_iter().map(UserId).collect())
}

/// The account's balance now. Expired lots do not count, whether written off or not.
pub(super) async fn balance(db: &PgPool, account: UserId, now: DateTime<Utc>) -> sqlx::Result<Balance> {
    let row = sqlx::query!(
        r#"SELECT LEAST(COALESCE(SUM(remaining) FILTER (WHERE expires_at IS NULL OR expires_at > $2), 0), 9223372036854775807)::bigint AS "available!",
                  LEAST(COALESCE(SUM(held), 0), 9223372036854775807)::bigint AS "held!"
           FROM credit_grants WHERE account_id = $1"#,
        account.0,
        now,
    )
    .fetch_one(db)
    .await?;
    Ok(Balance { available: row.available, held: row.held })
}

/// An account's lots with available or held credits, in the order of spending.
pub(super) async fn grants(db: &PgPool, account: UserId) -> sqlx::Result<Vec<Grant>> {
    let loaded = load_accounts(db, &[account.0]).await?;
    Ok(Account::new(loaded.into_iter().map(|(_, grant)| grant).collect()).grants)
}

/// An unknown kind is an error: it must not be read as another kind.
fn unknown(what: &str, number: i16) -> sqlx::Error {
    sqlx::Error::Decode(format!("{number} is no {what}").into())
}

fn grant_kind(number: i16) -> sqlx::Result<GrantKind> {
    match number {
        0 => Ok(GrantKind::Plan),
        1 => Ok(GrantKind::Purchase),
        2 => Ok(GrantKind::Operator),
        3 => Ok(GrantKind::Coupon),
        other => Err(unknown("kind of a grant", other)),
    }
}

pub(super) fn entry_kind(number: i16) -> sqlx::Result<LedgerEntryKind> {
    match number {
        0 => Ok(LedgerEntryKind::Grant),
        1 => Ok(LedgerEntryKind::Hold),
        2 => Ok(LedgerEntryKind::Capture),
        3 => Ok(LedgerEntryKind::Release),
        4 => Ok(LedgerEntryKind::Expire),
        5 => Ok(LedgerEntryKind::Debit),
        other => Err(unknown("kind of an entry", other)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_round_trip_and_unknown_numbers_fail() {
        let grants = [GrantKind::Plan, GrantKind::Purchase, GrantKind::Operator, GrantKind::Coupon];
        for kind in grants {
            assert_eq!(grant_kind(kind as i16).expect("known"), kind);
        }
        let entries = [
            LedgerEntryKind::Grant,
            LedgerEntryKind::Hold,
            LedgerEntryKind::Capture,
            LedgerEntryKind::Release,
            LedgerEntryKind::Expire,
            LedgerEntryKind::Debit,
        ];
        for kind in entries {
            assert_eq!(entry_kind(kind as i16).expect("known"), kind);
        }
        for number in [-1, 6, 9] {
            assert!(grant_kind(number).is_err() && entry_kind(number).is_err());
        }
    }
}
