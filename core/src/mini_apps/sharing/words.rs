//! What somebody is told in their box whom an app is shared with; the letter's words are with the other letters.

use super::store::Row;
use crate::html;
use crate::language::Language;
use crate::notifications::{Fact, Said};

/// The notification. It leads to the app, because the post that the app stands on may be nobody else's to see.
pub(super) fn fact(by: &str, app: &str, share: &Row) -> Fact {
    Fact::Mailed { said: Said::new(|language| words(language, by, app, share)), once: format!("share:{}", share.id) }
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
