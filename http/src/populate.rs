//! Users and pictures that other views refer to, fetched for a whole list at once.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use verdigraph_core::assets::{self, Asset};
use verdigraph_core::comments::Comment;
use verdigraph_core::ids::{AssetId, OutputAssetId, UserId, WorkflowId};
use verdigraph_core::mini_apps::SharedApp;
use verdigraph_core::notifications::{MilestoneMetric, Notification};
use verdigraph_core::users::{Block, User};
use verdigraph_core::workflows::{self, Tag, Workflow};
use verdigraph_core::{Caller, Core, Result, gallery, users};

use crate::views::assets::AssetView;
use crate::views::comments::CommentView;
use crate::views::mini_apps::{SharedApiView, SharedAppView, SharerView};
use crate::views::notifications::{ActorView, NotificationView, OutputAssetRef, TitleView};
use crate::views::output_assets::OutputAssetView;
use crate::views::translations::ByLanguageView;
use crate::views::users::{BlockView, UserCard};
use crate::views::workflows::{WorkflowCard, WorkflowView};

/// What a list of workflows refers to.
pub struct Population {
    users: HashMap<UserId, UserCard>,
    covers: HashMap<AssetId, Asset>,
    thumbnails: HashMap<WorkflowId, Vec<AssetId>>,
    tags: HashMap<WorkflowId, Vec<Tag>>,
    /// The workflows that the caller likes, and the caller.
    liked: (Option<UserId>, HashSet<WorkflowId>),
    base_url: String,
}

impl Population {
    /// Two queries for any number of workflows. A caller who may see a workflow may see its cover.
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
            thumbnails: HashMap::new(),
            tags: HashMap::new(),
            liked: (None, HashSet::new()),
            base_url: core.settings.base_url().to_owned(),
        })
    }

    /// Adds tags, and whether the caller likes each workflow, with two more queries.
    pub async fn of_posts(core: &Core, caller: &Caller, workflows: &[Workflow]) -> Result<Self> {
        let ids: Vec<WorkflowId> = workflows.iter().map(|workflow| workflow.id).collect();
        let tags = workflows::tags_of(core, &ids).await?;
        let liked = (caller.user, workflows::liked_among(core, caller, &ids).await?);
        Ok(Self { tags, liked, ..Self::of(core, workflows).await? })
    }

    /// One workflow with its whole gallery.
    pub async fn of_post(core: &Core, caller: &Caller, workflow: &Workflow) -> Result<Self> {
        let mut population = Self::of_posts(core, caller, std::slice::from_ref(workflow)).await?;
        let thumbnails = workflows::thumbnails_of(core, &[workflow.id]).await?;
        let ids: Vec<AssetId> = thumbnails.values().flatten().copied().collect();
        population.covers.extend(assets::find_all(core, &ids).await?);
        Ok(Self { thumbnails, ..population })
    }

    fn cover(&self, workflow: &Workflow) -> Option<AssetView> {
        workflow.cover.and_then(|id| self.picture(id))
    }

    fn picture(&self, id: AssetId) -> Option<AssetView> {
        Some(AssetView::new(self.covers.get(&id)?.clone(), &self.base_url))
    }

    /// A workflow's view.
    #[must_use]
    pub fn workflow(&self, workflow: Workflow) -> WorkflowView {
        let cover = self.cover(&workflow);
        let gallery = self.thumbnails.get(&workflow.id);
        let is_liked = self.liked.1.contains(&workflow.id);
        let kind = workflow.kind().name();
        WorkflowView {
            id: workflow.id.0,
            user: self.users.get(&workflow.user).cloned(),
            thumbnails: match gallery {
                Some(gallery) => gallery.iter().filter_map(|id| self.picture(*id)).collect(),
                None => cover.iter().cloned().collect(),
            },
            likes: self.liked.0.filter(|_| is_liked).map(|user| user.0).into_iter().collect(),
            is_liked,
            cover,
            translations: ByLanguageView::of_workflow(&workflow.translations),
            name: workflow.name,
            description: workflow.description,
            version: workflow.version,
            is_private: workflow.is_private,
            is_nsfw: workflow.is_nsfw,
            like_count: workflow.like_count,
            view_count: workflow.view_count,
            launch_count: workflow.launch_count,
            created_at: workflow.created_at,
            edited_at: workflow.edited_at,
            published_at: workflow.published_at,
            workflow_tags: self.tags.get(&workflow.id).into_iter().flatten().map(Into::into).collect(),
            is_basic: workflow.basic_at.is_some(),
            kind,
            workflow_api: workflow.workflow_api.map(|api| api.0),
            workflow_api_works: workflow.app.works,
            takes: workflow.app.takes.iter().map(|one| one.name()).collect(),
            makes: workflow.app.makes.iter().map(|one| one.name()).collect(),
        }
    }

    /// A workflow as part of its mini app's view.
    #[must_use]
    pub fn card(&self, workflow: &Workflow) -> WorkflowCard {
        WorkflowCard {
            id: workflow.id.0,
            name: workflow.name.clone(),
            description: Some(workflow.description.clone()),
            translations: ByLanguageView::of_workflow(&workflow.translations),
            cover: self.cover(workflow),
            user: self.users.get(&workflow.user).cloned(),
        }
    }
}

