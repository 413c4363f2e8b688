//! Search results.

use serde::Serialize;

use super::output_assets::OutputAssetView;
use super::users::UserCard;
use super::workflows::WorkflowView;
use crate::openapi::ToSchema;

/// Workflows, pictures and users that match a text, the best of each first.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FoundView {
    pub workflows: Vec<WorkflowView>,
    pub pictures: Vec<OutputAssetView>,
    pub people: Vec<UserCard>,
    /// `skip` of the next results; `null` where no kind has more.
    pub next_skip: Option<i64>,
}
