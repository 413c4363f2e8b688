//! Mini apps: found by a description or a trait, and read with the schema of their inputs.

use serde::Deserialize;
use serde_json::{Value, json};
use uuid::Uuid;
use verdigraph_core::graph::Needs;
use verdigraph_core::ids::{WorkflowApiId, WorkflowApiVersionId};
use verdigraph_core::ledger::MAX_GRANT;
use verdigraph_core::list::ListQuery;
use verdigraph_core::mini_apps::{self, Suggestions};
use verdigraph_core::workflows::{AppFilter, Makes, Takes, Workflow, WorkflowOrder};
use verdigraph_core::{Error, html, jobs, names, users};

use super::prices::Price;
use super::runs::missing_app;
use crate::mcp::arguments::within;
use crate::mcp::failure::Failure;
use crate::mcp::outcome::{Context, ToolResult};
use crate::mcp::schema::{MAX_ITEMS, MAX_QUERY};

/// Apps of a list, unless its call says how many. Each takes a part of the client's context.
const ITEMS: i64 = 8;
/// The most characters of a description in a list.
const WHAT_CHARS: usize = 300;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SearchArguments {
    query: Option<String>,
    takes: Option<String>,
    makes: Option<String>,
    max_price: Option<i64>,
    cursor: Option<String>,
    limit: Option<i64>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AppIdArguments {
    app_id: Uuid,
    version: Option<Uuid>,
}

pub async fn search(context: &Context, arguments: SearchArguments) -> Result<ToolResult, Failure> {
    let SearchArguments { query, takes, makes, max_price, cursor, limit } = arguments;
    let takes: Option<Takes> = takes.as_deref().map(str::parse).transpose()?;
    let makes: Option<Makes> = makes.as_deref().map(str::parse).transpose()?;
    let limit = limit.unwrap_or(ITEMS);
    within("limit", limit, &(1..=MAX_ITEMS))?;
    if let Some(most) = max_price {
        within("max_price", most, &(1..=MAX_GRANT))?;
    }
    let wish = names::search_text("query", query.as_deref().unwrap_or_default(), MAX_QUERY)?;
    let (found, next_cursor) = if wish.is_empty() {
        let filter = AppFilter { takes, makes, ..AppFilter::default() };
        let query = ListQuery::at(filter, cursor.as_deref(), limit).sorted(WorkflowOrder::View);
        let page = mini_apps::published(&context.core, query).await?;
        (page.items, page.next_cursor)
    } else if cursor.is_some() {
        return Err(Failure::field("cursor", "cannot be given beside query"));
    } else {
        (suggested(context, &wish, makes).await?, None)
    };
    let fits = |app: &Workflow| {
        takes.is_none_or(|takes| app.app.takes.contains(&takes))
            && makes.is_none_or(|makes| app.app.makes.contains(&makes))
    };
    let most = usize::try_from(limit).unwrap_or(usize::MAX);
    let mut apps = Vec::new();
    for app in found.iter().filter(|app| fits(app)).take(most) {
        let Some(id) = app.workflow_api else { continue };
        let price = price(context, id, None).await?;
        let usual = price.as_ref().and_then(Price::usual);
        if usual.zip(max_price).is_none_or(|(usual, most)| usual <= most) {
            apps.push(card(context, app, id, price.as_ref()));
        }
    }
    Ok(ToolResult::of(json!({ "apps": apps, "next_cursor": next_cursor })))
}

/// The apps that fit a description, with `makes` those that make this: first those that a worker can run now.
async fn suggested(context: &Context, wish: &str, makes: Option<Makes>) -> Result<Vec<Workflow>, Failure> {
    let Context { core, caller, .. } = context;
    let pools = users::plan(core, caller.signed_in()?).await?.pools.clone();
    let roster = core.fleet.roster();
    let definitions = roster.definitions(&core.settings.pool_names());
    let runs = |needs: &Needs| roster.pool_for(&pools, needs).is_some_and(|(_, connected)| connected > 0);
    let Suggestions { fitting, waiting, .. } = mini_apps::suggest(core, &definitions, wish, makes, runs).await?;
    Ok(fitting.into_iter().map(|suggestion| suggestion.workflow).chain(waiting).collect())
}

/// The price of an app in the caller's plan; `None` where the caller's own ceiling allows no run.
async fn price(
    context: &Context,
    app: WorkflowApiId,
    version: Option<WorkflowApiVersionId>,
) -> Result<Option<Price>, Failure> {
    match jobs::quote_app(&context.core, &context.caller, app, version).await {
        Ok(quote) => Ok(Some(quote.into())),
        // It was deleted or hidden since it was listed.
        Err(Error::Refused { .. } | Error::NotFound { .. }) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

fn card(context: &Context, app: &Workflow, id: WorkflowApiId, price: Option<&Price>) -> Value {
    let what: String = html::text(&app.description).chars().take(WHAT_CHARS).collect();
    let mut card = json!({ "app_id": id, "title": app.name, "what": what, "price": price });
    card["takes"] = json!(app.app.takes.iter().map(|takes| takes.name()).collect::<Vec<_>>());
    card["makes"] = json!(app.app.makes.iter().map(|makes| makes.name()).collect::<Vec<_>>());
    card["works_now"] = json!(app.app.works);
    card["page"] = json!(format!("{}/easy-app/{id}", context.site));
    card
}

pub async fn find(context: &Context, arguments: AppIdArguments) -> Result<ToolResult, Failure> {
    let AppIdArguments { app_id, version } = arguments;
    let (id, version) = (WorkflowApiId(app_id), version.map(WorkflowApiVersionId));
    let found = mini_apps::documented(&context.core, &context.caller, id, version).await;
    let (app, workflow) = found.map_err(missing_app)?;
    let price = price(context, id, version).await?;
    let mut view = card(context, &workflow, id, price.as_ref());
    view["what"] = json!(html::text(&workflow.description));
    view["version"] = json!(app.version);
    view["inputs"] = app.rjsf().schema;
    let outputs = app.outputs().iter().map(|output| json!({ "node_id": output.id, "name": output.name }));
    view["outputs"] = Value::Array(outputs.collect());
    Ok(ToolResult::of(view))
}
