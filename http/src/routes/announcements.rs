//! What visitors are told.

use actix_web::web::{self, Data, Json, ServiceConfig};
use verdigraph_core::Core;

use crate::described::{self, OpenApi};
use crate::views::announcements::AnnouncementsView;

/// What is documented here.
#[derive(OpenApi)]
#[openapi(paths(current))]
pub struct Api;

/// Mounts the routes below `/api`.
pub fn configure(config: &mut ServiceConfig) {
    config.service(web::resource("/public/announcement").get(current));
}

/// What visitors are told now, and which workflows do not work for the time being
#[described::path(get, path = "/api/public/announcement", tag = "site", responses((status = 200, body = AnnouncementsView)))]
async fn current(core: Data<Core>) -> Json<AnnouncementsView> {
    Json(AnnouncementsView::new(&core.settings.announcements, core.clock.now()))
}
