//! What an author is told in their box whose app has stopped working.

use super::verdict::Missing;
use crate::html;
use crate::language::Language;
use crate::notifications::Fact;
use crate::workflows::Workflow;

/// The notification. It leads to where the app is set up.
pub(super) fn fact(language: Language, workflow: &Workflow, missing: &Missing, once: String) -> Fact {
    let lacking: Vec<&str> = missing.classes.iter().chain(&missing.models).map(String::as_str).collect();
    let (app, lacking) = (&workflow.name, lacking.join(", "));
    let (title, content, link) = match language {
        Language::En => (
            "An app of yours does not work any more".to_owned(),
            format!("No worker has what “{app}” needs: {lacking}. Whoever runs it will fail until it is changed."),
            "Open its setup",
        ),
        Language::Ko => (
            "내 앱이 더 이상 작동하지 않습니다".to_owned(),
            format!("‘{app}’ 앱에 필요한 항목을 가진 워커가 없습니다: {lacking}. 수정하기 전까지는 실행에 실패합니다."),
            "설정 열기",
        ),
    };
    let content = format!("{}<p><a href=\"/workflow-api/{}\">{link}</a></p>", html::of_text(&content), workflow.id);
    Fact::Mailed { title, content, once }
}
