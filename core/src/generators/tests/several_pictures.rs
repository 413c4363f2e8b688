//! Generators that combine several pictures.

use serde_json::Map;

use super::*;
use crate::ids::AssetId;
use crate::mini_apps::Rule;

/// The first picture with each choice of the others: a run may also have the third without the second.
fn choices<'a>(pictures: &[&'a str]) -> Vec<Vec<&'a str>> {
    let (first, others) = pictures.split_first().expect("a picture");
    let mut choices = vec![vec![*first]];
    for other in others {
        let with_other: Vec<Vec<&str>> = choices.iter().map(|chosen| [chosen.as_slice(), &[*other]].concat()).collect();
        choices.extend(with_other);
    }
    choices
}

#[actix::test]
async fn pictures_are_combined_by_words_and_only_the_first_is_required() {
    let takes_two = |recipe: &&Recipe| recipe.form.inputs.iter().any(|input| input.field == "second");
    let combining: Vec<&Recipe> = recipes().expect("recipes").iter().filter(takes_two).collect();
    let mut seen = HashSet::new();
    for recorded in [OLD, NEW] {
        let core = TestCore::new().await;
        let guest = Caller::guest();
        let files: Vec<(&str, String)> = combining.iter().copied().flat_map(files_of).collect();
        let models: Vec<(&str, &str)> = files.iter().map(|(folder, file)| (*folder, file.as_str())).collect();
        let can = capabilities(recorded, &models);
        let id = worker(&core, "cpu", &can, false).await;
        report(&core, id, WorkerState::Idle, Some(Arc::clone(&can))).await;
        refresh(&core).await.expect("a round");
        let live = live(&core, &guest).await.expect("a list");
        let is_combining = |recipe: &Recipe| combining.iter().any(|other| other.id == recipe.id);
        for LiveGenerator { recipe, workflow, .. } in live.into_iter().filter(|one| is_combining(one.recipe)) {
            let workflow = workflows::find(&core, &guest, workflow).await.expect("the workflow");
            let app = workflow.workflow_api.expect("a mini app");
            let app = mini_apps::compiled(&core, &guest, app).await.expect("the app");
            let pictures = app.fields().iter().filter(|field| field.rule == Rule::Image);
            let pictures: Vec<&str> = pictures.map(|field| field.name.as_str()).collect();
            assert_eq!(pictures[..2], ["image", "second"], "{}", recipe.id);
            for given in choices(&pictures) {
                let form: Map<String, Value> =
                    given.iter().map(|name| ((*name).to_owned(), json!(AssetId::new()))).collect();
                let filled = app.fill(&form).expect("a form");
                let prompt = app.render(&filled.form, |id| Some(format!("{id}.png"))).expect("a prompt");
                let loaded = prompt.0.values().filter(|node| node.class_type == "LoadImage").count();
                assert_eq!(loaded, given.len(), "{}, {given:?}", recipe.id);
                let files = form.values().filter_map(Value::as_str).map(|id| format!("{id}.png")).collect();
                let checked = validate(&prompt, &can.definitions, &SubmittedFiles { files });
                let checked = checked.unwrap_or_else(|refusal| panic!("{}, {given:?}: {refusal:?}", recipe.id));
                assert!(checked.node_errors.is_empty(), "{}, {given:?}: {:?}", recipe.id, checked.node_errors);
            }
            let none = app.fill(&Map::new());
            assert!(matches!(none, Err(Error::InvalidFields { .. })), "{}: {none:?}", recipe.id);
            seen.insert(recipe.id.as_str());
        }
    }
    assert_eq!(seen.len(), combining.len(), "only {seen:?}");
}
