//! Test data: workflows as rows, without asking the verbs.

#![cfg(any(test, feature = "testing"))]

use chrono::{DateTime, Utc};
use serde_json::{Value, json};
use sqlx::PgPool;

use super::{Graph, Workflow, graph_hash, store};
use crate::graph::Prompt;
use crate::ids::{UserId, WorkflowId};

/// A workflow to be inserted; a plain one that makes a small picture unless told otherwise.
#[derive(Debug, Clone)]
pub struct NewTestWorkflow {
    workflow: Workflow,
    graph: Graph,
}

/// A private workflow of this person.
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
    };
    NewTestWorkflow { workflow, graph: Graph::default() }.prompt(prompt)
}

impl NewTestWorkflow {
    /// With this prompt in API format.
    ///
    /// # Panics
    /// Where it is not one.
    #[must_use]
    pub fn prompt(mut self, prompt: Value) -> Self {
        self.graph.prompt = Some(Prompt::from_value(prompt).expect("a prompt"));
        self
    }

    /// Published at this time.
    #[must_use]
    pub fn published(mut self, at: DateTime<Utc>) -> Self {
        self.workflow.is_private = false;
        self.workflow.published_at = Some(at);
        self
    }

    /// With these counts of likes and views.
    #[must_use]
    pub fn counts(mut self, likes: i64, views: i64) -> Self {
        self.workflow.like_count = likes;
        self.workflow.view_count = views;
        self
    }

    /// With this description, uncleaned.
    #[must_use]
    pub fn description(mut self, html: &str) -> Self {
        self.workflow.description = html.into();
        self
    }

    /// Writes it.
    ///
    /// # Panics
    /// Where the database refuses.
    pub async fn insert(self, db: &PgPool) -> Workflow {
        let Self { workflow, graph } = self;
        let mut tx = db.begin().await.expect("a transaction");
        store::insert(&mut tx, &workflow).await.expect("the row");
        store::insert_version(&mut tx, workflow.id, 1, &graph, &graph_hash(&graph), workflow.created_at)
            .await
            .expect("its graph");
        tx.commit().await.expect("a commit");
        workflow
    }
}
