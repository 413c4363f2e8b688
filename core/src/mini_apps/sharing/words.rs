//! Texts of the notification about a share. The mail's texts are with those of the other mails.

use super::store::Row;
use crate::html;
use crate::language::Language;
use crate::notifications::{BilingualText, NewNotification};

/// The notification. It links to the app, because the receiver may not see the workflow.
pub(super) fn notification(by: &str, app: &str, share: &Row) -> NewNotification {
    NewNotification::MailedNotice {
        text: BilingualText::new(|language| words(language, by, app, share)),
        dedup_key: format!("share:{}", share.id),
    }
}

fn words(language: Language, by: &str, app: &str, share: &Row) -> (String, String) {
    let (title, content, link) = match language {
        Language::En => (
            "An app was shared with you".to_owned(),
            format!("{by} shared “{app}” with you. Running it uses your own credits."),
            "Open the app",
        ),
        Language::Ko => (
            "앱을 공유받았습니다".to_owned(),
            format!("{by}님이 ‘{app}’ 앱을 공유했습니다. 실행하면 내 크레딧이 사용됩니다."),
            "앱 열기",
        ),
    };
    let content = format!("{}<p><a href=\"/easy-app/{}\">{link}</a></p>", html::of_text(&content), share.app);
    (title, content)
}
