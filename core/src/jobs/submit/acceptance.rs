//! The acceptance of a checked submit: one group commit holds the credits and inserts the row.

use std::sync::Arc;

use indexmap::IndexMap;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::placement::{LEAST_MS, Placement, hold_seconds, lane_of, least, place};
use super::submission::{RunTerms, Submitted};
use crate::graph::NodeErrors;
use crate::ids::{BatchId, JobId, WorkflowApiVersionId};
use crate::jobs::client_prompts;
use crate::jobs::client_prompts::client_prompt::{ClientJob, PromptCall};
use crate::jobs::flight::rows::{AcceptedRow, KeyTaken};
use crate::jobs::live::clients::{self, client_in};
use crate::jobs::price_classes::timing::{JobTiming, NewRun, timing};
use crate::jobs::queue::tags;
use crate::jobs::queue::waiting::{QueuedJob, WaitingLimits};
use crate::jobs::stored_needs::StoredNeeds;
use crate::ledger::{LedgerPost, Movement, PostError};
use crate::settings::Plan;
use crate::users::{Ceilings, WritePermit};
use crate::{Caller, Core, Error, Result};

/// A submit that has passed all checks.
pub(super) struct CheckedSubmit {
    pub batch: Option<BatchId>,
    pub labels: Option<Value>,
    pub version: Option<WorkflowApiVersionId>,
    pub prompt_hash: Option<String>,
    pub form: Option<Value>,
    pub seeds: Option<Value>,
    pub files: Option<Value>,
    pub extra_data: Option<Box<RawValue>>,
    pub node_errors: IndexMap<String, NodeErrors>,
    pub strict: bool,
    pub terms: RunTerms,
    /// The account's own.
    pub ceilings: Ceilings,
    pub needs: Arc<StoredNeeds>,
    /// What a ComfyUI client sent with it, and the outputs that are made.
    pub call: Option<(PromptCall, Vec<String>)>,
}

/// Holds the credits and inserts the row.
pub(super) async fn accept(
    core: &Core,
    caller: &Caller,
    _: &WritePermit,
    plan: &Plan,
    work: CheckedSubmit,
    key: Option<(String, String)>,
) -> Result<Submitted> {
    let user = caller.signed_in()?;
    let terms = RunTerms { max_credits: least(work.terms.max_credits, work.ceilings.run), ..work.terms };
    let Placement { pool, workers, price, max_run_ms, kind, estimate_ms } =
        place(core, plan, work.version, &work.needs, &terms)?;
    let needs = &work.needs.needs;
    let run = NewRun { user, lane: lane_of(caller), pool: &pool, kind: &kind, max_run_ms, needs };
    let JobTiming { lane, deadline, promotion } = timing(core, run, &terms).await?;

    let id = JobId::new();
    let reserved = core.queue.waiting().reserve(id, QueuedJob::new(user, &pool, lane), limits(core, plan))?;
    let row = AcceptedRow {
        id,
        user,
        lane,
        pool: pool.clone(),
        needs: work.needs.hash.clone(),
        vstart: tags::next(core, &pool, lane, user, estimate_ms, plan.weight).await,
        version: work.version,
        prompt_hash: work.prompt_hash,
        form: work.form.map(|form| form.to_string()),
        seeds: work.seeds.as_ref().map(Value::to_string),
        files: work.files.map(|files| files.to_string()),
        extra_data: work.extra_data.map(|extra| extra.get().to_owned()),
        node_errors: (!work.node_errors.is_empty()).then(|| json!(work.node_errors)),
        strict: work.strict,
        rate: price.rate,
        percent: price.percent,
        max_run_ms,
        max_credits: terms.max_credits,
        deadline,
        promotion,
        estimate_ms,
        created_at: core.clock.now(),
        batch: work.batch,
        labels: work.labels,
        key,
    };
    let client = row.extra_data.as_deref().and_then(client_in);
    let prompt_id = work.call.as_ref().and_then(|(call, _)| call.prompt_id).unwrap_or(id.0);
    // Before the job, so that a reader of the job finds its client.
    if let Some((call, outputs)) = &work.call
        && let Err(error) = client_prompts::record(core, user, id, call, outputs).await
    {
        reserved.refused();
        return Err(error);
    }
    let hold_ms = hold_seconds(core, &kind, estimate_ms).saturating_mul(1000);
    let (want, at_least) = (price.credits(hold_ms.min(max_run_ms)), price.credits(LEAST_MS));
    let movement = Movement::Hold { job: id, want, at_least, day_ceiling: work.ceilings.day };
    // A worker may claim the row before this task knows of its commit.
    let pending = core.queue.change_log().begin_insert(&pool, lane, &work.needs.hash);
    match core.ledger.post(LedgerPost { account: user, movement, attached: Some(row.attached()) }).await {
        Ok(_) => {
            drop(reserved);
            drop(pending);
            if work.call.as_ref().is_some_and(|(call, _)| call.front) {
                client_prompts::move_to_front(core, user, (&pool, lane), id).await;
            }
            // Before a worker gets it, so that the client misses no message.
            if work.call.is_some() || client.is_some() {
                clients::announce(core, user, ClientJob { job: id, prompt_id, client }).await;
            }
            core.queue.wake();
            let seeds = work.seeds.unwrap_or_else(|| json!({}));
            Ok(Submitted { id, seeds, node_errors: json!(work.node_errors), workers: Some(workers), replayed: false })
        }
        Err(error) => {
            reserved.refused();
            // After another failure the job may have been accepted. A later submit with its prompt id
            // replaces a row without a job.
            if work.call.is_some() && matches!(error, PostError::Denied(_) | PostError::Refused(_)) {
                client_prompts::store::delete(&core.db, id).await?;
            }
            Err(match error {
                PostError::Refused(why) if why.is::<KeyTaken>() => Error::IdempotencyInFlight,
                other => other.into(),
            })
        }
    }
}

fn limits(core: &Core, plan: &Plan) -> WaitingLimits {
    WaitingLimits {
        of_account: plan.max_queued_jobs,
        of_all: core.settings.jobs.max_waiting,
        nodes: core.fleet.living_nodes(),
    }
}
