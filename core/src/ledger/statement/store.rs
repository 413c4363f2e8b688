//! SQL of statements.

use sqlx::PgPool;
use uuid::Uuid;

use crate::ids::{EntryId, GrantId, JobId, UserId, min_id};
use crate::ledger::entry::{LedgerEntry, LedgerEntryKind};
use crate::ledger::store::{CLOCKS_DIFFER, entry_kind};
use crate::periods::TimesOfDays;

/// A page of a statement.
pub(super) struct EntryPage {
    pub kind: Option<LedgerEntryKind>,
    pub times: TimesOfDays,
    pub before: Option<EntryId>,
    pub limit: i64,
}

/// The range of ids is never null, so that every plan reads it from the index. It is wider than the times, because an
/// id is made a little later than its entry's time.
pub(super) async fn entries(db: &PgPool, account: UserId, page: &EntryPage) -> sqlx::Result<Vec<LedgerEntry>> {
    let EntryPage { kind, times: TimesOfDays { from, until }, before, limit } = page;
    let first = from.map_or(Uuid::nil(), |at| min_id(at - CLOCKS_DIFFER));
    let end = until.map_or(Uuid::max(), |at| min_id(at + CLOCKS_DIFFER));
    let rows = sqlx::query!(
        "SELECT id, grant_id, job_id, kind, amount, balance_after, created_at FROM credit_entries
         WHERE account_id = $1 AND id >= $2 AND id < $3 AND ($4::timestamptz IS NULL OR created_at >= $4)
           AND ($5::timestamptz IS NULL OR created_at < $5) AND ($6::smallint IS NULL OR kind = $6)
         ORDER BY id DESC LIMIT $7",
        account.0,
        first,
        before.map_or(end, |id| end.min(id.0)),
        *from,
        *until,
        kind.map(|kind| kind as i16),
        limit,
    )
    .fetch_all(db)
    .await?;
    rows.into_iter()
        .map(|row| {
            Ok(LedgerEntry {
                id: EntryId(row.id),
                kind: entry_kind(row.kind)?,
                amount: row.amount,
                balance_after: row.balance_after,
                grant: GrantId(row.grant_id),
                job: row.job_id.map(JobId),
                created_at: row.created_at,
            })
        })
        .collect()
}
