//! The audit log.

use actix_web::web::{self, Data, Json, ServiceConfig};
use serde::Deserialize;
use uuid::Uuid;
use verdigraph_core::audit::{self, AuditEntry, AuditFilter};
use verdigraph_core::ids::UserId;
use verdigraph_core::{Core, Error};

use super::{CursorQuery, next_cursor};
use crate::caller::Caller;
use crate::error::Result;
use crate::moment::Moment;
use crate::openapi::{self, IntoParams, OpenApi};
use crate::populate::user_cards;
use crate::query::Query;
use crate::views::Cursor;
use crate::views::audit::AuditEntryView;
use crate::views::words::AuditAction;

#[derive(OpenApi)]
#[openapi(paths(list))]
pub struct Api;

pub fn configure(config: &mut ServiceConfig) {
    config.service(web::resource("/admin/audit").get(list));
}

/// Filter of the audit log.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct AuditQuery {
    /// The admin who acted.
    #[param(value_type = Option<Uuid>)]
    admin: Option<UserId>,
    #[param(value_type = Option<AuditAction>)]
    action: Option<String>,
    /// The object, or its owner.
    target: Option<Uuid>,
    /// Inclusive.
    #[param(value_type = Option<chrono::DateTime<chrono::Utc>>)]
    from: Option<Moment>,
    /// Exclusive.
    #[param(value_type = Option<chrono::DateTime<chrono::Utc>>)]
    to: Option<Moment>,
    /// `nextCursor` of the previous page.
    #[param(max_length = 512)]
    cursor: Option<String>,
    /// Items per page, 1 to 100; 20 by default.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<i64>,
}

impl AuditQuery {
    fn filter(&self) -> std::result::Result<AuditFilter, Error> {
        Ok(AuditFilter {
            admin: self.admin,
            action: self.action.as_deref().map(str::parse).transpose()?,
            target: self.target,
            from: self.from.map(Into::into),
            to: self.to.map(Into::into),
        })
    }
}

/// Actions of admins, newest first (admins only)
#[openapi::path(get, path = "/api/admin/audit", tag = "audit", params(AuditQuery),
    responses((status = 200, body = Cursor<AuditEntryView>)))]
async fn list(core: Data<Core>, caller: Caller, query: Query<AuditQuery>) -> Result<Json<Cursor<AuditEntryView>>> {
    let filter = query.filter()?;
    let AuditQuery { cursor, limit, .. } = query.into_inner();
    let place = CursorQuery { cursor, limit };
    let limit = place.limit()?;
    let mut entries = audit::entries(&core, &caller, filter, place.before()?, limit + 1).await?;
    let next_cursor = next_cursor(&mut entries, limit, |entry| entry.id.0);
    let mut ids: Vec<UserId> = entries.iter().flat_map(|entry| [entry.admin, entry.act.person]).flatten().collect();
    ids.sort_unstable();
    ids.dedup();
    let cards = user_cards(&core, &ids).await?;
    let view = |entry: AuditEntry| {
        let [admin, person] = [entry.admin, entry.act.person].map(|id| id.and_then(|id| cards.get(&id).cloned()));
        AuditEntryView::new(entry, admin, person)
    };
    Ok(Json(Cursor { items: entries.into_iter().map(view).collect(), next_cursor }))
}
