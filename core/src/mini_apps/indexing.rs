//! Traits of mini apps that were saved without them.

use super::form::traits::traits;
use super::{store, version};
use crate::workflows::{self, AppTraits};
use crate::{Core, Error, Result};

/// Finds the traits of apps that were saved without them. The upkeep calls it.
pub async fn index_traitless(core: &Core) -> Result<u64> {
    let traitless = workflows::apps_without_traits(core).await?;
    let count = traitless.len() as u64;
    for (workflow, api) in traitless {
        let app = match store::find(&core.db, api).await? {
            Some(app) => match version(core, app.current).await {
                Ok(app) => Some(app),
                Err(error @ Error::Database(_)) => return Err(error),
                Err(error) => {
                    tracing::warn!(%error, workflow_api.id = %api, "a mini app cannot be read");
                    None
                }
            },
            None => None,
        };
        let found = app.map_or_else(AppTraits::default, |app| {
            let outputs: Vec<&str> = app.outputs().iter().map(|output| output.id.as_str()).collect();
            traits(app.prompt(), app.fields(), &outputs)
        });
        let mut connection = core.db.acquire().await?;
        workflows::set_app_traits(&mut connection, workflow, &found).await?;
    }
    Ok(count)
}
