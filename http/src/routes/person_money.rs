//! The money of a user, for admins.

use actix_web::web::{self, Data, Json, Path, ServiceConfig};
use verdigraph_core::ids::UserId;
use verdigraph_core::{Core, billing};

use crate::caller::Caller;
use crate::error::Result;
use crate::openapi::{self, OpenApi};
use crate::views::person_money::PersonMoneyView;

#[derive(OpenApi)]
#[openapi(paths(money))]
pub struct Api;

pub fn configure(config: &mut ServiceConfig) {
    config.service(web::resource("/admin/user/{id}/money").get(money));
}

/// A user's plan, credits and newest orders (admins only)
#[openapi::path(get, path = "/api/admin/user/{id}/money", tag = "people", params(("id" = Uuid, Path)),
    responses((status = 200, body = PersonMoneyView)))]
async fn money(core: Data<Core>, caller: Caller, id: Path<UserId>) -> Result<Json<PersonMoneyView>> {
    let money = billing::money_of_person(&core, &caller, *id).await?;
    Ok(Json(PersonMoneyView::new(money, &core.settings, core.clock.now())))
}
