//! Texts of the notification that an app stopped working.

use super::verdict::Missing;
use crate::html;
use crate::language::Language;
use crate::notifications::{BilingualText, NewNotification};
use crate::workflows::Workflow;

/// The notification. It links to the settings of the app.
pub(super) fn notification(workflow: &Workflow, missing: &Missing, dedup_key: String) -> NewNotification {
    NewNotification::MailedNotice { text: BilingualText::new(|language| words(language, workflow, missing)), dedup_key }
}

fn words(language: Language, workflow: &Workflow, missing: &Missing) -> (String, String) {
    let lacking: Vec<&str> = missing.classes.iter().chain(&missing.models).map(String::as_str).collect();
    let (app, lacking) = (&workflow.name, lacking.join(", "));
    let (title, content, link) = match language {
        Language::En => (
            "An app of yours does not work any more".to_owned(),
            format!(
                "No worker has what “{app}” needs: {lacking}. Runs wait until a worker has it or the app is changed."
            ),
            "Open its setup",
        ),
        Language::Ko => (
            "내 앱이 더 이상 작동하지 않습니다".to_owned(),
            format!(
                "‘{app}’ 앱에 필요한 항목을 갖춘 작업 서버가 없습니다: {lacking}. 작업 서버가 갖추거나 앱을 수정할 때까지 실행이 대기합니다."
            ),
            "설정 열기",
        ),
    };
    let content = format!("{}<p><a href=\"/workflow-api/{}\">{link}</a></p>", html::of_text(&content), workflow.id);
    (title, content)
}
