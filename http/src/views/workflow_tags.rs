//! Tags of workflows.

use chrono::{DateTime, Utc};
use serde::Serialize;
use uuid::Uuid;
use verdigraph_core::workflows::{Tag, TagUse};

use crate::openapi::ToSchema;

/// A tag as workflows show it.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WorkflowTagCard {
    #[serde(rename = "_id")]
    pub id: Uuid,
    pub name: String,
    /// In Korean.
    pub name_ko: String,
    /// 0 for tags without a parent: these are searched as `parentTag`, others as `childrenTag`.
    pub depth: i16,
    /// The parent's id.
    pub parent_tag: Option<Uuid>,
}

/// A tag with its parent and children.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WorkflowTagView {
    #[serde(rename = "_id")]
    pub id: Uuid,
    pub name: String,
    /// In Korean.
    pub name_ko: String,
    pub depth: i16,
    pub parent_tag: Option<WorkflowTagCard>,
    pub children_tags: Vec<WorkflowTagCard>,
    pub created_at: DateTime<Utc>,
}

/// A tag with its number of workflows, for admins.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WorkflowTagUseView {
    #[serde(flatten)]
    pub tag: WorkflowTagCard,
    /// Workflows with it or a tag below it, including drafts.
    pub workflows: i64,
    /// The published ones among them.
    pub published: i64,
}

impl WorkflowTagUseView {
    /// The view.
    #[must_use]
    pub fn new(tag: &Tag, used: TagUse) -> Self {
        Self { tag: tag.into(), workflows: used.workflows, published: used.published }
    }
}

impl From<&Tag> for WorkflowTagCard {
    fn from(tag: &Tag) -> Self {
        Self {
            id: tag.id.0,
            name: tag.name.clone(),
            name_ko: tag.name_ko.clone(),
            depth: tag.depth,
            parent_tag: tag.parent.map(|parent| parent.0),
        }
    }
}

/// All tags, each with its parent and its children.
#[must_use]
pub fn tree(tags: Vec<Tag>) -> Vec<WorkflowTagView> {
    let view = |tag: &Tag| WorkflowTagView {
        id: tag.id.0,
        name: tag.name.clone(),
        name_ko: tag.name_ko.clone(),
        depth: tag.depth,
        parent_tag: tags.iter().find(|other| Some(other.id) == tag.parent).map(Into::into),
        children_tags: tags.iter().filter(|other| other.parent == Some(tag.id)).map(Into::into).collect(),
        created_at: tag.created_at,
    };
    tags.iter().map(view).collect()
}
