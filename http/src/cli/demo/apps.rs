//! The mini apps of `config/apps`; their README describes the format.

use std::borrow::Cow;

use rust_embed::RustEmbed;
use serde::Deserialize;
use serde_json::{Map, Value};
use verdigraph_core::mini_apps::{AppForm, Words};

#[derive(RustEmbed)]
#[folder = "../config/apps"]
struct Files;

/// One mini app.
#[derive(Debug, Deserialize)]
pub struct App {
    /// Stable; the file's name without `.json`.
    pub id: String,
    pub order: u32,
    pub name: Words,
    /// HTML.
    pub description: Words,
    /// English names of tags.
    pub tags: Vec<String>,
    #[serde(flatten)]
    pub form: AppForm,
    pub samples: Vec<Sample>,
}

/// A form to run for the gallery.
#[derive(Debug, Deserialize)]
pub struct Sample {
    pub values: Map<String, Value>,
    /// Whether its picture is the app's cover.
    #[serde(default)]
    pub cover: bool,
}

/// All apps, in their order.
pub fn all() -> Result<Vec<App>, String> {
    let mut apps = Vec::new();
    for name in Files::iter().filter(|name| name.ends_with(".json")) {
        let Some(file) = Files::get(&name) else { continue };
        apps.push(serde_json::from_slice::<App>(&file.data).map_err(|error| format!("config/apps/{name}: {error}"))?);
    }
    apps.sort_by_key(|app| app.order);
    Ok(apps)
}

impl App {
    /// The sample whose picture is the cover; the first one by default.
    pub fn cover(&self) -> usize {
        self.samples.iter().position(|sample| sample.cover).unwrap_or(0)
    }

    /// The cover first, then the other samples. Each photograph follows the first picture made from it.
    pub fn gallery(&self) -> Vec<GalleryPicture<'_>> {
        let cover = self.cover();
        let mut gallery = Vec::new();
        for place in std::iter::once(cover).chain((0..self.samples.len()).filter(|place| *place != cover)) {
            gallery.push(GalleryPicture::Sample(place));
            for photo in self.samples.get(place).into_iter().flat_map(Sample::photos).map(GalleryPicture::Photo) {
                if !gallery.contains(&photo) {
                    gallery.push(photo);
                }
            }
        }
        gallery
    }
}

impl Sample {
    /// The names of the photographs that it starts from.
    fn photos(&self) -> impl Iterator<Item = &str> {
        self.values.values().filter_map(|value| match picture_of(value)? {
            SamplePicture::Photo(name) => Some(name),
            SamplePicture::Result { .. } => None,
        })
    }
}

/// A picture in the gallery of an app.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GalleryPicture<'a> {
    /// The result of a sample.
    Sample(usize),
    /// A file of `config/apps/photos`, without its ending.
    Photo(&'a str),
}

/// A picture that a sample starts from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SamplePicture<'a> {
    /// The result of another sample: `{"app": "…", "sample": 0}`.
    Result { app: &'a str, sample: usize },
    /// A file of `config/apps/photos`, without its ending: `{"photo": "…"}`.
    Photo(&'a str),
}

/// The picture, if a value refers to one.
pub fn picture_of(value: &Value) -> Option<SamplePicture<'_>> {
    if let Some(name) = value.get("photo") {
        return Some(SamplePicture::Photo(name.as_str()?));
    }
    let app = value.get("app")?.as_str()?;
    let sample = usize::try_from(value.get("sample")?.as_u64()?).ok()?;
    Some(SamplePicture::Result { app, sample })
}

