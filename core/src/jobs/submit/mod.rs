//! Accepting a job: everything is checked before anything is written, and one group commit holds the credits and
//! keeps the row.
//!
//! Of a raw prompt the outputs that are good run, and the others are told of, as ComfyUI does it; who wants all or
//! nothing says so. Of a mini app all outputs are wanted: its author declared them, and its user cannot mend the graph.

pub(in crate::jobs) mod submission;
mod validity;

use std::collections::HashMap;
use std::sync::Arc;

use indexmap::IndexMap;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use self::submission::{FormSubmit, PromptSubmit, Submitted};
use self::validity::{Want, refused};
use crate::assets::{self, Asset, ContentHash};
use crate::caller::Via;
use crate::graph::{Given, Needs, NodeTroubles, PromptText, classes, content_hash, value_of};
use crate::ids::{AssetId, BatchId, JobId, UserId, WorkflowApiVersionId};
use crate::jobs::flight::rows::{Accepted, KeyTaken};
use crate::jobs::kept_needs::KeptNeeds;
use crate::jobs::queue::estimate::kind;
use crate::jobs::queue::standing::Standing;
use crate::jobs::queue::tags;
use crate::jobs::queue::waiting::{Limits, Queued};
use crate::jobs::status::Lane;
use crate::jobs::{metrics, store};
use crate::ledger::{self, Movement, Post, PostError};
use crate::mini_apps::{self, CompiledApp, Filled};
use crate::settings::Plan;
use crate::users::{self, Permit};
use crate::{Caller, Core, Error, Result};

/// Characters of an idempotency key at most.
const KEY_LIMIT: usize = 255;
/// The least a job must be able to hold, in seconds of its price.
const LEAST_SECONDS: i64 = 1;

/// What is to run, once it was checked.
struct Work {
    batch: Option<BatchId>,
    version: Option<WorkflowApiVersionId>,
    prompt_hash: Option<String>,
    form: Option<Value>,
    seeds: Option<Value>,
    files: Option<Value>,
    extra_data: Option<Box<RawValue>>,
    node_errors: IndexMap<String, NodeTroubles>,
    strict: bool,
    needs: Arc<KeptNeeds>,
}

/// Accepts a run of a mini app.
///
/// # Errors
/// [`Error::LoginRequired`]; [`Error::NotFound`]; [`Error::InvalidFields`] for the form; [`Error::InvalidPrompt`]
/// where no worker could run the graph; [`Error::OutOfCredits`]; the idempotency errors; [`Error::RateLimited`] and
/// [`Error::Unavailable`] where too much waits. Nothing was accepted then.
pub async fn submit_form(core: &Core, caller: &Caller, submit: FormSubmit) -> Result<Submitted> {
    let user = caller.signed_in()?;
    let permit = users::may_take_part(core, caller).await?;
    let request = || content_hash(&json!(["form", submit.app, &submit.form]));
    with_key(core, user, submit.idempotency_key.as_deref(), request, async |key| {
        let app = mini_apps::compiled(core, caller, submit.app).await?;
        let filled = app.fill(&submit.form)?;
        let assets = inputs(core, caller, filled.files.iter().map(|(field, (id, _))| (field.as_str(), *id))).await?;
        for (field, (_, kind)) in &filled.files {
            if assets.get(field).is_some_and(|asset| asset.kind != *kind) {
                return Err(Error::invalid(field, format!("must be a file of the kind {}", kind.as_str())));
            }
        }
        let plan = plan(core, user).await?;
        let needs = match cleared(core, plan, &app).await? {
            Some(needs) => needs,
            None => check_form(core, plan, &app, &filled, &assets).await?,
        };
        let files: Map<String, Value> = assets.values().map(|asset| (asset.id.to_string(), file_row(asset))).collect();
        let work = Work {
            batch: submit.batch,
            version: Some(app.version),
            prompt_hash: None,
            form: Some(Value::Object(filled.form)),
            seeds: Some(json!(filled.seeds)),
            files: (!files.is_empty()).then_some(Value::Object(files)),
            extra_data: None,
            node_errors: IndexMap::new(),
            strict: true,
            needs,
        };
        accept(core, caller, &permit, plan, work, key).await
    })
    .await
    .inspect(metrics::accepted)
    .inspect_err(metrics::refused)
}

