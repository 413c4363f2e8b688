//! Mini apps and pictures: first every app with its cover, so that pages are not empty for long, then the rest.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use reqwest::Method;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::apps::{self, App, GalleryPicture, SamplePicture};
use super::posts;
use crate::cli::client::{Client, text_at};
use crate::cli::failure::Failure;

/// The record of finished work, in the data folder.
const FILE: &str = "demo-content.json";
/// Apps up to this order become basic workflows.
const BASIC: u32 = 6;
/// Polling interval of a running job.
const POLL: Duration = Duration::from_millis(200);

/// Finished work by app.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Done(BTreeMap<String, DoneApp>);

#[derive(Debug, Default, Clone, Serialize, Deserialize)]
struct DoneApp {
    workflow: Option<String>,
    api: Option<String>,
    /// By index of the sample.
    pictures: BTreeMap<usize, Picture>,
    /// Uploaded photographs: assets by name.
    #[serde(default)]
    photos: BTreeMap<String, String>,
    published: bool,
    /// Whether its gallery is complete and the other creators have visited it.
    #[serde(default)]
    dressed: bool,
}

/// A published picture.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Picture {
    /// Its address.
    url: String,
}

/// Creates what is missing.
pub async fn fill(admins: &[Client], creators: &[Client], data: &Path) -> Result<(), Failure> {
    let apps = apps::all().map_err(Failure::usage)?;
    let mut demo = Content { admins, creators, file: data.join(FILE), done: Done::default(), apps: &apps };
    demo.done = demo.load()?;
    fill_shop(admins).await?;
    if demo.is_complete() {
        println!("demo content is complete");
        return Ok(());
    }
    println!("demo content: {} mini apps and {} pictures are being made", apps.len(), demo.pictures());
    for app in &apps {
        demo.publish(app).await?;
    }
    for app in &apps {
        for sample in 0..app.samples.len() {
            demo.picture(app, sample).await?;
        }
        demo.dress(app).await?;
    }
    println!("demo content is complete");
    Ok(())
}

/// Packs of the shop: name, credits, and prices in won and cents.
const PACKS: [(&str, i64, i64, i64); 3] =
    [("Starter", 10_000, 9_900, 699), ("Studio", 25_000, 22_900, 1_599), ("Factory", 50_000, 42_900, 2_999)];

/// Plans of the shop: name, and prices in won and cents.
const PLANS: [(&str, i64, i64); 4] =
    [("Basic", 12_900, 899), ("Standard", 29_900, 1_999), ("Advanced", 54_900, 3_799), ("Pro", 149_000, 9_999)];

/// Adds plans and packs of credits to a shop that was never used.
async fn fill_shop(admins: &[Client]) -> Result<(), Failure> {
    const ITEMS: &str = "/api/admin/item";
    let Some(admin) = admins.first() else { return Ok(()) };
    if admin.get(ITEMS).await?["items"].as_array().is_some_and(|items| !items.is_empty()) {
        return Ok(());
    }
    for (name, krw, usd) in PLANS {
        let plan = json!({
            "name": name, "kind": "Subscription", "plan": name, "prices": { "KRW": krw, "USD": usd },
        });
        admin.send(Method::POST, ITEMS, &plan).await?;
    }
    for (name, credits, krw, usd) in PACKS {
        let pack = json!({ "name": name, "credits": credits, "prices": { "KRW": krw, "USD": usd } });
        admin.send(Method::POST, ITEMS, &pack).await?;
    }
    Ok(())
}

struct Content<'a> {
    admins: &'a [Client],
    creators: &'a [Client],
    file: PathBuf,
    done: Done,
    apps: &'a [App],
}

