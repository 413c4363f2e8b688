//! Servers with hundreds of models.

use serde_json::Map;

use super::*;
use crate::generators::bound::{MOST_APPS, bounded};

/// Names of checkpoints that tell no family.
fn merges(count: usize) -> Vec<String> {
    (0..count).map(|number| format!("merge_{number:03}.safetensors")).collect()
}

/// What a server with these checkpoints offers for words.
fn drawing(files: &[String]) -> Vec<Offer> {
    let models: Vec<(&str, &str)> = files.iter().map(|file| ("checkpoints", file.as_str())).collect();
    let can = capabilities(OLD, &models);
    let mut offers = offers(recipes().expect("recipes"), &[can], &family::KnownModels::default());
    offers.retain(|offer| offer.recipe.task == Task::TextToImage);
    offers
}

#[test]
fn apps_of_workers_that_come_and_go_stay_and_those_far_beyond_the_limit_are_surplus() {
    let offers = drawing(&merges(40));
    for (published, apps, surplus) in [(0, MOST_APPS, 0), (3, MOST_APPS, 0), (12, 12, 0), (13, MOST_APPS, 7)] {
        let row = |offer: &Offer| Row {
            recipe: offer.recipe.id.clone(),
            model: offer.model.clone(),
            workflow: Some(WorkflowId(uuid::Uuid::nil())),
            digest: offer.digest(),
            failure: None,
            tried_at: DateTime::UNIX_EPOCH,
        };
        // The last ones by name are published.
        let rows: Vec<Row> = offers.iter().rev().take(published).map(row).collect();
        let by_key: HashMap<(&str, &str), &Row> =
            rows.iter().map(|row| ((row.recipe.as_str(), row.model.as_str()), row)).collect();
        let found = bounded(&offers, &[], &by_key);
        assert_eq!((found.offers.len(), found.surplus.len()), (apps, surplus), "{published} published");
        let stay = |row: &Row| found.offers.iter().any(|offer| offer.model == row.model);
        assert_eq!(rows.iter().filter(|row| stay(row)).count(), published - surplus, "published ones come first");
    }
}

#[test]
fn models_within_the_limit_have_no_choice() {
    let offers = drawing(&merges(MOST_APPS));
    let digests: Vec<String> = offers.iter().map(Offer::digest).collect();
    let found = bounded(&offers, &[], &HashMap::new()).offers;
    assert_eq!(found.iter().map(Offer::digest).collect::<Vec<_>>(), digests);
    assert!(found.iter().all(|offer| offer.api_inputs().get("1.ckpt_name").is_none()));
}

#[test]
fn form_stays_the_same_while_a_worker_with_other_models_is_away() {
    let files = merges(MOST_APPS + 2);
    let (left, right) = files.split_at(MOST_APPS / 2);
    let together = bounded(&drawing(&files), &[], &HashMap::new()).offers;
    let alone = bounded(&drawing(left), &drawing(right), &HashMap::new()).offers;
    assert_eq!(alone.iter().map(|offer| offer.model.as_str()).collect::<Vec<_>>(), left);
    for offer in &alone {
        let before = together.iter().find(|other| other.model == offer.model).expect("an app");
        assert_eq!(offer.digest(), before.digest(), "the app of {} is renewed", offer.model);
    }
}

#[actix::test]
async fn hundreds_of_checkpoints_get_few_apps_whose_forms_offer_all_of_them() {
    let core = TestCore::new().await;
    let (files, guest) = (merges(300), Caller::guest());
    let known = "sd_xl_base_1.0.safetensors";
    let named = files.iter().map(String::as_str).chain([known]);
    let models: Vec<(&str, &str)> = named.map(|file| ("checkpoints", file)).collect();
    let can = capabilities(OLD, &models);
    let id = worker(&core, "cpu", &can, false).await;
    report(&core, id, WorkerState::Idle, Some(can)).await;
    // From words, from a picture, and for a part of a picture.
    let made = u64::try_from(3 * (MOST_APPS + 1)).expect("a number");
    assert_eq!(refresh(&core).await.expect("a round"), made);
    assert_eq!(refresh(&core).await.expect("nothing is left"), 0);

    let asked = for_sentence(&core, &guest, "a fox in the snow", None).await.expect("an answer");
    let names: Vec<&str> = asked.live.iter().map(|app| app.name.as_str()).collect();
    assert_eq!(names.len(), 6);
    let is_known = |name: &&str| name.ends_with("sd xl base 1.0");
    assert!(names[..2].iter().any(is_known), "each family comes first: {names:?}");

    let merge = asked.live.iter().find(|app| !is_known(&app.name.as_str())).expect("an app of a merge");
    let app = mini_apps::compiled(&core, &guest, merge.workflow_api.expect("a mini app")).await.expect("the app");
    let with = |model: &str| Map::from_iter([("model".to_owned(), json!(model))]);
    let filled = app.fill(&with(&files[299])).expect("another model");
    let prompt = app.render(&filled.form, |_| None).expect("a prompt");
    assert!(format!("{:?}", prompt.prompt).contains(&files[299]), "{prompt:?}");
    assert!(app.fill(&with(known)).is_err(), "a model of another family is no choice");
}
