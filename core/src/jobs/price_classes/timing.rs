//! Where a new job waits, and until when.

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::json;

use super::class::{PriceClass, Promotion};
use super::deadline::{MAX_DAYS, RunTime, later};
use crate::graph::Needs;
use crate::ids::UserId;
use crate::jobs::queue::position;
use crate::jobs::status::Lane;
use crate::jobs::submit::submission::RunTerms;
use crate::{Code, Core, Error, Result};

/// A run that is about to be accepted.
#[derive(Debug, Clone, Copy)]
pub(in crate::jobs) struct NewRun<'a> {
    pub user: UserId,
    /// The lane of the submit, for a job of the class standard.
    pub lane: Lane,
    pub pool: &'a str,
    /// The key of its estimate.
    pub kind: &'a str,
    pub max_run_ms: i64,
    pub needs: &'a Needs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::jobs) struct JobTiming {
    pub lane: Lane,
    pub deadline: Option<DateTime<Utc>>,
    /// `None` for the class standard.
    pub promotion: Option<Promotion>,
}

/// # Errors
/// [`Error::Invalid`] for a deadline that is too far away; [`Error::Refused`] with `DEADLINE_NOT_POSSIBLE` for one before
/// the time at which the job would end in the lane of its submit.
pub(in crate::jobs) async fn timing(core: &Core, run: NewRun<'_>, terms: &RunTerms) -> Result<JobTiming> {
    let now = core.clock.now();
    let time = run_time(core, run.kind, run.pool, run.max_run_ms);
    if let Some(deadline) = terms.deadline {
        if deadline > now + TimeDelta::days(MAX_DAYS) {
            return Err(Error::invalid("deadline", format!("must be within {MAX_DAYS} days")));
        }
        // A promoted job has turns of its own, so its account's jobs do not go first.
        let account = (terms.class == PriceClass::Standard).then_some(run.user);
        // Boxed, so that submits without a deadline have a small future.
        let wait_ms = Box::pin(wait_ms(core, account, run.pool, run.lane, run.needs)).await?;
        let earliest = time.earliest_end(now, wait_ms);
        if deadline < earliest {
            return Err(Error::Refused {
                code: Code::DeadlineNotPossible,
                message: format!("the run would not end by {deadline}; the earliest time is {earliest}"),
                details: json!({ "deadline": deadline, "earliest": earliest }),
            });
        }
    }
    Ok(match terms.class {
        PriceClass::Standard => JobTiming { lane: run.lane, deadline: terms.deadline, promotion: None },
        PriceClass::Flex => {
            let longest = milliseconds(core.settings.queue.flex_longest_wait_seconds);
            let at = terms.deadline.map_or_else(|| later(now, longest), |deadline| time.latest_start(deadline));
            let promotion = Some(Promotion { to: run.lane, at });
            JobTiming { lane: Lane::Flex, deadline: terms.deadline, promotion }
        }
    })
}

/// What a run of this kind needs before its deadline, by what is known now.
pub(super) fn run_time(core: &Core, kind: &str, pool: &str, max_run_ms: i64) -> RunTime {
    RunTime {
        run_ms: core.queue.estimates().of(kind, pool).upper_ms().min(max_run_ms),
        margin_ms: milliseconds(core.settings.queue.deadline_margin_seconds),
    }
}

/// How long a job that the account submits now waits at most in a lane; without an account, one that goes next. A job that
/// no worker can run is taken not to wait: workers may connect.
pub(super) async fn wait_ms(
    core: &Core,
    account: Option<UserId>,
    pool: &str,
    lane: Lane,
    needs: &Needs,
) -> Result<i64> {
    let range = position::start_of_new(core, account, pool, lane, needs).await?;
    Ok(range.map_or(0, |(_, high)| high.saturating_mul(1000)))
}

fn milliseconds(seconds: u64) -> i64 {
    i64::try_from(seconds.saturating_mul(1000)).unwrap_or(i64::MAX)
}
