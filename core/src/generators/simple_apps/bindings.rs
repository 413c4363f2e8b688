//! Which mini apps operators bind to the addresses of simple apps: on the page of generators, or in the configuration.

use std::collections::HashMap;

use serde_json::json;
use uuid::Uuid;

use super::store;
use crate::audit::{self, Act, Action};
use crate::database;
use crate::generators::published::published;
use crate::ids::WorkflowApiId;
use crate::mini_apps;
use crate::word_list::word_list;
use crate::workflows::Takes;
use crate::{Caller, Core, Error, Result};

word_list! {
    /// The last part of a simple app's address, after `/easy-app/`.
    pub enum SimpleAppAddress for "address" {
        BackgroundRemover => "background-remover",
        FaceSwap => "face-swap",
        ImageToPrompt => "image-to-prompt",
    }
}

/// What operators say of the app at an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SimpleAppBinding {
    pub address: SimpleAppAddress,
    /// The app that an admin bound on the page of generators.
    pub bound: Option<WorkflowApiId>,
    /// The app of the configuration, which counts where no admin bound one.
    pub configured: Option<WorkflowApiId>,
}

impl SimpleAppBinding {
    /// The app that counts; `None` leaves the choice to the generators.
    pub(in crate::generators) fn app(&self) -> Option<WorkflowApiId> {
        self.bound.or(self.configured)
    }
}

/// What operators say of each address.
///
/// # Errors
/// [`Error::LoginRequired`] or [`Error::Forbidden`] for callers other than admins.
pub async fn simple_app_bindings(core: &Core, caller: &Caller) -> Result<Vec<SimpleAppBinding>> {
    caller.must_be_admin()?.read_only();
    read(core).await
}

pub(super) async fn read(core: &Core) -> Result<Vec<SimpleAppBinding>> {
    let rows = store::bindings(&core.db).await?;
    let by_address: HashMap<&str, WorkflowApiId> = rows.iter().map(|(address, app)| (address.as_str(), *app)).collect();
    let settings = &core.settings.simple_apps;
    let binding = |address: SimpleAppAddress| {
        let configured = match address {
            SimpleAppAddress::BackgroundRemover => settings.background_remover,
            SimpleAppAddress::FaceSwap => settings.face_swap,
            SimpleAppAddress::ImageToPrompt => settings.image_to_prompt,
        };
        let bound = by_address.get(address.name()).copied();
        SimpleAppBinding { address, bound, configured: configured.map(WorkflowApiId) }
    };
    Ok(SimpleAppAddress::ALL.into_iter().map(binding).collect())
}

/// Binds a published mini app that takes a picture to an address, also where the configuration binds another one. `None`
/// lets the configuration and the generators decide again.
///
/// # Errors
/// [`Error::LoginRequired`] or [`Error::Forbidden`] for callers other than admins; [`Error::Invalid`] for an app that is
/// not published or takes no picture.
pub async fn bind_simple_app(
    core: &Core,
    caller: &Caller,
    address: SimpleAppAddress,
    app: Option<WorkflowApiId>,
) -> Result<()> {
    let by = caller.must_be_admin()?;
    if let Some(app) = app {
        check(core, app).await?;
    }
    let now = core.clock.now();
    let mut tx = database::begin(&core.db).await?;
    let before = store::locked_binding(&mut tx, address.name()).await?;
    let id = match (app, &before) {
        (Some(app), _) => store::bind(&mut tx, address.name(), app, now).await?,
        (None, Some(row)) => {
            store::unbind(&mut tx, row.id).await?;
            row.id
        }
        (None, None) => {
            by.read_only();
            return Ok(());
        }
    };
    let of = |app: Option<Uuid>| json!({ "address": address.name(), "workflowApi": app });
    let before = of(before.map(|row| row.workflow_api_id));
    let act = Act::new(Action::SimpleAppBind, id).before(before).after(of(app.map(|app| app.0)));
    audit::record(&mut tx, by, act, now).await?;
    tx.commit().await?;
    Ok(())
}

/// Whether an app can be bound.
async fn check(core: &Core, app: WorkflowApiId) -> Result<()> {
    let refused = |message: &str| Error::invalid("workflowApi", message);
    let Some(workflow) = mini_apps::workflows_of(core, &[app]).await?.remove(&app) else {
        return Err(refused("is no mini app"));
    };
    let Some(workflow) = published(core, vec![workflow]).await?.pop() else {
        return Err(refused("must be a published mini app"));
    };
    if !workflow.app.takes.contains(&Takes::Image) {
        return Err(refused("must take a picture"));
    }
    Ok(())
}
