//! SQL that reads holds. Open holds are in one small partition, settled ones in the months of their jobs. A literal
//! state lets every plan, also a generic one, leave out the other partitions.

use std::collections::HashSet;

use sqlx::{PgConnection, PgExecutor};
use uuid::Uuid;

use crate::ids::{GrantId, JobId};
use crate::ledger::state::{Hold, HoldState};

struct StoredHold {
    job_id: Uuid,
    state: i16,
    held: i64,
    captured: i64,
    grant_ids: Vec<Uuid>,
    amounts: Vec<i64>,
}

impl StoredHold {
    fn read(self) -> sqlx::Result<Hold> {
        Ok(Hold {
            job: JobId(self.job_id),
            state: hold_state(self.state)?,
            held: self.held,
            captured: self.captured,
            lots: self.grant_ids.into_iter().map(GrantId).zip(self.amounts).collect(),
        })
    }
}

/// The open holds of these jobs.
pub(in crate::ledger) async fn open_holds(db: impl PgExecutor<'_>, jobs: &[Uuid]) -> sqlx::Result<Vec<Hold>> {
    let rows = sqlx::query_as!(
        StoredHold,
        "SELECT job_id, state, held, captured, grant_ids, amounts FROM credit_holds
         WHERE state = 0 AND job_id = ANY($1)",
        jobs,
    )
    .fetch_all(db)
    .await?;
    rows.into_iter().map(StoredHold::read).collect()
}

/// The holds of these jobs. Reads months only for jobs without an open hold, which is rare: their settlement is
/// repeated.
pub(in crate::ledger) async fn load_holds(db: &mut PgConnection, jobs: &[Uuid]) -> sqlx::Result<Vec<Hold>> {
    let mut holds = open_holds(&mut *db, jobs).await?;
    let open: HashSet<Uuid> = holds.iter().map(|hold| hold.job.0).collect();
    let others: Vec<Uuid> = jobs.iter().copied().filter(|job| !open.contains(job)).collect();
    let (Some(first), Some(last)) = (others.iter().min(), others.iter().max()) else { return Ok(holds) };
    // The range names the months: in a generic plan, a list of ids does not.
    let rows = sqlx::query_as!(
        StoredHold,
        "SELECT job_id, state, held, captured, grant_ids, amounts FROM credit_holds
         WHERE state = 1 AND job_id = ANY($1) AND job_id >= $2 AND job_id <= $3",
        &others,
        *first,
        *last,
    )
    .fetch_all(db)
    .await?;
    for row in rows {
        holds.push(row.read()?);
    }
    Ok(holds)
}

/// An unknown state is an error: it must not be read as another state.
pub(in crate::ledger) fn hold_state(number: i16) -> sqlx::Result<HoldState> {
    match number {
        0 => Ok(HoldState::Held),
        1 => Ok(HoldState::Settled),
        other => Err(sqlx::Error::Decode(format!("{other} is no state of a hold").into())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_round_trip_and_unknown_numbers_fail() {
        for state in [HoldState::Held, HoldState::Settled] {
            assert_eq!(hold_state(state as i16).expect("known"), state);
        }
        for number in [-1, 2, 9] {
            assert!(hold_state(number).is_err(), "{number}");
        }
    }
}
