//! What a run costs and how long it takes, before it is submitted.

use std::collections::{BTreeMap, HashMap};

use actix_web::web::{self, Data, Json, Path, ServiceConfig};
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use uuid::Uuid;
use verdigraph_core::ids::{WorkflowApiId, WorkflowApiVersionId};
use verdigraph_core::jobs::{self, ExpectedRun, Quote, RunTerms};
use verdigraph_core::{Core, Error, settings::Settings};

use super::PromptGraphBody;
use crate::batch::RunParts;
use crate::caller::Caller;
use crate::editor::prompt::file_names;
use crate::error::Result;
use crate::extract::{GraphJson, PromptJson};
use crate::openapi::{self, IntoParams, OpenApi, ToSchema};
use crate::query::Query;
use crate::terms::TermsQuery;
use crate::views::jobs::EtaView;
use crate::views::quotes::{ExpectedRunView, FlexQuoteView, QuoteTotalView, QuoteView, QuotesView};

/// The most kinds of runs in one request, and the most runs of a kind.
const MOST_ITEMS: usize = 100;
const MOST_RUNS: i64 = 1_000_000;

#[derive(OpenApi)]
#[openapi(paths(of_app, of_app_public, of_graph, of_runs))]
pub struct Api;

pub fn configure(config: &mut ServiceConfig) {
    config
        .service(web::resource("/general/workflow-api/{id}/quote").get(of_app))
        .service(web::resource("/public/workflow-api/{id}/quote").get(of_app_public))
        .service(web::resource("/general/editor/quote").post(of_graph))
        .service(web::resource("/general/job/quote").post(of_runs));
}

/// The version to quote.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct AppQuoteQuery {
    /// A version of the mini app; the current one by default.
    #[param(value_type = Option<Uuid>)]
    version: Option<WorkflowApiVersionId>,
}

/// The price and the time of a run of a mini app, by earlier runs with any values
///
/// Nothing is submitted or held. A run costs what it takes: `mostCredits` is the price of the longest run that the plan
/// allows. `flex` is the price of the class that runs when workers have nothing else to do.
#[openapi::path(get, path = "/api/general/workflow-api/{id}/quote", tag = "mini apps",
    params(("id" = Uuid, Path), AppQuoteQuery), responses((status = 200, body = QuoteView)))]
async fn of_app(
    core: Data<Core>,
    caller: Caller,
    id: Path<WorkflowApiId>,
    query: Query<AppQuoteQuery>,
) -> Result<Json<QuoteView>> {
    let quote = jobs::quote_app(&core, &caller, *id, query.version).await?;
    Ok(Json(view(quote, &core.settings)))
}

/// The price and the time of a run of a published mini app, in the plan of a new account
#[openapi::path(get, path = "/api/public/workflow-api/{id}/quote", tag = "mini apps",
    params(("id" = Uuid, Path), AppQuoteQuery), responses((status = 200, body = QuoteView)))]
async fn of_app_public(
    core: Data<Core>,
    caller: Caller,
    id: Path<WorkflowApiId>,
    query: Query<AppQuoteQuery>,
) -> Result<Json<QuoteView>> {
    of_app(core, caller, id, query).await
}

/// The price and the time of the graph in the editor
///
/// Files that the graph names are taken to be there. Nothing is submitted or held.
#[openapi::path(post, path = "/api/general/editor/quote", tag = "jobs", request_body = PromptGraphBody,
    responses((status = 200, body = QuoteView),
    (status = 422, description = "INVALID_PROMPT with ComfyUI's error and node_errors, CREDIT_CEILING")))]
async fn of_graph(
    core: Data<Core>,
    caller: Caller,
    GraphJson(body): GraphJson<PromptGraphBody>,
) -> Result<Json<QuoteView>> {
    let quote = jobs::quote_graph(&core, &caller, &body.prompt, file_names(&body.prompt)).await?;
    Ok(Json(view(quote, &core.settings)))
}