/// Accepts a run of a raw prompt.
///
/// # Errors
/// As [`submit_form`], with [`Error::InvalidPrompt`] for everything that is wrong with the graph.
pub async fn submit_prompt(core: &Core, caller: &Caller, submit: PromptSubmit) -> Result<Submitted> {
    let user = caller.signed_in()?;
    let permit = users::may_take_part(core, caller).await?;
    let request = || {
        let files: std::collections::BTreeMap<_, _> = submit.files.iter().collect();
        let extra_data = submit.extra_data.as_deref().map(value_of);
        let strict = submit.strict.then_some("strict").into_iter().map(Value::from);
        let parts = [json!("prompt"), value_of(&submit.prompt), json!(files), json!(extra_data)];
        content_hash(&parts.into_iter().chain(strict).collect())
    };
    let key = submit.idempotency_key.clone();
    with_key(core, user, key.as_deref(), request, async |key| {
        let (text, prompt) = PromptText::read(&submit.prompt).map_err(refused)?;
        let assets = inputs(core, caller, submit.files.iter().map(|(name, id)| (name.as_str(), *id))).await?;
        let plan = plan(core, user).await?;
        let given = Given { files: assets.keys().cloned().collect() };
        let want = if submit.strict { Want::All } else { Want::Good };
        let verdict = validity::judge(core, &plan.pools, &prompt, &given, want).await?;
        let needs = keep_needs(core, verdict.needs).await?;
        let hash = text.hash();
        // A prompt is kept for each of those who run it, and forgotten with the last of them.
        let kept = format!("{user}:{hash}");
        if !core.queue.is_kept(&kept) {
            store::keep_prompt(&core.db, user, &hash, &prompt, &text, core.clock.now()).await?;
            core.queue.note_kept(&kept);
        }
        let files: Map<String, Value> = assets.iter().map(|(name, asset)| (name.clone(), file_row(asset))).collect();
        let work = Work {
            batch: submit.batch,
            version: None,
            prompt_hash: Some(hash),
            form: None,
            seeds: None,
            files: (!files.is_empty()).then_some(Value::Object(files)),
            extra_data: submit.extra_data.clone().filter(|extra| extra.get().starts_with('{')),
            node_errors: verdict.node_errors,
            strict: submit.strict,
            needs,
        };
        accept(core, caller, &permit, plan, work, key).await
    })
    .await
    .inspect(metrics::accepted)
    .inspect_err(metrics::refused)
}

/// Sees to it that a key is used for one request, and answers a repeated one as the first time.
async fn with_key(
    core: &Core,
    user: UserId,
    key: Option<&str>,
    request: impl FnOnce() -> String,
    submit: impl AsyncFnOnce(Option<(String, String)>) -> Result<Submitted>,
) -> Result<Submitted> {
    let Some(key) = key else { return submit(None).await };
    check_key("Idempotency-Key", key)?;
    let _one_at_a_time = core.queue.hold_key(user, key).await?;
    let hash = request();
    // Nearly every key is new, and the commit finds out about those that are not. A request that was accepted before
    // is answered as then, whatever would keep it from being accepted now.
    match submit(Some((key.to_owned(), hash.clone()))).await {
        Ok(submitted) => Ok(submitted),
        Err(why) => replay(core, user, key, &hash).await?.ok_or(why),
    }
}

/// Whether this can be a key of a request, or of an item of a batch; `field` names where it stands.
pub(in crate::jobs) fn check_key(field: &str, key: &str) -> Result<()> {
    if key.is_empty() || key.len() > KEY_LIMIT || !key.chars().all(|c| c.is_ascii_graphic()) {
        return Err(Error::invalid(field, format!("must have 1 to {KEY_LIMIT} visible ASCII characters")));
    }
    Ok(())
}

async fn replay(core: &Core, user: UserId, key: &str, hash: &str) -> Result<Option<Submitted>> {
    let Some((id, first)) = store::find_key(&core.db, user, key).await? else { return Ok(None) };
    if first != hash {
        return Err(Error::IdempotencyMismatch);
    }
    let (seeds, node_errors) =
        store::find(&core.db, id).await?.map_or((None, None), |job| (job.seeds, job.node_errors));
    let [seeds, node_errors] = [seeds, node_errors].map(|value| value.unwrap_or_else(|| json!({})));
    Ok(Some(Submitted { id, seeds, node_errors, workers: None, replayed: true }))
}

/// The uploaded files of a submit, by the name or field they are given for.
async fn inputs<'a>(
    core: &Core,
    caller: &Caller,
    files: impl Iterator<Item = (&'a str, AssetId)>,
) -> Result<HashMap<String, Asset>> {
    let files: Vec<(&str, AssetId)> = files.collect();
    if files.is_empty() {
        return Ok(HashMap::new());
    }
    let ids: Vec<AssetId> = files.iter().map(|(_, id)| *id).collect();
    let found = assets::readable(core, caller, &ids).await?;
    let contents: Vec<ContentHash> = found.values().map(|asset| asset.stored.content.clone()).collect();
    assets::must_be_free(core, caller, &contents).await?;
    files
        .into_iter()
        .map(|(name, id)| match found.get(&id) {
            Some(asset) => Ok((name.to_owned(), asset.clone())),
            None => Err(Error::invalid(name, "names a file that was not uploaded, or that is somebody else's")),
        })
        .collect()
}

/// The name under which a worker gets a file: ours, and the same for the same bytes.
pub(in crate::jobs) fn worker_name(asset: &Asset) -> String {
    format!("vg-{}.{}", asset.stored.content.as_str(), asset.stored.media.extension())
}

fn file_row(asset: &Asset) -> Value {
    json!({ "asset": asset.id, "content": asset.stored.content, "name": worker_name(asset) })
}

