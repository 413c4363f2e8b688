//! What other sites show of a page.

use serde::Serialize;

use crate::openapi::ToSchema;

/// An oEmbed link preview.
#[derive(Debug, Serialize, ToSchema)]
pub struct OembedView {
    pub version: &'static str,
    /// `photo` if there is a picture, else `link`.
    #[serde(rename = "type")]
    pub kind: &'static str,
    pub title: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub author_name: Option<String>,
    pub provider_name: &'static str,
    pub provider_url: String,
    /// The picture of a `photo`, and its size.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub width: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub height: Option<i32>,
}
