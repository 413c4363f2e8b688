//! Accepts jobs: all checks come before the first write, and one group commit holds the credits and inserts the row.
//!
//! As in ComfyUI, a raw prompt runs its valid outputs and returns the errors of the others, unless the submit is strict.
//! All outputs of a mini app must be valid, because its user cannot fix the graph.

mod acceptance;
mod placement;
pub(in crate::jobs) mod quote;
pub(in crate::jobs) mod submission;
mod validity;

use std::collections::HashMap;
use std::sync::Arc;

use indexmap::IndexMap;
use serde_json::{Map, Value, json};

use self::acceptance::{CheckedSubmit, accept};
use self::submission::{FormSubmit, PromptSubmit, Submitted};
use self::validity::{AcceptedPrompt, Strictness, refused};
use crate::assets::{self, Asset, AssetKind, ContentHash};
use crate::graph::{
    Needs, Prompt, PromptText, SubmittedFiles, WrittenPrompt, classes, content_hash, only_upstream, text_extension,
    value_of,
};
use crate::ids::{AssetId, UserId};
use crate::jobs::client_prompts::client_prompt::{ClientPrompt, PromptCall};
use crate::jobs::client_prompts::find_client_prompt;
use crate::jobs::stored_needs::{StoredNeeds, VersionCheckKey};
use crate::jobs::{metrics, store};
use crate::ledger;
use crate::mini_apps::{self, CompiledApp, FilledForm};
use crate::settings::Plan;
use crate::users::{self, Ceilings};
use crate::{Caller, Core, Error, Result};

/// The most characters of an idempotency key.
const KEY_LIMIT: usize = 255;

/// Submits a mini app.
///
/// # Errors
/// [`Error::NotFound`]; [`Error::InvalidFields`] for the form; [`Error::InvalidPrompt`] where no worker can run the graph;
/// [`Error::OutOfCredits`]; [`Error::Refused`] with `CREDIT_CEILING` or `DEADLINE_NOT_POSSIBLE`; the idempotency errors;
/// [`Error::RateLimited`] and [`Error::Unavailable`] where too many jobs wait.
pub async fn submit_form(core: &Core, caller: &Caller, submit: FormSubmit) -> Result<Submitted> {
    let user = caller.signed_in()?;
    let permit = users::may_take_part(core, caller).await?;
    let request = || {
        // Absent parts are left out, so that keys of earlier releases keep their hash.
        let version = submit.version.map(|version| json!(version));
        let parts = [json!("form"), json!(submit.app), json!(&submit.form)];
        content_hash(
            &parts.into_iter().chain(version).chain(submit.terms.parts()).chain(submit.labels.to_value()).collect(),
        )
    };
    with_key(core, user, submit.idempotency_key.as_deref(), request, async |key| {
        let app = mini_apps::compiled_version(core, caller, submit.app, submit.version).await?;
        let (plan, ceilings) = plan_and_ceilings(core, user).await?;
        let CheckedForm { filled, assets, needs } = check_form(core, caller, plan, &app, &submit.form).await?;
        let files: Map<String, Value> = assets.values().map(|asset| (asset.id.to_string(), file_row(asset))).collect();
        let work = CheckedSubmit {
            batch: submit.batch,
            labels: submit.labels.to_value(),
            version: Some(app.version),
            prompt_hash: None,
            form: Some(Value::Object(filled.form)),
            seeds: Some(json!(filled.seeds)),
            files: (!files.is_empty()).then_some(Value::Object(files)),
            extra_data: None,
            node_errors: IndexMap::new(),
            strict: true,
            terms: submit.terms,
            ceilings,
            needs,
            call: None,
        };
        accept(core, caller, &permit, plan, work, key).await
    })
    .await
    .inspect(metrics::accepted)
    .inspect_err(metrics::refused)
}

/// Submits a raw prompt.
///
/// # Errors
/// As [`submit_form`], with [`Error::InvalidPrompt`] for all errors of the graph.
pub async fn submit_prompt(core: &Core, caller: &Caller, submit: PromptSubmit) -> Result<Submitted> {
    submit_with(core, caller, submit, None).await
}

/// Submits a raw prompt of a ComfyUI client. A prompt id that the client chose is also its idempotency key: the same
/// prompt under it again is the same job.
///
/// # Errors
/// As [`submit_prompt`]; [`Error::Invalid`] for a prompt id that the caller has used before.
pub async fn submit_client_prompt(
    core: &Core,
    caller: &Caller,
    mut submit: PromptSubmit,
    call: PromptCall,
) -> Result<(Submitted, ClientPrompt)> {
    submit.idempotency_key = call.prompt_id.map(|id| format!("prompt-{id}"));
    let submitted = submit_with(core, caller, submit, Some(call)).await?;
    let prompt = find_client_prompt(core, caller, submitted.id.0).await?;
    Ok((submitted, prompt))
}

