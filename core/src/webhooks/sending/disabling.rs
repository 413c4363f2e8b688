//! Tells the owner of a webhook that it is not served any more.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;

use crate::html;
use crate::ids::{UserId, WebhookConfigId};
use crate::language::Language;
use crate::mail::{self, Content, Letter};
use crate::notifications::{self, Fact, Said};
use crate::webhooks::config::{Config, DisabledWhy};
use crate::webhooks::store::configs;
use crate::{Core, Error, Result, users};

/// Letters to one owner in an hour: a receiver that is gone may take many addresses with it.
const LETTERS_PER_HOUR: u32 = 3;

/// Tells it within the transaction that disables it; whom, where there is somebody.
pub(super) async fn tell(
    core: &Core,
    tx: &mut PgConnection,
    id: WebhookConfigId,
    why: DisabledWhy,
    now: DateTime<Utc>,
) -> Result<Option<UserId>> {
    let Some(config) = configs::find(&core.db, id).await? else { return Ok(None) };
    let owner = match users::find(core, config.user).await {
        Ok(owner) => owner,
        Err(Error::NotFound { .. }) => return Ok(None),
        Err(error) => return Err(error),
    };
    let is_mailed = users::can_be_mailed(core, &owner)
        && users::take_quota(core, "webhook-disabled", &owner.id.to_string(), LETTERS_PER_HOUR).await.is_ok();
    notifications::tell(tx, owner.id, None, &fact(&config, why, now), now).await?;
    if is_mailed {
        let content = Content::WebhookDisabled {
            name: owner.name.clone(),
            webhook: config.name.clone(),
            is_gone: why == DisabledWhy::Gone,
        };
        mail::queue(core, tx, &Letter { to: owner.email.clone(), language: owner.language, content }).await?;
    }
    Ok(Some(owner.id))
}

/// After the commit.
pub(super) async fn announce(core: &Core, owner: UserId) {
    notifications::announce(core, owner).await;
    mail::ring(core);
}

fn fact(config: &Config, why: DisabledWhy, now: DateTime<Utc>) -> Fact {
    let once = format!("webhook:{}:{}", config.id, now.timestamp());
    Fact::Mailed { said: Said::new(|language| words(language, config, why)), once }
}

fn words(language: Language, config: &Config, why: DisabledWhy) -> (String, String) {
    let name = &config.name;
    let (title, content) = match (language, why) {
        (Language::En, DisabledWhy::Gone) => (
            "A webhook was disabled",
            format!(
                "The receiver of “{name}” answered that it is gone for good (410). Enable it again once it is back."
            ),
        ),
        (Language::En, DisabledWhy::Failing) => (
            "A webhook was disabled",
            format!("Nothing has reached the receiver of “{name}” for three days. Enable it again once it answers."),
        ),
        (Language::Ko, DisabledWhy::Gone) => (
            "웹훅이 비활성화되었습니다",
            format!("‘{name}’의 수신 서버가 영구히 사라졌다고 응답했습니다(410). 서버가 돌아오면 다시 활성화해주세요."),
        ),
        (Language::Ko, DisabledWhy::Failing) => (
            "웹훅이 비활성화되었습니다",
            format!(
                "‘{name}’의 수신 서버에 3일 동안 아무것도 전달되지 않았습니다. 응답할 수 있게 되면 다시 활성화해주세요."
            ),
        ),
    };
    (title.to_owned(), html::of_text(&content))
}
