//! Derives every balance again from the entries and says where the tables disagree. Sums are cut off where 64 bits end:
//! one account that is beyond all bounds is a difference like another, and does not keep the rest from being audited.

use serde::Serialize;
use sqlx::PgPool;

use crate::Result;

/// What an audit found. Money is right exactly when `differences` is empty.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Reconciliation {
    pub accounts: i64,
    pub grants: i64,
    pub holds: i64,
    pub entries: i64,
    /// Sums over everything, in credits.
    pub granted: i64,
    pub available: i64,
    pub held: i64,
    pub spent: i64,
    pub expired: i64,
    /// One sentence each, at most 100 per kind.
    pub differences: Vec<String>,
}

impl Reconciliation {
    /// Whether everything adds up.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.differences.is_empty()
    }
}

/// Audits the whole ledger from one snapshot, so that it may run beside a working platform.
///
/// # Errors
/// Database errors only; differences are in the report.
pub async fn reconcile(db: &PgPool) -> Result<Reconciliation> {
    let mut snapshot = db.begin().await?;
    sqlx::query!("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY").execute(&mut *snapshot).await?;
    let mut report = Reconciliation::default();

    let sums = sqlx::query!(
        r#"SELECT count(*) AS "grants!", count(DISTINCT account_id) AS "accounts!",
                  LEAST(COALESCE(SUM(amount), 0), 9223372036854775807)::bigint AS "granted!",
                  LEAST(COALESCE(SUM(remaining), 0), 9223372036854775807)::bigint AS "available!",
                  LEAST(COALESCE(SUM(held), 0), 9223372036854775807)::bigint AS "held!",
                  LEAST(COALESCE(SUM(spent), 0), 9223372036854775807)::bigint AS "spent!",
                  LEAST(COALESCE(SUM(expired), 0), 9223372036854775807)::bigint AS "expired!",
                  COALESCE(SUM(amount) = SUM(remaining) + SUM(held) + SUM(spent) + SUM(expired), true) AS "adds_up!"
           FROM credit_grants"#
    )
    .fetch_one(&mut *snapshot)
    .await?;
    report.grants = sums.grants;
    report.accounts = sums.accounts;
    report.granted = sums.granted;
    report.available = sums.available;
    report.held = sums.held;
    report.spent = sums.spent;
    report.expired = sums.expired;
    if !sums.adds_up {
        report.differences.push("in total, granted is not available + held + spent + expired".into());
    }

    let derived = sqlx::query!(
        r#"WITH derived AS (
             SELECT grant_id,
                    SUM(amount) FILTER (WHERE kind = 0) AS granted, SUM(amount) FILTER (WHERE kind = 1) AS hold,
                    SUM(amount) FILTER (WHERE kind = 2) AS capture, SUM(amount) FILTER (WHERE kind = 3) AS release,
                    SUM(amount) FILTER (WHERE kind = 4) AS expire
             FROM credit_entries GROUP BY grant_id)
           SELECT COALESCE(g.id, d.grant_id) AS "id!", g.amount, g.remaining, g.held, g.spent, g.expired,
                  LEAST(COALESCE(d.granted, 0), 9223372036854775807)::bigint AS "granted!", LEAST(COALESCE(d.hold, 0), 9223372036854775807)::bigint AS "hold!",
                  LEAST(COALESCE(d.capture, 0), 9223372036854775807)::bigint AS "capture!", LEAST(COALESCE(d.release, 0), 9223372036854775807)::bigint AS "release!",
                  LEAST(COALESCE(d.expire, 0), 9223372036854775807)::bigint AS "expire!"
           FROM credit_grants g FULL JOIN derived d ON d.grant_id = g.id
           WHERE g.id IS NULL OR d.grant_id IS NULL OR g.amount <> COALESCE(d.granted, 0)
              OR g.remaining <> COALESCE(d.granted, 0) - COALESCE(d.hold, 0) + COALESCE(d.release, 0) - COALESCE(d.expire, 0)
              OR g.held <> COALESCE(d.hold, 0) - COALESCE(d.capture, 0) - COALESCE(d.release, 0)
              OR g.spent <> COALESCE(d.capture, 0) OR g.expired <> COALESCE(d.expire, 0)
           LIMIT 100"#
    )
    .fetch_all(&mut *snapshot)
    .await?;
    report.differences.extend(derived.into_iter().map(|row| {
        format!(
            "grant {} stands as {:?} available, {:?} held, {:?} spent, {:?} expired of {:?}, but its entries sum to \
             {} granted, {} held, {} captured, {} released, {} expired",
            row.id,
            row.remaining,
            row.held,
            row.spent,
            row.expired,
            row.amount,
            row.granted,
            row.hold,
            row.capture,
            row.release,
            row.expire
        )
    }));

    let open = sqlx::query!(
        r#"WITH open AS (
             SELECT lot.grant_id, LEAST(SUM(lot.amount), 9223372036854775807)::bigint AS held
             FROM credit_holds h, UNNEST(h.grant_ids, h.amounts) AS lot(grant_id, amount)
             WHERE h.state = 0 GROUP BY lot.grant_id)
           SELECT COALESCE(g.id, o.grant_id) AS "id!", COALESCE(g.held, 0) AS "stands!", COALESCE(o.held, 0) AS "derived!"
           FROM credit_grants g FULL JOIN open o ON o.grant_id = g.id
           WHERE COALESCE(g.held, 0) <> COALESCE(o.held, 0) LIMIT 100"#
    )
    .fetch_all(&mut *snapshot)
    .await?;
    report.differences.extend(
        open.into_iter().map(|row| {
            format!("grant {} has {} held, but open holds took {} from it", row.id, row.stands, row.derived)
        }),
    );

    let holds = sqlx::query!(
        r#"WITH moved AS (
             SELECT job_id, SUM(amount) FILTER (WHERE kind = 1) AS held, SUM(amount) FILTER (WHERE kind = 2) AS captured,
                    SUM(amount) FILTER (WHERE kind = 3) AS released
             FROM credit_entries WHERE job_id IS NOT NULL GROUP BY job_id)
           SELECT COALESCE(h.job_id, m.job_id) AS "job!", h.state, h.held, h.captured,
                  LEAST(COALESCE(m.held, 0), 9223372036854775807)::bigint AS "entry_held!", LEAST(COALESCE(m.captured, 0), 9223372036854775807)::bigint AS "entry_captured!",
                  LEAST(COALESCE(m.released, 0), 9223372036854775807)::bigint AS "entry_released!"
           FROM credit_holds h FULL JOIN moved m ON m.job_id = h.job_id
           WHERE h.job_id IS NULL OR h.held <> COALESCE(m.held, 0) OR h.captured <> COALESCE(m.captured, 0)
              OR (h.state = 1 AND h.held <> COALESCE(m.captured, 0) + COALESCE(m.released, 0))
              OR (h.state = 0 AND COALESCE(m.released, 0) + COALESCE(m.captured, 0) <> 0)
           LIMIT 100"#
    )
    .fetch_all(&mut *snapshot)
    .await?;
    report.differences.extend(holds.into_iter().map(|row| {
        format!(
            "the hold of job {} stands at {:?} held, {:?} captured (state {:?}), but its entries say {} held, {} captured, \
             {} released",
            row.job, row.held, row.captured, row.state, row.entry_held, row.entry_captured, row.entry_released
        )
    }));

    let last = sqlx::query!(
        r#"SELECT DISTINCT ON (e.account_id) e.account_id, e.balance_after,
                  (SELECT LEAST(COALESCE(SUM(g.remaining), 0), 9223372036854775807)::bigint
                   FROM credit_grants g WHERE g.account_id = e.account_id) AS "stands!"
           FROM credit_entries e ORDER BY e.account_id, e.version DESC, e.id DESC"#
    )
    .fetch_all(&mut *snapshot)
    .await?;
    report.differences.extend(last.into_iter().filter(|row| row.balance_after != row.stands).take(100).map(|row| {
        format!(
            "account {} has {} available, but its last entry says {}",
            row.account_id, row.stands, row.balance_after
        )
    }));

    report.holds =
        sqlx::query_scalar!(r#"SELECT count(*) AS "n!" FROM credit_holds"#).fetch_one(&mut *snapshot).await?;
    report.entries =
        sqlx::query_scalar!(r#"SELECT count(*) AS "n!" FROM credit_entries"#).fetch_one(&mut *snapshot).await?;
    snapshot.commit().await?;
    Ok(report)
}