async fn submit_with(
    core: &Core,
    caller: &Caller,
    submit: PromptSubmit,
    call: Option<PromptCall>,
) -> Result<Submitted> {
    let user = caller.signed_in()?;
    let permit = users::may_take_part(core, caller).await?;
    let request = || {
        let files: std::collections::BTreeMap<_, _> = submit.files.iter().collect();
        let extra_data = submit.extra_data.as_deref().map(value_of);
        let strict = submit.strict.then_some("strict").into_iter().map(Value::from);
        let parts = [json!("prompt"), value_of(&submit.prompt), json!(files), json!(extra_data)];
        let extra = submit.terms.parts().chain(submit.labels.to_value());
        content_hash(&parts.into_iter().chain(strict).chain(extra).collect())
    };
    let key = submit.idempotency_key.clone();
    with_key(core, user, key.as_deref(), request, async |key| {
        let (plan, ceilings) = plan_and_ceilings(core, user).await?;
        let targets = call.as_ref().and_then(|call| call.targets.as_deref());
        let CheckedPrompt { text, prompt, assets, valid } = check_prompt(core, caller, plan, &submit, targets).await?;
        let needs = store_needs(core, valid.needs).await?;
        let hash = text.hash();
        // Each account that runs the prompt becomes an owner. The prompt is deleted with its last owner.
        let owned = format!("{user}:{hash}");
        if !core.queue.is_stored(&owned) {
            store::insert_prompt(&core.db, user, &hash, &prompt, &text, core.clock.now()).await?;
        }
        // Before the job's row: a worker may claim it before this task knows of its commit.
        core.queue.prompts().keep(&hash, WrittenPrompt { text, prompt });
        let files: Map<String, Value> = assets.iter().map(|(name, asset)| (name.clone(), file_row(asset))).collect();
        let work = CheckedSubmit {
            batch: submit.batch,
            labels: submit.labels.to_value(),
            version: None,
            prompt_hash: Some(hash),
            form: None,
            seeds: None,
            files: (!files.is_empty()).then_some(Value::Object(files)),
            extra_data: submit.extra_data.clone().filter(|extra| extra.get().starts_with('{')),
            node_errors: valid.node_errors,
            strict: submit.strict,
            terms: submit.terms,
            ceilings,
            needs,
            call: call.map(|call| (call, valid.outputs)),
        };
        let submitted = accept(core, caller, &permit, plan, work, key).await?;
        // Only now: the prompt is durable with its job.
        core.queue.note_stored(&owned);
        Ok(submitted)
    })
    .await
    .inspect(metrics::accepted)
    .inspect_err(metrics::refused)
}

/// Submits once per idempotency key. A repeated request gets the result of the first one.
async fn with_key(
    core: &Core,
    user: UserId,
    key: Option<&str>,
    request: impl FnOnce() -> String,
    submit: impl AsyncFnOnce(Option<(String, String)>) -> Result<Submitted>,
) -> Result<Submitted> {
    let Some(key) = key else { return submit(None).await };
    check_key("Idempotency-Key", key)?;
    let _lock = core.queue.lock_key(user, key).await?;
    let hash = request();
    // Nearly all keys are new, so the commit detects used ones. A replay succeeds even if the request would fail now.
    match submit(Some((key.to_owned(), hash.clone()))).await {
        Ok(submitted) => Ok(submitted),
        Err(why) => replay(core, user, key, &hash).await?.ok_or(why),
    }
}

/// Validates an idempotency key. `field` is its place in the request.
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

/// The uploads of a submit, by their file name or form field.
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
    assets::must_be_usable(core, caller, &contents).await?;
    files
        .into_iter()
        .map(|(name, id)| match found.get(&id) {
            Some(asset) => Ok((name.to_owned(), asset.clone())),
            None => Err(Error::invalid(name, "names a file that was not uploaded, or that belongs to another account")),
        })
        .collect()
}

/// The name of a file on workers. Equal files have equal names, except that texts keep the extensions of their formats.
pub(in crate::jobs) fn worker_name(asset: &Asset) -> String {
    let extension = match asset.kind {
        AssetKind::Text => text_extension(&asset.name).unwrap_or("txt"),
        _ => asset.stored.media.extension(),
    };
    format!("vg-{}.{extension}", asset.stored.content.as_str())
}

fn file_row(asset: &Asset) -> Value {
    json!({ "asset": asset.id, "content": asset.stored.content, "name": worker_name(asset) })
}