/// One kind of run to quote: a mini app with a form, or a prompt.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct QuoteItemBody {
    /// The mini app to run.
    #[serde(default)]
    workflow_api: Option<Uuid>,
    /// The version of the mini app; the current one by default.
    #[serde(default)]
    version: Option<Uuid>,
    /// Its form: API field name → value.
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    form: Option<Map<String, Value>>,
    /// A prompt in ComfyUI's API format: node id → node.
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    prompt: Option<Box<RawValue>>,
    /// The uploaded asset for each file name in the prompt.
    #[serde(default)]
    files: Option<HashMap<String, Uuid>>,
    /// Refuses the prompt where any of its outputs cannot be made.
    #[serde(default)]
    strict: Option<bool>,
    /// The most that each run may cost.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 1_000_000_000_000_i64)]
    max_credits: Option<i64>,
    /// How many such runs; 1 by default.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 1_000_000)]
    count: Option<i64>,
}

/// Runs to quote.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct QuoteBody {
    /// 1 to 100 kinds of runs.
    #[schema(min_items = 1, max_items = 100)]
    items: Vec<QuoteItemBody>,
}

/// The price and the time of runs as they would be submitted
///
/// Forms, prompts and files are checked as in a submit. Nothing is submitted or held. `mostCredits` is the price of the
/// longest run that the plan, `maxCredits` and the caller's own ceiling allow; no run costs more, if it is submitted with
/// the same `maxCredits` while plan, ceiling and prices are the same.
#[openapi::path(post, path = "/api/general/job/quote", tag = "jobs", request_body = QuoteBody,
    responses((status = 200, body = QuotesView), (status = 404),
    (status = 422, description = "INVALID_PROMPT with ComfyUI's error and node_errors, CREDIT_CEILING")))]
async fn of_runs(
    core: Data<Core>,
    caller: Caller,
    PromptJson(body): PromptJson<QuoteBody>,
) -> Result<Json<QuotesView>> {
    let QuoteBody { items } = body;
    if !(1..=MOST_ITEMS).contains(&items.len()) {
        return Err(Error::invalid("items", format!("must have 1 to {MOST_ITEMS} items")).into());
    }
    let mut total = QuoteTotalView::none();
    let mut views = Vec::with_capacity(items.len());
    for (index, item) in items.into_iter().enumerate() {
        let QuoteItemBody { workflow_api, version, form, prompt, files, strict, max_credits, count } = item;
        let count = count.unwrap_or(1);
        if !(1..=MOST_RUNS).contains(&count) {
            return Err(
                Error::invalid(format!("items.{index}.count"), format!("must be between 1 and {MOST_RUNS}")).into()
            );
        }
        let (extra_data, labels) = (None, BTreeMap::new());
        let terms = TermsQuery { max_credits, ..TermsQuery::default() };
        let run = RunParts { workflow_api, version, form, prompt, files, extra_data, strict, terms, labels };
        let run = run.item(None, &RunTerms::default());
        let run = run.map_err(|error| match error {
            Error::Invalid { field, message } => Error::invalid(format!("items.{index}.{field}"), message),
            other => other,
        })?;
        let quote = view(jobs::quote(&core, &caller, &run).await?, &core.settings);
        total.add(&quote, count);
        views.push(quote);
    }
    Ok(Json(QuotesView { items: views, total }))
}

fn view(quote: Quote, settings: &Settings) -> QuoteView {
    let Quote { pool, credits_per_second, workers, expected, most_credits, most_ms, eta_seconds, flex, .. } = quote;
    let pool_title = settings.pool(&pool).map_or_else(|| pool.clone(), |pool| pool.title.clone());
    let run = |ExpectedRun { ms, upper_ms, credits, upper_credits }| ExpectedRunView {
        run_ms: ms,
        upper_run_ms: upper_ms,
        credits,
        upper_credits,
    };
    let eta_seconds = eta_seconds.map(|(low, high)| EtaView { low, high });
    QuoteView {
        pool,
        pool_title,
        credits_per_second,
        workers,
        expected: expected.map(run),
        most_credits,
        most_run_ms: most_ms,
        eta_seconds,
        flex: FlexQuoteView {
            percent: flex.percent,
            expected: flex.expected.map(run),
            most_credits: flex.most_credits,
            most_run_ms: flex.most_ms,
        },
    }
}
