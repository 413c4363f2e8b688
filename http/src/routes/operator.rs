//! Who runs this installation: named in the terms of use and the privacy policy, with the desk of its admins.

use actix_web::web::{self, Data, Json, ServiceConfig};
use serde::Serialize;
use verdigraph_core::users::TERMS_VERSION;
use verdigraph_core::{Core, settings::Settings};

use crate::caller::Caller;
use crate::described::{self, OpenApi, ToSchema};

/// What is documented here.
#[derive(OpenApi)]
#[openapi(paths(find))]
pub struct Api;

/// Mounts the routes below `/api`.
pub fn configure(config: &mut ServiceConfig) {
    config.service(web::resource("/public/operator").get(find));
}

/// Who runs this installation, and how its rules stand.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OperatorView {
    pub name: String,
    /// Where people write to; `null` where nobody is named.
    pub email: Option<String>,
    /// The day on which the terms of use and the privacy policy changed last.
    pub terms_version: String,
    /// Days for which pictures that were not published are kept.
    pub output_days: u32,
    /// Whether a support chat of somebody else is offered to people who are signed in.
    pub has_chat: bool,
    /// Where admins answer people; `null` for everybody else, and where there is no such place.
    pub support_desk: Option<String>,
}

impl OperatorView {
    fn new(settings: &Settings, caller: &Caller) -> Self {
        Self {
            name: settings.operator.name.clone(),
            email: settings.operator.email.clone(),
            terms_version: TERMS_VERSION.to_owned(),
            output_days: settings.outputs.days,
            has_chat: settings.chat.plugin_key.is_some(),
            support_desk: settings.operator.support_desk.clone().filter(|_| caller.admin),
        }
    }
}

/// Who runs this installation, and what its terms of use and its privacy policy depend on
#[described::path(get, path = "/api/public/operator", tag = "site", responses((status = 200, body = OperatorView)))]
async fn find(core: Data<Core>, caller: Caller) -> Json<OperatorView> {
    Json(OperatorView::new(&core.settings, &caller))
}
