//! How outputs were made.

use serde::Serialize;
use serde_json::Value;
use uuid::Uuid;
use verdigraph_core::jobs::OutputSetting;
use verdigraph_core::mini_apps::UiType;

use super::assets::AssetView;
use super::translations::ByLanguageView;
use super::workflows::WorkflowCard;
use crate::openapi::ToSchema;

/// How an output was made.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OriginView {
    #[serde(rename = "_id")]
    pub id: Uuid,
    /// `false` if its owner, or the author of what ran, does not show it: the other fields are empty then.
    pub is_told: bool,
    /// The workflow of the mini app; `null` for a raw prompt.
    pub workflow: Option<WorkflowCard>,
    /// The mini app, if the caller may run it.
    pub workflow_api: Option<Uuid>,
    /// The values of the run, in the form's order.
    pub settings: Vec<SettingView>,
    /// The uploads among the values, for their owner.
    pub uploads: Vec<AssetView>,
}

/// One value of a run.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SettingView {
    /// The form's field; `null` in a raw prompt.
    pub field: Option<String>,
    pub title: String,
    /// How a form shows it: `toggle`, `image`, `seed`, `model`, `range`, `select`, `text` or `textarea`.
    #[schema(value_type = String)]
    pub widget: UiType,
    /// `null` for an input picture, except for its owner.
    pub value: Option<Value>,
    /// The label of a choice.
    pub label: Option<String>,
    /// Title and label in other languages.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub translations: Option<ByLanguageView<SettingWordsView>>,
}

/// A setting's texts in one language; for missing ones the original is shown.
#[derive(Debug, Serialize, ToSchema)]
pub struct SettingWordsView {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
}

impl From<OutputSetting> for SettingView {
    fn from(setting: OutputSetting) -> Self {
        let OutputSetting { field, title, widget, value, label, translations } = setting;
        let translations = ByLanguageView::of(&translations, |words| {
            Some(SettingWordsView { title: words.title.clone(), label: words.label.clone() })
        });
        Self { field, title, widget, value, label, translations }
    }
}
