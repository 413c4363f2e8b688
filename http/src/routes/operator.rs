//! The installation's operator, as named in the terms of use and the privacy policy.

use actix_web::web::{self, Data, Json, ServiceConfig};
use serde::Serialize;
use verdigraph_core::users::TERMS_VERSION;
use verdigraph_core::{Core, settings::Settings};

use crate::caller::Caller;
use crate::openapi::{self, OpenApi, ToSchema};

#[derive(OpenApi)]
#[openapi(paths(find))]
pub struct Api;

pub fn configure(config: &mut ServiceConfig) {
    config.service(web::resource("/public/operator").get(find));
}

/// The installation's operator, and facts for its terms.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OperatorView {
    pub name: String,
    /// The operator's address; `null` if none is configured.
    pub email: Option<String>,
    /// The day of the last change of terms of use and privacy policy.
    pub terms_version: String,
    /// Days for which unpublished pictures are kept.
    pub output_days: u32,
    /// Whether a third party's support chat is offered to signed-in users.
    pub has_chat: bool,
    /// Where admins answer users; `null` for other callers, and without a chat.
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

/// The installation's operator, and facts for its terms of use and privacy policy
#[openapi::path(get, path = "/api/public/operator", tag = "site", responses((status = 200, body = OperatorView)))]
async fn find(core: Data<Core>, caller: Caller) -> Json<OperatorView> {
    Json(OperatorView::new(&core.settings, &caller))
}
