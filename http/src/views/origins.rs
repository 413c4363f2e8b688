//! What outputs were made with.

use serde::Serialize;
use serde_json::Value;
use uuid::Uuid;
use verdigraph_core::jobs::Setting;
use verdigraph_core::mini_apps::UiType;

use super::assets::AssetView;
use super::translations::ByLanguageView;
use super::workflows::WorkflowCard;
use crate::described::ToSchema;

/// What an output was made with.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OriginView {
    #[serde(rename = "_id")]
    pub id: Uuid,
    /// `false` where its owner, or the author of what ran, keeps it to themselves: the rest is empty then.
    pub is_told: bool,
    /// The workflow of the mini app; `null` for a raw prompt.
    pub workflow: Option<WorkflowCard>,
    /// The mini app, while the asker may run it.
    pub workflow_api: Option<Uuid>,
    /// The values that it ran with, in the form's order.
    pub settings: Vec<SettingView>,
    /// The uploads among the values; for whose they are.
    pub uploads: Vec<AssetView>,
}

/// One value that a run had.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SettingView {
    /// The form's field; `null` in a raw prompt.
    pub field: Option<String>,
    pub title: String,
    /// How a form shows it: `toggle`, `image`, `seed`, `model`, `range`, `select`, `text` or `textarea`.
    #[schema(value_type = String)]
    pub widget: UiType,
    /// `null` for a picture that went in, to all but whose it is.
    pub value: Option<Value>,
    /// What a choice is called.
    pub label: Option<String>,
    /// Title and label in other languages.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub translations: Option<ByLanguageView<SettingWordsView>>,
}

/// A setting's words in one language; what is missing is read as it was written.
#[derive(Debug, Serialize, ToSchema)]
pub struct SettingWordsView {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
}

impl From<Setting> for SettingView {
    fn from(setting: Setting) -> Self {
        let Setting { field, title, widget, value, label, translations } = setting;
        let translations = ByLanguageView::of(&translations, |words| {
            Some(SettingWordsView { title: words.title.clone(), label: words.label.clone() })
        });
        Self { field, title, widget, value, label, translations }
    }
}
