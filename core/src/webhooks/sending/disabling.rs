//! Notifies the owner of a webhook that it was disabled.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;

use crate::html;
use crate::ids::{UserId, WebhookConfigId};
use crate::language::Language;
use crate::mail::{self, Content, Email};
use crate::notifications::{self, BilingualText, NewNotification};
use crate::webhooks::config::{Config, DisabledReason};
use crate::webhooks::store::configs;
use crate::{Core, Error, Result, mini_apps, users};

/// Mails per owner and hour: one lost receiver may disable many configs.
const MAILS_PER_HOUR: u32 = 3;

/// Writes notification and mail in the transaction that disables the config; returns the owner, if there is one.
pub(super) async fn notify_owner(
    core: &Core,
    tx: &mut PgConnection,
    id: WebhookConfigId,
    why: DisabledReason,
    now: DateTime<Utc>,
) -> Result<Option<UserId>> {
    let Some(config) = configs::find(&core.db, id).await? else { return Ok(None) };
    let owner = match users::find(core, config.user).await {
        Ok(owner) => owner,
        Err(Error::NotFound { .. }) => return Ok(None),
        Err(error) => return Err(error),
    };
    let is_mailed = users::can_be_mailed(core, &owner)
        && users::take_quota(core, "webhook-disabled", &owner.id.to_string(), MAILS_PER_HOUR).await.is_ok();
    notifications::notify(tx, owner.id, None, &fact(&config, why, now), now).await?;
    if is_mailed {
        let content = Content::WebhookDisabled {
            name: owner.name.clone(),
            webhook: config.name.clone(),
            is_gone: why == DisabledReason::Gone,
            page: page(core, &config).await?,
        };
        mail::queue(core, tx, &Email { to: owner.email.clone(), language: owner.language, content }).await?;
    }
    Ok(Some(owner.id))
}

/// Announces it; call after the commit.
pub(super) async fn announce(core: &Core, owner: UserId) {
    notifications::announce(core, owner).await;
    mail::wake_sending(core);
}

/// The page that shows a config: the account's, or its workflow API's.
async fn page(core: &Core, config: &Config) -> Result<String> {
    let workflow = match config.workflow_api {
        Some(app) => mini_apps::workflow_of(core, app).await?,
        None => None,
    };
    let tab = workflow
        .map_or_else(|| "/account?tab=webhooks".to_owned(), |workflow| format!("/workflow-api/{workflow}?tab=webhook"));
    Ok(format!("{tab}&webhook={}", config.id))
}

fn fact(config: &Config, why: DisabledReason, now: DateTime<Utc>) -> NewNotification {
    let dedup_key = format!("webhook:{}:{}", config.id, now.timestamp());
    NewNotification::MailedNotice { text: BilingualText::new(|language| words(language, config, why)), dedup_key }
}

fn words(language: Language, config: &Config, why: DisabledReason) -> (String, String) {
    let name = &config.name;
    let (title, content) = match (language, why) {
        (Language::En, DisabledReason::Gone) => (
            "A webhook was disabled",
            format!(
                "The receiver of “{name}” answered that it is gone for good (410). Enable it again once it is back."
            ),
        ),
        (Language::En, DisabledReason::Failing) => (
            "A webhook was disabled",
            format!("Nothing has reached the receiver of “{name}” for three days. Enable it again once it answers."),
        ),
        (Language::Ko, DisabledReason::Gone) => (
            "웹훅이 비활성화되었습니다",
            format!("‘{name}’의 수신 서버가 영구히 사라졌다고 응답했습니다(410). 서버가 돌아오면 다시 활성화해주세요."),
        ),
        (Language::Ko, DisabledReason::Failing) => (
            "웹훅이 비활성화되었습니다",
            format!(
                "‘{name}’의 수신 서버에 3일 동안 아무것도 전달되지 않았습니다. 응답할 수 있게 되면 다시 활성화해주세요."
            ),
        ),
    };
    (title.to_owned(), html::of_text(&content))
}
