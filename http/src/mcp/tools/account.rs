//! The caller's account.

use serde::Deserialize;
use serde_json::json;
use verdigraph_core::jobs::{self, JobFilter, Status};
use verdigraph_core::ledger::Balance;
use verdigraph_core::users;

use crate::mcp::failure::Failure;
use crate::mcp::outcome::{Context, ToolResult};
use crate::routes::credits::allowed_balance;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NoArguments {}

pub async fn find(context: &Context, _: NoArguments) -> Result<ToolResult, Failure> {
    let Context { core, caller, .. } = context;
    let user = users::current(core, caller).await?;
    let Balance { available, held } = allowed_balance(core, caller).await?;
    let plan = users::plan_of(core, &user)?;
    let count =
        async |statuses: Vec<Status>| jobs::count(core, caller, &JobFilter { statuses, ..JobFilter::default() }).await;
    let waiting = count(vec![Status::Pending, Status::Connecting, Status::Connected]).await?;
    let running = count(vec![Status::Running]).await?;
    Ok(ToolResult::of(json!({
        "credits": { "available": available, "held": held },
        "ceilings": { "per_run": user.ceilings.run, "per_day": user.ceilings.day },
        "plan": {
            "name": plan.name,
            "monthly_credits": plan.monthly_credits,
            "max_run_seconds": plan.max_run_seconds,
            "max_queued_jobs": plan.max_queued_jobs,
            "storage_bytes": plan.storage_bytes,
            "pools": plan.pools,
        },
        "jobs": { "queued": waiting, "running": running },
    })))
}
