//! The notification of an author whose app stopped working.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;

use super::due_app::DueApp;
use super::verdict::Missing;
use super::words;
use crate::ids::{UserId, WorkflowApiId};
use crate::mail::{self, Content, Email};
use crate::notifications::{self, NewNotification};
use crate::workflows;
use crate::{Caller, Core, Error, Result, users};

/// Mails to one author in an hour. A worker that goes offline may affect many apps; notifications are not limited.
const MAILS_PER_HOUR: u32 = 3;

pub(super) struct FailureNotice {
    pub app: WorkflowApiId,
    pub author: UserId,
    notification: NewNotification,
    /// `None` for authors who cannot be mailed or have got enough.
    email: Option<Email>,
}

impl FailureNotice {
    /// `None` where there is no one to notify.
    pub async fn of(core: &Core, app: &DueApp, missing: &Missing) -> Result<Option<Self>> {
        let workflow = match workflows::find(core, &Caller::system(), app.workflow).await {
            Ok(workflow) => workflow,
            Err(Error::NotFound { .. }) => return Ok(None),
            Err(error) => return Err(error),
        };
        let author = match users::find(core, workflow.user).await {
            Ok(author) => author,
            Err(Error::NotFound { .. }) => return Ok(None),
            Err(error) => return Err(error),
        };
        let is_mailed = users::can_be_mailed(core, &author)
            && users::take_quota(core, "app-broken", &author.id.to_string(), MAILS_PER_HOUR).await.is_ok();
        let email = is_mailed.then(|| {
            let lacking = missing.classes.iter().chain(&missing.models).cloned().collect();
            let (name, app) = (author.name.clone(), workflow.name.clone());
            let content = Content::AppBroken { name, app, workflow: workflow.id.0, lacking };
            Email { to: author.email.clone(), language: author.language, content }
        });
        let once = format!("works:{}:{}", app.id, core.clock.now().timestamp());
        let notification = words::notification(&workflow, missing, once);
        Ok(Some(Self { app: app.id, author: author.id, notification, email }))
    }

    pub async fn write(&self, core: &Core, tx: &mut PgConnection, now: DateTime<Utc>) -> Result<()> {
        notifications::notify(tx, self.author, None, &self.notification, now).await?;
        if let Some(email) = &self.email {
            mail::queue(core, tx, email).await?;
        }
        Ok(())
    }
}