/// The plan of an account, and what its runs may cost. Grants the allowance of this month.
async fn plan_and_ceilings(core: &Core, user: UserId) -> Result<(&Plan, Ceilings)> {
    let user = users::find(core, user).await?;
    if let Some(plan) = users::plan_with_allowance(core, &user)? {
        ledger::grant_allowance(core, user.id, plan).await?;
    }
    Ok((users::plan_of(core, &user)?, user.ceilings))
}

/// The needs of every form of this version; `None` where they depend on the form. Cached until the roster changes.
async fn needs_of_version(core: &Core, plan: &Plan, app: &CompiledApp) -> Result<Option<Arc<StoredNeeds>>> {
    let key = VersionCheckKey {
        version: app.version,
        pools: plan.pools.clone(),
        // Read before the definitions: if these change in between, the next submit checks again.
        generation: core.fleet.roster().generation(),
    };
    if let Some(known) = core.queue.version_check(&key) {
        return Ok(known);
    }
    let needs_by = |definitions: &_| app.clearance(definitions);
    let needs = match validity::needs_of_every_form(core, &plan.pools, needs_by, &classes(app.prompt())) {
        Some(needs) => Some(store_needs(core, needs).await?),
        None => None,
    };
    core.queue.cache_version_check(key, needs.clone());
    Ok(needs)
}

/// A form that a mini app can run with.
struct CheckedForm {
    filled: FilledForm,
    /// The uploads by their field.
    assets: HashMap<String, Asset>,
    needs: Arc<StoredNeeds>,
}

/// Validates the fields of a form and its files, and the rendered prompt where that depends on the form.
async fn check_form(
    core: &Core,
    caller: &Caller,
    plan: &Plan,
    app: &CompiledApp,
    form: &Map<String, Value>,
) -> Result<CheckedForm> {
    let filled = app.fill(form)?;
    let assets = inputs(core, caller, filled.files.iter().map(|(field, (id, _))| (field.as_str(), *id))).await?;
    for (field, (_, kind)) in &filled.files {
        if assets.get(field).is_some_and(|asset| asset.kind != *kind) {
            return Err(Error::invalid(field, format!("must be a file of the kind {}", kind.as_str())));
        }
    }
    if let Some(needs) = needs_of_version(core, plan, app).await? {
        return Ok(CheckedForm { filled, assets, needs });
    }
    let names: HashMap<AssetId, String> = assets.values().map(|asset| (asset.id, worker_name(asset))).collect();
    let prompt = app.render(&filled.form, |id| names.get(&id).cloned())?;
    let given = SubmittedFiles { files: names.into_values().collect() };
    let valid = validity::validate_for_pools(core, &plan.pools, &prompt, &given, Strictness::AllOutputs).await?;
    let needs = store_needs(core, valid.needs).await?;
    Ok(CheckedForm { filled, assets, needs })
}

/// A prompt that workers accept.
struct CheckedPrompt {
    text: PromptText,
    prompt: Prompt,
    /// The uploads by their file name.
    assets: HashMap<String, Asset>,
    valid: AcceptedPrompt,
}

/// Validates a prompt and its files. `targets` are the outputs that a ComfyUI client asks for.
async fn check_prompt(
    core: &Core,
    caller: &Caller,
    plan: &Plan,
    submit: &PromptSubmit,
    targets: Option<&[String]>,
) -> Result<CheckedPrompt> {
    let (mut text, mut prompt) = PromptText::read(&submit.prompt).map_err(refused)?;
    if let Some(targets) = targets {
        (text, prompt) = only_upstream(&text, &prompt, targets).map_err(refused)?;
    }
    let assets = inputs(core, caller, submit.files.iter().map(|(name, id)| (name.as_str(), *id))).await?;
    let given = SubmittedFiles { files: assets.keys().cloned().collect() };
    let strictness = if submit.strict { Strictness::AllOutputs } else { Strictness::ValidOutputs };
    let valid = validity::validate_for_pools(core, &plan.pools, &prompt, &given, strictness).await?;
    Ok(CheckedPrompt { text, prompt, assets, valid })
}

/// Stores needs, once per hash.
pub(in crate::jobs) async fn store_needs(core: &Core, needs: Needs) -> Result<Arc<StoredNeeds>> {
    let value = needs.to_value();
    let hash = content_hash(&value);
    if !core.queue.is_stored(&hash) {
        store::insert_needs(&core.db, &hash, &value, core.clock.now()).await?;
        core.queue.note_stored(&hash);
        core.queue.note_new_needs();
    }
    Ok(Arc::new(StoredNeeds { hash, needs }))
}