impl Content<'_> {
    fn load(&self) -> Result<Done, Failure> {
        match std::fs::read_to_string(&self.file) {
            Ok(text) => {
                serde_json::from_str(&text).map_err(|error| Failure::usage(format!("{}: {error}", self.file.display())))
            }
            Err(_) => Ok(Done::default()),
        }
    }

    /// Records finished work of an app.
    fn note(&mut self, app: &App, change: impl FnOnce(&mut DoneApp)) -> Result<(), Failure> {
        change(self.done.0.entry(app.id.clone()).or_default());
        let partial = self.file.with_extension("part");
        let written = serde_json::to_string_pretty(&self.done)
            .map_err(std::io::Error::other)
            .and_then(|text| std::fs::write(&partial, text))
            .and_then(|()| std::fs::rename(&partial, &self.file));
        written.map_err(|error| Failure::usage(format!("{}: {error}", self.file.display())))
    }

    fn of(&self, app: &App) -> DoneApp {
        self.done.0.get(&app.id).cloned().unwrap_or_default()
    }

    fn pictures(&self) -> usize {
        self.apps.iter().map(|app| app.samples.len()).sum()
    }

    fn is_complete(&self) -> bool {
        self.apps.iter().all(|app| {
            let done = self.of(app);
            done.published && done.dressed && done.pictures.len() >= app.samples.len()
        })
    }

    /// The owner's index among the creators.
    fn owner(&self, app: &App) -> usize {
        usize::try_from(app.order).unwrap_or(0) % self.creators.len().max(1)
    }

    /// The app's owner.
    fn creator(&self, app: &App) -> Result<&Client, Failure> {
        self.creators.get(self.owner(app)).ok_or_else(|| Failure::server("there are no creators"))
    }

    /// The mini app's id; creates the app if it is missing.
    async fn api(&mut self, app: &App) -> Result<String, Failure> {
        if let Some(api) = self.of(app).api {
            return Ok(api);
        }
        let workflow = match self.of(app).workflow {
            Some(workflow) => workflow,
            None => {
                let body = json!({
                    "name": app.name.en, "description": app.description.en, "isPrivate": true,
                    "translations": { "ko": { "name": app.name.ko, "description": app.description.ko } },
                    "prompt": { "workflow": null, "output": app.form.graph },
                });
                let made = self.creator(app)?.send(Method::POST, "/api/general/workflow", &body).await?;
                let id = id(&made)?;
                self.note(app, |done| done.workflow = Some(id.clone()))?;
                id
            }
        };
        let body = json!({ "workflow": workflow, "inputs": app.form.api_inputs(), "outputs": app.form.api_outputs() });
        let made = self.creator(app)?.send(Method::POST, "/api/general/workflow-api", &body).await?;
        let id = id(&made)?;
        self.note(app, |done| done.api = Some(id.clone()))?;
        Ok(id)
    }

    /// Sets an app's cover and publishes it.
    async fn publish(&mut self, app: &App) -> Result<(), Failure> {
        if self.of(app).published {
            return Ok(());
        }
        let cover = self.picture(app, app.cover()).await?;
        let asset = self.as_asset(app, &cover, &format!("{}-cover", app.id)).await?;
        let workflow = self.of(app).workflow.ok_or_else(|| Failure::server("a mini app without a workflow"))?;
        let tags = posts::tag_ids(self.creator(app)?, &app.tags).await?;
        let body = json!({ "thumbnails": [asset], "workflowTags": tags, "isPrivate": false });
        self.creator(app)?.send(Method::PATCH, &format!("/api/general/workflow/{workflow}"), &body).await?;
        self.note(app, |done| done.published = true)?;
        println!("published {}", app.name.en);
        Ok(())
    }

    /// Fills an app's gallery. The other creators view and run the app, some like it, and an admin adds the first apps
    /// to the basic workflows.
    async fn dress(&mut self, app: &App) -> Result<(), Failure> {
        if self.of(app).dressed {
            return Ok(());
        }
        let mut gallery = Vec::new();
        for picture in app.gallery() {
            gallery.push(match picture {
                GalleryPicture::Photo(name) => self.photo(app, name).await?,
                GalleryPicture::Sample(sample) => {
                    let picture = self.picture(app, sample).await?;
                    self.as_asset(app, &picture, &format!("{}-{sample}", app.id)).await?
                }
            });
        }
        let workflow = self.of(app).workflow.ok_or_else(|| Failure::server("a mini app without a workflow"))?;
        let body = json!({ "thumbnails": gallery, "cover": gallery.first() });
        self.creator(app)?.send(Method::PATCH, &format!("/api/general/workflow/{workflow}"), &body).await?;
        let others = self.creators.iter().enumerate().filter(|(place, _)| *place != self.owner(app));
        let fans = usize::try_from(app.order).unwrap_or(0) % self.creators.len().max(1);
        for (_, other) in others.take(fans) {
            posts::enjoy(other, &workflow).await?;
        }
        if let Some(admin) = self.admins.first().filter(|_| app.order <= BASIC) {
            posts::choose(admin, &workflow).await?;
        }
        self.note(app, |done| done.dressed = true)
    }

    /// The picture of a sample; runs a job if it is missing.
    async fn picture(&mut self, app: &App, sample: usize) -> Result<Picture, Failure> {
        if let Some(picture) = self.of(app).pictures.get(&sample) {
            return Ok(picture.clone());
        }
        let values = app.samples.get(sample).map(|sample| sample.values.clone()).unwrap_or_default();
        let mut form = Map::new();
        for (field, value) in values {
            let value = match apps::picture_of(&value) {
                None => value,
                Some(SamplePicture::Photo(name)) => Value::String(self.photo(app, name).await?),
                Some(SamplePicture::Result { app: name, sample: number }) => {
                    let apps = self.apps;
                    let source = apps.iter().find(|other| other.id == name);
                    let source = source.ok_or_else(|| Failure::usage(format!("{}: no app {name}", app.id)))?;
                    let picture = Box::pin(self.picture(source, number)).await?;
                    Value::String(self.as_asset(app, &picture, &format!("{name}-{number}")).await?)
                }
            };
            form.insert(field, value);
        }
        let api = self.api(app).await?;
        let client = self.creator(app)?;
        let key = format!("demo-{api}-{sample}");
        let path = format!("/api/general/job/workflow-api/{api}");
        let job = client.submit_once(&path, &Value::Object(form), &key).await?;
        let picture = finished(client, &job.id).await.map_err(|failure| Failure {
            message: format!("{}, sample {sample}: {}", app.name.en, failure.message),
            ..failure
        })?;
        self.note(app, |done| drop(done.pictures.insert(sample, picture.clone())))?;
        Ok(picture)
    }

    /// The asset of a photograph, which the app's creator uploads once.
    async fn photo(&mut self, app: &App, name: &str) -> Result<String, Failure> {
        if let Some(asset) = self.of(app).photos.get(name) {
            return Ok(asset.clone());
        }
        let bytes = apps::photo(name).ok_or_else(|| Failure::usage(format!("{}: no photo {name}", app.id)))?;
        let asset = self.creator(app)?.upload_bytes(&format!("{name}.jpg"), bytes.into_owned().into()).await?;
        self.note(app, |done| drop(done.photos.insert(name.to_owned(), asset.clone())))?;
        Ok(asset)
    }

    /// Uploads a picture as the app's creator.
    async fn as_asset(&self, app: &App, picture: &Picture, name: &str) -> Result<String, Failure> {
        let client = self.creator(app)?;
        let bytes = client.bytes(&picture.url).await?;
        let extension = picture.url.rsplit('.').next().unwrap_or("png");
        client.upload_bytes(&format!("{name}.{extension}"), bytes).await
    }
}

/// Waits for a job, publishes its outputs, and returns the first picture.
async fn finished(client: &Client, job: &str) -> Result<Picture, Failure> {
    let status = loop {
        let status = client.status(job).await?;
        if status.is_terminal() {
            break status;
        }
        tokio::time::sleep(POLL).await;
    };
    if status.status != "Done" {
        return Err(Failure::job(&status));
    }
    let outputs = client.outputs(job).await?;
    let items = || outputs.iter().filter_map(|node| node.outputs.get("images")).filter_map(Value::as_array).flatten();
    let ids: Vec<Value> = items().filter_map(|item| item.get("outputAsset").cloned()).collect();
    let url = items().find_map(|item| text_at(item, "url"));
    let url = url.ok_or_else(|| Failure::server("the job made no picture"))?;
    let body = json!({ "ids": ids, "isPrivate": false });
    client.send(Method::PATCH, "/api/general/output-asset/privates", &body).await?;
    Ok(Picture { url })
}

fn id(answer: &Value) -> Result<String, Failure> {
    text_at(answer, "_id").ok_or_else(|| Failure::server("an answer without an id"))
}
