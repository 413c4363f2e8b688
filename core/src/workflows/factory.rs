//! Test data: rows of workflows, without the checks of the public functions.

#![cfg(any(test, feature = "testing"))]

use chrono::{DateTime, Utc};
use serde_json::{Value, json};
use sqlx::PgPool;

use super::{Graph, Translations, Workflow, insert, pictures, tag_below};
use crate::Caller;
use crate::database;
use crate::graph::Prompt;
use crate::ids::{AssetId, UserId, WorkflowId, WorkflowTagId};
use crate::users::WritePermit;

/// A workflow to insert; by default its graph makes a small picture.
#[derive(Debug, Clone)]
pub struct NewTestWorkflow {
    workflow: Workflow,
    graph: Graph,
    tags: Vec<WorkflowTagId>,
    thumbnails: Vec<AssetId>,
}

/// A private workflow of this user with a tag and a picture, so that it can be published.
#[must_use]
pub fn workflow(user: UserId) -> NewTestWorkflow {
    let now = DateTime::<Utc>::UNIX_EPOCH;
    let prompt = json!({
        "1": {"class_type": "EmptyImage", "inputs": {"width": 64, "height": 64, "batch_size": 1, "color": 0}},
        "2": {"class_type": "SaveImage", "inputs": {"images": ["1", 0], "filename_prefix": "out"}},
    });
    let workflow = Workflow {
        id: WorkflowId::new(),
        user,
        name: "A small picture".into(),
        description: String::new(),
        translations: Translations::default(),
        is_private: true,
        is_nsfw: false,
        cover: None,
        workflow_api: None,
        version: 1,
        like_count: 0,
        view_count: 0,
        launch_count: 0,
        created_at: now,
        edited_at: now,
        published_at: None,
        basic_at: None,
        marked_kind: None,
        app: super::AppTraits::default(),
    };
    let (tags, thumbnails) = (vec![tag_below(1, 1)], vec![AssetId::new()]);
    NewTestWorkflow { workflow, graph: Graph::default(), tags, thumbnails }.prompt(prompt)
}

impl NewTestWorkflow {
    /// # Panics
    /// If the prompt is not in API format.
    #[must_use]
    pub fn prompt(mut self, prompt: Value) -> Self {
        self.graph.prompt = Some(Prompt::from_value(prompt).expect("a prompt").into());
        self
    }

    #[must_use]
    pub fn published(mut self, at: DateTime<Utc>) -> Self {
        self.workflow.is_private = false;
        self.workflow.published_at = Some(at);
        self
    }

    #[must_use]
    pub fn counts(mut self, likes: i64, views: i64) -> Self {
        self.workflow.like_count = likes;
        self.workflow.view_count = views;
        self
    }

    #[must_use]
    pub fn name(mut self, name: &str) -> Self {
        self.workflow.name = name.into();
        self
    }

    #[must_use]
    pub fn tags(mut self, tags: &[WorkflowTagId]) -> Self {
        self.tags = tags.to_vec();
        self
    }

    #[must_use]
    pub fn thumbnails(mut self, thumbnails: &[AssetId]) -> Self {
        self.thumbnails = thumbnails.to_vec();
        self
    }

    #[must_use]
    pub fn nsfw(mut self) -> Self {
        self.workflow.is_nsfw = true;
        self
    }

    /// An unsanitized description.
    #[must_use]
    pub fn description(mut self, html: &str) -> Self {
        self.workflow.description = html.into();
        self
    }

    /// Unsanitized translations.
    #[must_use]
    pub fn translations(mut self, translations: Translations) -> Self {
        self.workflow.translations = translations;
        self
    }

    /// # Panics
    /// If the database refuses the row.
    pub async fn insert(self, db: &PgPool) -> Workflow {
        let Self { workflow, graph, tags, thumbnails } = self;
        let mut tx = database::begin(db).await.expect("a transaction");
        insert(&mut tx, &WritePermit::for_tests(), &workflow, &graph, &tags)
            .await
            .expect("the row, its graph and its tags");
        pictures::store::replace(&mut tx, workflow.id, &thumbnails).await.expect("its pictures");
        let author = Caller::customer(workflow.user);
        pictures::write_words(&mut tx, &author, &workflow, None).await.expect("the pictures of its description");
        tx.commit().await.expect("a commit");
        workflow
    }
}
