//! The plans, as anyone can see them.

use actix_web::web::{self, Data, Json, ServiceConfig};
use verdigraph_core::Core;

use crate::openapi::{self, OpenApi};
use crate::views::Items;
use crate::views::users::PlanView;

#[derive(OpenApi)]
#[openapi(paths(list))]
pub struct Api;

pub fn configure(config: &mut ServiceConfig) {
    config.service(web::resource("/public/plan").get(list));
}

/// The plans of this installation, from the smallest to the largest
#[openapi::path(get, path = "/api/public/plan", tag = "site", responses((status = 200, body = Items<PlanView>)))]
async fn list(core: Data<Core>) -> Json<Items<PlanView>> {
    let plans = core.settings.plans.iter().map(|plan| PlanView::new(plan, &core.settings));
    Json(Items { items: plans.collect() })
}
