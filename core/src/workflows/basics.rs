//! The basic workflows and their order, as admins manage them.

use serde_json::json;

use super::workflow::Workflow;
use super::{lists, store};
use crate::audit::{self, Act, Action};
use crate::database;
use crate::ids::WorkflowId;
use crate::{Caller, Core, Error, Result};

/// All basic workflows in their order, including private ones.
///
/// # Errors
/// [`Error::LoginRequired`] or [`Error::Forbidden`] for a caller who is no admin.
pub async fn basics(core: &Core, caller: &Caller) -> Result<Vec<Workflow>> {
    caller.must_be_admin()?.read_only();
    let ids = store::basics::ranked(&core.db).await?;
    lists::named(core, caller, &ids).await
}

/// Sets the order of the basic workflows.
///
/// # Errors
/// [`Error::LoginRequired`] or [`Error::Forbidden`] for a caller who is no admin; [`Error::Invalid`] where the ids are
/// not exactly the basic workflows, once each, for example because another admin changed them.
pub async fn order_basics(core: &Core, caller: &Caller, ids: &[WorkflowId]) -> Result<Vec<Workflow>> {
    let by = caller.must_be_admin()?;
    let mut tx = database::begin(&core.db).await?;
    let mut there = store::basics::locked(&mut tx).await?;
    let mut asked = ids.to_vec();
    there.sort_unstable();
    asked.sort_unstable();
    if there != asked {
        return Err(Error::invalid("ids", "must name each basic workflow once"));
    }
    let now = core.clock.now();
    store::basics::rank(&mut tx, ids, now).await?;
    if let Some(first) = ids.first() {
        let act = Act::new(Action::BasicsOrder, *first).after(json!({ "ids": ids }));
        audit::record(&mut tx, by, act, now).await?;
    }
    tx.commit().await?;
    basics(core, caller).await
}
