//! Names and descriptions in other languages.

use serde_json::Value;

use super::super::*;
use super::new;
use crate::filter::Nsfw;
use crate::ids::UserId;
use crate::language::Language;
use crate::list::ListQuery;
use crate::testing::TestCore;

fn words(name: Option<&str>, description: Option<&str>) -> Option<Translation> {
    Some(Translation { name: name.map(str::to_owned), description: description.map(str::to_owned) })
}

fn korean(name: &str, description: &str) -> Translations {
    Translations { ko: words(Some(name), Some(description)), en: None }
}

#[actix::test]
async fn translation_is_sanitized_and_survives_edits_of_the_original() {
    let core = TestCore::new().await;
    let ada = Caller::customer(UserId::new());
    let translations = korean(" 접힌 비단 ", "<p>주름 <script>alert(1)</script></p>");
    let made = create(&core, &ada, NewWorkflow { translations, ..new("Folded Silk") }).await.expect("a workflow");
    assert_eq!(made.translations, korean("접힌 비단", "<p>주름 </p>"));
    assert_eq!((made.name_in(Language::Ko), made.name_in(Language::En)), ("접힌 비단", "Folded Silk"));

    let renamed = WorkflowChanges { name: Some("Silk".into()), ..WorkflowChanges::default() };
    update(&core, &ada, made.id, renamed).await.expect("another name");
    let found = find(&core, &ada, made.id).await.expect("the workflow");
    assert_eq!((found.name.as_str(), found.name_in(Language::Ko)), ("Silk", "접힌 비단"));

    let name_only = Translations { ko: words(Some("비단"), Some("  ")), en: words(None, None) };
    let changes = WorkflowChanges { translations: Some(name_only), ..WorkflowChanges::default() };
    update(&core, &ada, made.id, changes).await.expect("another translation");
    let found = find(&core, &ada, made.id).await.expect("the workflow");
    assert_eq!(found.translations, Translations { ko: words(Some("비단"), None), en: None });
    assert_eq!(found.description_in(Language::Ko), "<p>Hello </p>", "what is not translated is read as it was written");

    let none = WorkflowChanges { translations: Some(Translations::default()), ..WorkflowChanges::default() };
    let bare = update(&core, &ada, made.id, none).await.expect("no translation");
    assert!(bare.translations.is_empty());
}

#[actix::test]
async fn translations_have_the_limits_of_the_original() {
    let core = TestCore::new().await;
    let ada = Caller::customer(UserId::new());
    let id = workflow(ada.user.expect("a user")).insert(&core.db).await.id;
    let (long, large) = ("가".repeat(MAX_NAME_CHARS + 1), "a".repeat(MAX_DESCRIPTION_BYTES + 1));
    for (words, place) in [
        (words(Some(&long), None), "translations.ko.name"),
        (words(Some("  "), None), "translations.ko.name"),
        (words(Some("a\u{202e}b"), None), "translations.ko.name"),
        (words(None, Some(&large)), "translations.ko.description"),
    ] {
        let translations = Some(Translations { ko: words, en: None });
        let refused = update(&core, &ada, id, WorkflowChanges { translations, ..WorkflowChanges::default() }).await;
        let refused = refused.expect_err("beyond the limits");
        assert!(matches!(&refused, Error::Invalid { field, .. } if field == place), "{place}: {refused:?}");
    }
}

#[actix::test]
async fn search_finds_translated_names_and_descriptions() {
    let core = TestCore::new().await;
    let now = core.clock.now();
    let long = format!("<p>{} 끝말</p>", "물결 ".repeat(400));
    let silk = workflow(UserId::new()).name("Folded Silk").translations(korean("주름진 비단", &long)).published(now);
    let silk = silk.insert(&core.db).await.id;
    workflow(UserId::new()).name("Plain").published(now).insert(&core.db).await;
    for asked in ["비단", "주름진", "물결", "끝말", "silk"] {
        let found = search(&core, asked, ListQuery::at(Nsfw::Hide, None, 10)).await.expect("a page").items;
        assert_eq!(found.iter().map(|one| one.id).collect::<Vec<_>>(), [silk], "{asked}");
        let said = found[0].description_in(Language::Ko);
        assert!(said.starts_with("<p>물결") && !said.contains("끝말"), "lists give the beginning alone");
        assert_eq!(found[0].name_in(Language::Ko), "주름진 비단");
    }
}

#[actix::test]
async fn copy_has_its_own_name_and_deleted_workflow_has_no_words() {
    let core = TestCore::new().await;
    let ada = Caller::customer(UserId::new());
    let translations = korean("비단", "<p>주름</p>");
    let made = create(&core, &ada, NewWorkflow { translations, ..new("Silk") }).await.expect("a workflow");
    let copied = copy(&core, &ada, made.id, None).await.expect("a copy");
    assert_eq!((copied.name_in(Language::Ko), copied.description_in(Language::Ko)), ("Copy of Silk", "<p>주름</p>"));

    delete(&core, &ada, made.id).await.expect("gone");
    let left: Value = sqlx::query_scalar("SELECT translations FROM workflows WHERE id = $1")
        .bind(made.id.0)
        .fetch_one(&core.db)
        .await
        .expect("the row");
    assert_eq!(left, serde_json::json!({}));
}
