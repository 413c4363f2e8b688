//! People and pictures that other views refer to, fetched for a whole list at once.

use std::collections::HashMap;

use verdigraph_core::assets::{self, Asset};
use verdigraph_core::ids::{AssetId, UserId};
use verdigraph_core::workflows::Workflow;
use verdigraph_core::{Core, Error, Result, users};

use crate::views::assets::AssetView;
use crate::views::users::UserCard;
use crate::views::workflows::{WorkflowCard, WorkflowView};

/// What a list of workflows refers to.
pub struct Population {
    users: HashMap<UserId, UserCard>,
    covers: HashMap<AssetId, Asset>,
    base_url: String,
}

impl Population {
    /// Two queries, however long the list is. Whoever may see a workflow may see its cover.
    ///
    /// # Errors
    /// Database errors.
    pub async fn of(core: &Core, workflows: &[Workflow]) -> Result<Self> {
        let mut covers: Vec<AssetId> = workflows.iter().filter_map(|workflow| workflow.cover).collect();
        covers.sort_unstable();
        covers.dedup();
        let mut users: Vec<UserId> = workflows.iter().map(|workflow| workflow.user).collect();
        users.sort_unstable();
        users.dedup();
        Ok(Self {
            users: user_cards(core, &users).await?,
            covers: assets::find_all(core, &covers).await?,
            base_url: core.settings.base_url().to_owned(),
        })
    }

    fn cover(&self, workflow: &Workflow) -> Option<AssetView> {
        let cover = workflow.cover.and_then(|id| self.covers.get(&id))?;
        Some(AssetView::new(cover.clone(), &self.base_url))
    }

    /// A workflow with its author and cover.
    #[must_use]
    pub fn workflow(&self, workflow: Workflow) -> WorkflowView {
        let cover = self.cover(&workflow);
        WorkflowView {
            id: workflow.id.0,
            user: self.users.get(&workflow.user).cloned(),
            thumbnails: cover.iter().cloned().collect(),
            cover,
            name: workflow.name,
            description: workflow.description,
            is_private: workflow.is_private,
            is_nsfw: workflow.is_nsfw,
            like_count: workflow.like_count,
            view_count: workflow.view_count,
            launch_count: workflow.launch_count,
            created_at: workflow.created_at,
            edited_at: workflow.edited_at,
            published_at: workflow.published_at,
            workflow_tags: Vec::new(),
            workflow_api: workflow.workflow_api.map(|api| api.0),
        }
    }

    /// A workflow as its mini app tells of it.
    #[must_use]
    pub fn card(&self, workflow: &Workflow) -> WorkflowCard {
        WorkflowCard {
            id: workflow.id.0,
            name: workflow.name.clone(),
            description: Some(workflow.description.clone()),
            cover: self.cover(workflow),
            user: self.users.get(&workflow.user).cloned(),
        }
    }
}

/// People as others see them, by id. Most of them are in the node's memory.
///
/// # Errors
/// Database errors.
pub(crate) async fn user_cards(core: &Core, ids: &[UserId]) -> Result<HashMap<UserId, UserCard>> {
    let mut cards = HashMap::with_capacity(ids.len());
    for id in ids {
        match users::find(core, *id).await {
            Ok(user) => {
                cards.insert(*id, UserCard { id: id.0, name: user.name.clone(), profile: None, social_profile: None });
            }
            Err(Error::NotFound { .. }) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(cards)
}