/// The plan of a person, and its allowance of this month.
async fn plan(core: &Core, user: UserId) -> Result<&Plan> {
    let name = users::plan(core, user).await?;
    let plan = core.settings.plan(&name).or_else(|| core.settings.first_plan());
    let plan = plan.ok_or_else(|| Error::Internal("no plan is configured".into()))?;
    ledger::allow(core, user, plan).await?;
    Ok(plan)
}

/// What every form of this version needs, where it can run with any of them; remembered until what workers know
/// changes.
async fn cleared(core: &Core, plan: &Plan, app: &CompiledApp) -> Result<Option<Arc<KeptNeeds>>> {
    let standing = Standing {
        version: app.version,
        pools: plan.pools.clone(),
        // Asked before the definitions: where they change in between, the next submit looks again.
        generation: core.fleet.roster().generation(),
    };
    if let Some(known) = core.queue.cleared(&standing) {
        return Ok(known);
    }
    let clearance = |definitions: &_| app.clearance(definitions);
    let needs = match validity::of_every_form(core, &plan.pools, clearance, &classes(app.prompt())) {
        Some(needs) => Some(keep_needs(core, needs).await?),
        None => None,
    };
    core.queue.note_cleared(standing, needs.clone());
    Ok(needs)
}

/// Checks one form's prompt: its fields were checked already; this finds what only the whole graph tells.
async fn check_form(
    core: &Core,
    plan: &Plan,
    app: &CompiledApp,
    filled: &Filled,
    assets: &HashMap<String, Asset>,
) -> Result<Arc<KeptNeeds>> {
    let names: HashMap<AssetId, String> = assets.values().map(|asset| (asset.id, worker_name(asset))).collect();
    let prompt = app.render(&filled.form, |id| names.get(&id).cloned())?;
    let given = Given { files: names.into_values().collect() };
    let verdict = validity::judge(core, &plan.pools, &prompt, &given, Want::All).await?;
    keep_needs(core, verdict.needs).await
}

/// Holds the credits and keeps the row.
async fn accept(
    core: &Core,
    caller: &Caller,
    _: &Permit,
    plan: &Plan,
    work: Work,
    key: Option<(String, String)>,
) -> Result<Submitted> {
    let user = caller.signed_in()?;
    let lane = if matches!(caller.via, Via::ApiKey(_)) { Lane::Api } else { Lane::Interactive };
    // Where no single worker can run it, it waits in the preferred pool until ConnectError says so.
    let found = core.fleet.roster().pool_for(&plan.pools, &work.needs.needs);
    let found = found.or_else(|| Some((plan.pools.first()?.clone(), 0)));
    let (pool, workers) = found.ok_or_else(|| Error::Internal("a plan without pools".into()))?;
    let rate = core.settings.pool(&pool).map_or(0, |pool| pool.credits_per_second);
    let settings = &core.settings.jobs;
    let max_run_ms = i64::try_from(plan.max_run_seconds.saturating_mul(1000)).unwrap_or(i64::MAX);
    let kind = kind(work.version, &work.needs.hash);
    let estimate_ms = core.queue.estimates().of(&kind, &pool).mean().min(max_run_ms);

    let id = JobId::new();
    let queued = Queued::new(user, &pool, lane);
    let nodes = core.fleet.living_nodes();
    let limits = Limits { of_account: plan.max_queued_jobs, of_all: settings.max_waiting, nodes };
    let place = core.queue.waiting().reserve(id, queued, limits)?;
    let row = Accepted {
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
        rate,
        max_run_ms,
        estimate_ms,
        created_at: core.clock.now(),
        batch: work.batch,
        key,
    };
    let hold_seconds = i64::try_from(settings.hold_seconds).unwrap_or(60).max(estimate_ms / 1000 + 1);
    let movement = Movement::Hold { job: id, want: rate * hold_seconds, at_least: rate * LEAST_SECONDS };
    // Whoever is free finds the row as soon as it is there, also before this task hears that it is.
    let coming = core.queue.arrivals().coming(&pool, lane, &work.needs.hash);
    match core.ledger.post(Post { account: user, movement, attached: Some(row.attached()) }).await {
        Ok(_) => {
            drop(place);
            drop(coming);
            core.queue.wake();
            let seeds = work.seeds.unwrap_or_else(|| json!({}));
            Ok(Submitted { id, seeds, node_errors: json!(work.node_errors), workers: Some(workers), replayed: false })
        }
        Err(error) => {
            place.refused();
            Err(match error {
                PostError::Refused(why) if why.is::<KeyTaken>() => Error::IdempotencyInFlight,
                other => other.into(),
            })
        }
    }
}

/// Keeps what a worker must have, once per distinct need.
pub(in crate::jobs) async fn keep_needs(core: &Core, needs: Needs) -> Result<Arc<KeptNeeds>> {
    let value = needs.to_value();
    let hash = content_hash(&value);
    if !core.queue.is_kept(&hash) {
        store::keep_needs(&core.db, &hash, &value, core.clock.now()).await?;
        core.queue.note_kept(&hash);
        core.queue.note_new_needs();
    }
    Ok(Arc::new(KeptNeeds { hash, needs }))
}