/// Cards of users by id, with their pictures. Most users are in the node's cache.
pub async fn user_cards(core: &Core, ids: &[UserId]) -> Result<HashMap<UserId, UserCard>> {
    cards(core, &users::find_all(core, ids).await?).await
}

async fn cards(core: &Core, people: &HashMap<UserId, Arc<User>>) -> Result<HashMap<UserId, UserCard>> {
    let portraits: Vec<AssetId> = people.values().filter_map(|user| user.profile).collect();
    let portraits = assets::find_all(core, &portraits).await?;
    let base_url = core.settings.base_url();
    let portrait = |id: &AssetId| portraits.get(id).map(|asset| AssetView::new(asset.clone(), base_url));
    let card = |user: &User| UserCard::new(user.id, user.name.clone(), user.profile.as_ref().and_then(portrait));
    Ok(people.values().map(|user| (user.id, card(user))).collect())
}

/// Views of comments with their authors.
pub async fn comments(core: &Core, comments: Vec<Comment>) -> Result<Vec<CommentView>> {
    let mut authors: Vec<UserId> = comments.iter().filter_map(|comment| comment.user).collect();
    authors.sort_unstable();
    authors.dedup();
    let authors = actor_views(core, &authors).await?;
    Ok(comments.into_iter().map(|comment| CommentView::new(comment, &authors)).collect())
}

/// The users whom the caller has blocked, newest first.
pub async fn blocks(core: &Core, caller: &Caller) -> Result<Vec<BlockView>> {
    let blocks = users::blocks(core, caller).await?;
    let ids: Vec<UserId> = blocks.iter().map(|block| block.user).collect();
    let cards = user_cards(core, &ids).await?;
    let view = |block: Block| Some(BlockView { user: cards.get(&block.user)?.clone(), created_at: block.since });
    Ok(blocks.into_iter().filter_map(view).collect())
}

/// Mini apps shared with a user, with their owners.
pub async fn shared_apps(core: &Core, items: Vec<SharedApp>) -> Result<Vec<SharedApiView>> {
    let owners: Vec<UserId> = items.iter().map(|item| item.owner).collect();
    let owners = users::find_all(core, &owners).await?;
    let view = |item: SharedApp| {
        let owner = owners.get(&item.owner)?;
        Some(SharedApiView {
            id: item.id.0,
            created_at: item.created_at,
            workflow_api: SharedAppView { id: item.app.0, name: item.name },
            owner: SharerView { id: owner.id.0, name: owner.name.clone() },
        })
    };
    Ok(items.into_iter().filter_map(view).collect())
}

/// Views of notifications with the users who caused them, and the pictures the caller may see.
pub async fn notifications(core: &Core, caller: &Caller, items: Vec<Notification>) -> Result<Vec<NotificationView>> {
    let mut actors: Vec<UserId> = items.iter().filter_map(Notification::named_actor).collect();
    actors.sort_unstable();
    actors.dedup();
    let actors = actor_views(core, &actors).await?;
    let mut pictures: Vec<OutputAssetId> = items.iter().filter_map(|item| item.output_asset).collect();
    pictures.sort_unstable();
    pictures.dedup();
    let thumbnails: HashMap<OutputAssetId, String> = gallery::readable(core, caller, &pictures)
        .await?
        .into_iter()
        .map(|picture| (picture.id, OutputAssetView::new(picture, core.settings.base_url()).asset.thumbnail_url))
        .collect();
    Ok(items
        .into_iter()
        .map(|item| NotificationView {
            id: item.id.0,
            kind: item.kind.name(),
            user: item.named_actor().and_then(|id| actors.get(&id).cloned()),
            workflow: item.workflow.map(|id| id.0),
            output_asset: item
                .output_asset
                .map(|id| OutputAssetRef { id: id.0, thumbnail_url: thumbnails.get(&id).cloned() }),
            comment: item.comment.map(|id| id.0),
            category_type: match (item.workflow, item.output_asset) {
                (Some(_), _) => Some("WORKFLOW"),
                (None, Some(_)) => Some("GALLERY"),
                (None, None) => None,
            },
            title: TitleView { workflow: item.title, count: item.count },
            recomment: item.is_answer,
            content: item.content,
            others_type: item.others.map(MilestoneMetric::name),
            created_at: item.created_at,
            checked_at: item.checked_at,
        })
        .collect())
}

/// Users who caused something, by id. Deleted users are missing.
async fn actor_views(core: &Core, ids: &[UserId]) -> Result<HashMap<UserId, ActorView>> {
    let people = users::find_all(core, ids).await?;
    let cards = cards(core, &people).await?.into_iter();
    let roles = |id| people.get(&id).map(|user| user.roles().iter().map(|role| (*role).to_owned()).collect());
    Ok(cards.map(|(id, card)| (id, ActorView { card, roles: roles(id).unwrap_or_default() })).collect())
}
