//! What a run costs and how long it takes, before it is submitted.

use actix_web::web::{self, Data, Json, Path, ServiceConfig};
use verdigraph_core::ids::WorkflowApiId;
use verdigraph_core::jobs::{self, ExpectedRun, Quote};
use verdigraph_core::{Core, settings::Settings};

use crate::caller::Caller;
use crate::error::Result;
use crate::openapi::{self, OpenApi};
use crate::views::jobs::EtaView;
use crate::views::quotes::{ExpectedRunView, QuoteView};

#[derive(OpenApi)]
#[openapi(paths(of_app, of_app_public))]
pub struct Api;

pub fn configure(config: &mut ServiceConfig) {
    config
        .service(web::resource("/general/workflow-api/{id}/quote").get(of_app))
        .service(web::resource("/public/workflow-api/{id}/quote").get(of_app_public));
}

/// The price and the time of a run of a mini app, by earlier runs with any values
///
/// Nothing is submitted or held. A run costs what it takes: `mostCredits` is the price of the longest run that the plan
/// allows.
#[openapi::path(get, path = "/api/general/workflow-api/{id}/quote", tag = "mini apps", params(("id" = Uuid, Path)),
    responses((status = 200, body = QuoteView)))]
async fn of_app(core: Data<Core>, caller: Caller, id: Path<WorkflowApiId>) -> Result<Json<QuoteView>> {
    let quote = jobs::quote_app(&core, &caller, *id).await?;
    Ok(Json(view(quote, &core.settings)))
}

/// The price and the time of a run of a published mini app, in the plan of a new account
#[openapi::path(get, path = "/api/public/workflow-api/{id}/quote", tag = "mini apps", params(("id" = Uuid, Path)),
    responses((status = 200, body = QuoteView)))]
async fn of_app_public(core: Data<Core>, caller: Caller, id: Path<WorkflowApiId>) -> Result<Json<QuoteView>> {
    of_app(core, caller, id).await
}

fn view(quote: Quote, settings: &Settings) -> QuoteView {
    let Quote { pool, credits_per_second, workers, expected, most_credits, most_ms, eta_seconds } = quote;
    let pool_title = settings.pool(&pool).map_or_else(|| pool.clone(), |pool| pool.title.clone());
    let expected = expected.map(|ExpectedRun { ms, upper_ms, credits, upper_credits }| ExpectedRunView {
        run_ms: ms,
        upper_run_ms: upper_ms,
        credits,
        upper_credits,
    });
    let eta_seconds = eta_seconds.map(|(low, high)| EtaView { low, high });
    QuoteView {
        pool,
        pool_title,
        credits_per_second,
        workers,
        expected,
        most_credits,
        most_run_ms: most_ms,
        eta_seconds,
    }
}