/// The bytes of a photograph: JPEG.
pub fn photo(name: &str) -> Option<Cow<'static, [u8]>> {
    Some(Files::get(&format!("photos/{name}.jpg"))?.data)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_empty_installation_gets_eight_apps_and_two_dozen_pictures() {
        let apps = all().expect("every file is what the README says");
        assert!(apps.len() >= 8, "only {} apps", apps.len());
        let pictures: usize = apps.iter().map(|app| app.samples.len()).sum();
        assert!(pictures >= 24, "only {pictures} pictures");
    }

    #[test]
    fn every_app_has_one_to_five_tags_of_the_initial_tree() {
        let tree = include_str!("../../../../core/migrations/0008_workflows.sql");
        for app in all().expect("every file is what the README says") {
            assert!((1..=5).contains(&app.tags.len()), "{}: {:?}", app.id, app.tags);
            for tag in &app.tags {
                assert!(tree.contains(&format!(", 1, '{tag}', '")), "{}: there is no tag {tag}", app.id);
            }
        }
    }

    #[test]
    fn covers_of_filters_show_different_pictures() {
        let mut shown = std::collections::BTreeMap::new();
        for app in all().expect("every file is what the README says") {
            let Some(sample) = app.samples.get(app.cover()) else { continue };
            for source in sample.values.values().filter_map(picture_of) {
                let source = match source {
                    SamplePicture::Result { app, .. } => app,
                    SamplePicture::Photo(name) => name,
                };
                let other = shown.insert(source.to_owned(), app.id.clone());
                assert_eq!(other, None, "the covers of this app and of {} show the same motif of {source}", app.id);
            }
        }
        assert!(shown.len() >= 4, "only {} apps change pictures", shown.len());
    }

    #[test]
    fn photograph_follows_the_first_picture_made_from_it() {
        use GalleryPicture::{Photo, Sample};

        let mut apps = all().expect("every file is what the README says");
        let app = apps.iter_mut().find(|app| app.id == "oil-painting").expect("an app with a photograph");
        assert_eq!(app.gallery(), [Sample(1), Photo("coffee"), Sample(0), Sample(2)]);

        app.samples[0].values.insert("image".to_owned(), json!({ "photo": "coffee" }));
        app.samples[2].values.insert("image".to_owned(), json!({ "photo": "rocket" }));
        assert_eq!(app.gallery(), [Sample(1), Photo("coffee"), Sample(0), Sample(2), Photo("rocket")]);
    }

    #[test]
    fn every_app_is_complete_in_both_languages() {
        let is_hangul = |c: char| ('\u{ac00}'..='\u{d7a3}').contains(&c);
        for app in all().expect("every file is what the README says") {
            let mut words = vec![("name", &app.name), ("description", &app.description)];
            words.extend(app.form.words());
            for (what, Words { en, ko }) in words {
                assert!(!en.trim().is_empty() && !en.contains(is_hangul), "{}, {what}: {en:?} is no English", app.id);
                assert!(ko.contains(is_hangul), "{}, {what}: {ko:?} is no Korean", app.id);
            }
        }
    }

    #[test]
    fn app_is_sent_with_its_korean_texts() {
        let apps = all().expect("every file is what the README says");
        let app = apps.iter().find(|app| app.id == "flow-field").expect("an app with choices");
        let inputs = app.form.api_inputs();
        let palette = &inputs["1.palette"]["adapter"];
        assert_eq!(palette["options"][1], json!({ "value": "ember", "label": "ember" }));
        assert_eq!(palette["translations"]["ko"]["name"], "색 조합");
        assert_eq!(palette["translations"]["ko"]["options"]["ember"], "불씨");
        assert_eq!(app.form.api_outputs()["9"]["translations"]["ko"]["name"], "이미지");
    }

    #[test]
    fn input_picture_comes_from_an_earlier_app_or_is_a_photo() {
        let apps = all().expect("every file is what the README says");
        for (place, app) in apps.iter().enumerate() {
            for picture in app.samples.iter().flat_map(|sample| sample.values.values()).filter_map(picture_of) {
                let (name, sample) = match picture {
                    SamplePicture::Result { app, sample } => (app, sample),
                    SamplePicture::Photo(name) => {
                        assert!(photo(name).is_some(), "{} uses the photo {name}, which is not there", app.id);
                        continue;
                    }
                };
                let source = apps[..place].iter().find(|before| before.id == name);
                let source = source.unwrap_or_else(|| panic!("{} uses {name}, which is not before it", app.id));
                assert!(sample < source.samples.len(), "{} uses sample {sample} of {name}", app.id);
            }
        }
    }
}
