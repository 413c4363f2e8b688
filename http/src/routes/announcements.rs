//! Announcements to visitors.

use actix_web::web::{self, Data, Json, ServiceConfig};
use verdigraph_core::Core;

use crate::openapi::{self, OpenApi};
use crate::views::announcements::AnnouncementsView;

#[derive(OpenApi)]
#[openapi(paths(current))]
pub struct Api;

pub fn configure(config: &mut ServiceConfig) {
    config.service(web::resource("/public/announcement").get(current));
}

/// Current announcements to visitors, and the workflows that do not work at the moment
#[openapi::path(get, path = "/api/public/announcement", tag = "site",
    responses((status = 200, body = AnnouncementsView)))]
async fn current(core: Data<Core>) -> Json<AnnouncementsView> {
    Json(AnnouncementsView::new(&core.settings.announcements, core.clock.now()))
}
