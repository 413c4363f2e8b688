//! Targets of operations, which belong to the owner unless stated otherwise. A `$new_` name is created for one request,
//! so that one role's response does not change the next.

mod apps;
mod payments;

use std::collections::HashMap;

use reqwest::Method;
use secrecy::ExposeSecret as _;
use serde_json::{Value, json};
use verdigraph_core::ids::{UserId, WorkflowId};
use verdigraph_core::testing::providers::TestProviders;
use verdigraph_core::users::Ban;
use verdigraph_core::{Caller, database, fleet, gallery, users, workflows};
use verdigraph_workers::cpu::server::Running;

use super::bodies::{APP_INPUT, CARD, COUPON, ITEM, ORDER, PROMOTION};
use super::people::{id_of, proven};
use crate::jobs::{prompt, with_idle_worker};
use crate::posts;
use crate::site::{Browser, Site, cookie, text};

pub struct Things {
    pub site: Site,
    owner: Browser,
    other: Browser,
    admin: Browser,
    owner_id: UserId,
    /// Shared ones by name.
    kept: HashMap<String, String>,
    /// Names used since [`Things::begin`], and the content among them that moderators can hide.
    named: Vec<(&'static str, String)>,
    /// Whether mail goes to a server, so that codes cannot be read from files.
    has_mail: bool,
    /// Color of the last picture made for one request.
    colour: u8,
    worker: (Running, tempfile::TempDir),
    _providers: TestProviders,
}

impl Things {
    pub async fn start() -> Self {
        Self::on(false).await
    }

    /// With a mail server, so that addresses must be confirmed. The server does not exist.
    pub async fn with_mail() -> Self {
        Self::on(true).await
    }

    async fn on(has_mail: bool) -> Self {
        let providers = TestProviders::start("2026-01-01T00:00:00Z".parse().expect("a time")).await;
        let site = Site::with(|settings| {
            providers.configure(settings);
            if has_mail {
                settings.mail.host = Some("127.0.0.1".to_owned());
                settings.mail.port = 1;
            }
            // Responses matter here, not how fast a busy machine sends them.
            settings.payments.test_provider = true;
            (settings.server.answer_seconds, settings.database.acquire_timeout_ms) = (60, 60_000);
            let limits = &mut settings.limits;
            limits.requests_per_minute_per_account = 1_000_000;
            limits.requests_per_minute_per_address = 1_000_000;
            settings.sign_in.sign_ups_per_address_per_hour = 1_000_000;
            settings.sign_in.mails_per_address_per_hour = 1_000_000;
            settings.sign_in.mails_per_account_per_hour = 1_000_000;
        })
        .await;
        let worker = with_idle_worker(&site).await;
        let (owner, other, admin) =
            (proven(&site, site.person().await).await, proven(&site, site.person().await).await, site.admin().await);
        let admin = proven(&site, admin).await;
        let owner_id = id_of(&site, &owner).await.parse().expect("an id");
        let (kept, named) = (HashMap::new(), Vec::new());
        Self { site, owner, other, admin, owner_id, kept, named, has_mail, colour: 0, worker, _providers: providers }
    }

    pub fn person(&self, role: &str) -> Browser {
        match role {
            "other" => self.other.clone(),
            "owner" | "banned" | "unproven" | "moderated" => self.owner.clone(),
            "admin" => self.admin.clone(),
            _ => Browser::default(),
        }
    }

    pub async fn fresh_person(&self, role: &str) -> Browser {
        let person = if role == "admin" { self.site.admin().await } else { self.site.person().await };
        proven(&self.site, person).await
    }

    /// Starts a request. Content that moderators hide is created for it.
    pub fn begin(&mut self, role: &str) {
        self.named.clear();
        if role == "moderated" {
            self.kept.clear();
        }
    }

    /// Puts the owner into the role's state.
    pub async fn put_into(&mut self, role: &str, who: &Browser) {
        let core = self.site.core.clone();
        match role {
            "banned" => {
                let id = self.person_id(who).await;
                let ban = Ban { since: core.clock.now(), until: None, reason: "spam".to_owned() };
                let mut tx = database::begin(&core.db).await.expect("a transaction");
                assert!(users::ban_tx(&mut tx, id, &ban).await.expect("a ban"), "no user was banned");
                tx.commit().await.expect("a commit");
                users::invalidate(&core, id).await;
            }
            "unproven" => {
                let id = self.person_id(who).await;
                let query = "UPDATE users SET email_verified_at = NULL WHERE id = $1";
                sqlx::query(query).bind(id.0).execute(&core.db).await.expect("an address that is not proven");
                users::invalidate(&core, id).await;
            }
            "moderated" => {
                for (kind, id) in std::mem::take(&mut self.named) {
                    self.hide(kind, &id).await;
                }
            }
            _ => {}
        }
    }

    /// Undoes it.
    pub async fn take_out_of(&mut self, role: &str, who: &Browser) {
        let core = self.site.core.clone();
        match role {
            "banned" if who.email == self.owner.email => {
                let mut tx = database::begin(&core.db).await.expect("a transaction");
                users::lift_ban_tx(&mut tx, self.owner_id).await.expect("no ban");
                tx.commit().await.expect("a commit");
                users::invalidate(&core, self.owner_id).await;
            }
            "unproven" if who.email == self.owner.email => drop(proven(&self.site, self.owner.clone()).await),
            // Other roles must not find hidden content.
            "moderated" => self.kept.clear(),
            _ => {}
        }
    }

    async fn person_id(&self, who: &Browser) -> UserId {
        match who.email == self.owner.email {
            true => self.owner_id,
            false => id_of(&self.site, who).await.parse().expect("an id"),
        }
    }

    /// As a moderator would.
    async fn hide(&self, kind: &str, id: &str) {
        let report = json!({ "kind": kind, "id": id, "reason": "Spam" });
        // Reports are rate-limited per user, and only admins see private content.
        self.send(&self.site.admin().await, "/api/general/report", &report).await;
        let queue: Value =
            self.site.get(&self.admin, "/api/admin/moderation?limit=1").await.json().await.expect("cases");
        let case = &queue["items"][0];
        assert_eq!(case["target"], id, "another case is the newest");
        let path = format!("/api/admin/moderation/{}/decide", text(case, "_id"));
        self.send(&self.admin, &path, &json!({ "revision": case["revision"], "verdict": "Hide" })).await;
    }

    /// Records content of the owner that moderators can hide, by its name.
    fn note(&mut self, name: &str, id: &str) {
        let kind = match name.trim_start_matches("new_") {
            "public" | "draft" => "Workflow",
            "picture" | "hidden" => "OutputAsset",
            "asset" | "portrait" => "Asset",
            "comment" => "Comment",
            _ => return,
        };
        let named = (kind, id.to_owned());
        if !self.named.contains(&named) {
            self.named.push(named);
        }
    }

    pub async fn finish(self) {
        self.worker.0.stop().await.expect("the worker stops");
        self.site.finish().await;
    }

    /// A text with its `$names` replaced.
    pub async fn fill(&mut self, text: &str, who: &Browser) -> String {
        let mut pieces = text.split('$');
        let mut filled = pieces.next().unwrap_or_default().to_owned();
        for piece in pieces {
            let end = piece.find(|c: char| !c.is_ascii_lowercase() && c != '_').unwrap_or(piece.len());
            let (name, rest) = piece.split_at(end);
            let value = match self.kept.get(name) {
                Some(value) => value.clone(),
                None => {
                    let value = Box::pin(self.make(name, who)).await;
                    if !name.starts_with("new_") && name != "own_email" {
                        self.kept.insert(name.to_owned(), value.clone());
                    }
                    value
                }
            };
            self.note(name, &value);
            filled.push_str(&value);
            filled.push_str(rest);
        }
        filled
    }

    async fn make(&mut self, name: &str, who: &Browser) -> String {
        let (owner, admin) = (self.owner.clone(), self.admin.clone());
        match name {
            // For filters of lists.
            "in" => "$in".to_owned(),
            "owner" => self.owner_id.to_string(),
            "stranger" | "new_stranger" => id_of(&self.site, &self.site.person().await).await,
            "own_email" => who.email.clone(),
            "new_email" => format!("{}@example.com", uuid::Uuid::now_v7().simple()),
            "new_members_email" => self.site.person().await.email,
            "public" | "new_public" => self.workflow(true).await,
            "draft" | "new_draft" => self.workflow(false).await,
            "picture" | "new_picture" => self.output(true).await,
            "hidden" | "new_hidden" => self.output(false).await,
            // Equal bytes would be the same asset, or a hidden one: each picture has its own color.
            "asset" | "portrait" | "new_asset" => {
                self.colour += 1;
                // The rows themselves upload this one.
                self.colour += u8::from(self.colour == 77);
                posts::picture(&self.site, &owner, self.colour).await
            }
            "input" | "new_input" => {
                let body = r#"{"asset":"$new_asset","isPrivate":true}"#;
                self.made(&owner, "/api/general/input-asset", body).await
            }
            "app" | "new_app" => self.app("$new_public").await,
            "hidden_app" => self.app("$new_draft").await,
            "app_version" | "hidden_app_version" => self.version_of(name.trim_end_matches("_version")).await,
            "new_friends_email" => proven(&self.site, self.site.person().await).await.email,
            "new_share" => {
                let share = r#"{"workflowApiId":"$hidden_app","userEmail":"$new_friends_email"}"#;
                self.made(&owner, "/api/general/workflow-api-shared", share).await
            }
            "webhook" | "new_webhook" => {
                let hook =
                    r#"{"name":"A hook","webhookUrl":"https://example.com/hook","webhookEventIds":["job.done"]}"#;
                self.made(&owner, "/api/general/webhook-config", hook).await
            }
            "attempt" => self.attempt(who).await,
            "inputs" => APP_INPUT.to_owned(),
            "prompt" => prompt(1)["prompt"].to_string(),
            "job" | "new_job" => self.made(&owner, "/api/general/job/prompt", "{\"prompt\":$prompt}").await,
            "batch" => self.batch().await,
            "comment" | "new_comment" => self.comment(&owner).await,
            "key" | "new_key" => self.made(&owner, "/api/general/api-key", "{\"name\":\"script\"}").await,
            "new_session" => self.session().await,
            "new_notice" => {
                let notice = r#"{"titleEn":"Hello","titleKo":"안녕","contentEn":"<p>Hi</p>","contentKo":"<p>네</p>"}"#;
                self.made(&admin, "/api/admin/notice", notice).await
            }
            "coupon" => self.made(&admin, "/api/admin/coupon", COUPON).await,
            "promotion" => self.made(&admin, "/api/admin/promotion", PROMOTION).await,
            "item" => self.made(&admin, "/api/admin/item", ITEM).await,
            "plan_item" => self.plan_item(&admin).await,
            "own_plan" => self.own_plan(&owner, &admin).await,
            "order" | "new_order" => self.made(&owner, "/api/general/order", ORDER).await,
            "card" => CARD.to_owned(),
            "payment_method" => self.payment_method(&owner).await,
            "new_payment_method" => self.removable_method(&owner).await,
            "new_test_card" | "new_test_agreement" | "new_test_payment" => self.test_thing(name, &owner, &admin).await,
            "notification" | "new_notification" => self.notification().await,
            "case" | "new_case" => self.case().await,
            "new_banned" => {
                let person = id_of(&self.site, &self.site.person().await).await;
                let ban = json!({ "reason": "spam" });
                self.send(&self.admin, &format!("/api/admin/user/{person}/ban"), &ban).await;
                person
            }
            "new_worker" => {
                let worker = r#"{"name":"$new_name","url":"http://127.0.0.1:9/$new_name","pool":"cpu"}"#;
                self.made(&admin, "/api/admin/worker", worker).await
            }
            "editor_file" | "new_editor_file" => {
                let file = format!("workflows%2F{}.json", uuid::Uuid::now_v7());
                let request = owner.sign(self.site.ask(Method::POST, &format!("/comfyui-editor/api/userdata/{file}")));
                assert_eq!(request.body("{}").send().await.expect("an answer").status(), 200, "no file was stored");
                file
            }
            "new_requirement_request" => {
                let wanted = r#"{"kind":"NodeClass","name":"$new_name"}"#;
                self.made(&owner, "/api/general/requirement-request", wanted).await
            }
            "new_agent_token" => self.agent_token().await.0,
            "new_agent" => self.agent().await,
            "new_name" => uuid::Uuid::now_v7().to_string(),
            // The target does not exist.
            "new_reset_code" | "new_verify_code" if self.has_mail => "none".to_owned(),
            "new_reset_code" | "new_verify_code" => {
                let person = self.site.person().await;
                if name == "new_reset_code" {
                    self.send(&Browser::default(), "/api/auth/password/forgot", &json!({ "email": person.email }))
                        .await;
                }
                self.site.core.code_for(&person.email).await
            }
            _ => panic!("there is nothing called ${name}"),
        }
    }

    /// An attempt of the owner's webhook, without a request.
    async fn attempt(&mut self, who: &Browser) -> String {
        let hook: uuid::Uuid = Box::pin(self.fill("$webhook", who)).await.parse().expect("an id");
        let (delivery, attempt) = (uuid::Uuid::now_v7(), uuid::Uuid::now_v7());
        let db = &self.site.core.db;
        sqlx::query(
            "INSERT INTO webhook_deliveries (id, config_id, event_id, kind, position, body, created_at, next_at, state, attempts)
             VALUES ($1, $2, $1, 2, 1, '{}', now(), now(), 2, 1)",
        )
        .bind(delivery)
        .bind(hook)
        .execute(db)
        .await
        .expect("a delivery");
        sqlx::query(
            "INSERT INTO webhook_attempts (id, delivery_id, config_id, number, attempt_at, is_success, said)
             VALUES ($1, $2, $3, 1, now(), false, '')",
        )
        .bind(attempt)
        .bind(delivery)
        .bind(hook)
        .execute(db)
        .await
        .expect("an attempt");
        attempt.to_string()
    }

    async fn send(&self, who: &Browser, path: &str, body: &Value) -> Value {
        let answer = self.site.send(who, Method::POST, path, body).await;
        let status = answer.status();
        let said = answer.text().await.unwrap_or_default();
        assert!(status.is_success(), "{path} {body}: {status} {said}");
        serde_json::from_str(&said).unwrap_or_default()
    }

    /// The id of what this request creates.
    async fn made(&mut self, who: &Browser, path: &str, body: &str) -> String {
        let body = Box::pin(self.fill(body, who)).await;
        let made = self.send(who, path, &serde_json::from_str(&body).expect("JSON")).await;
        text(&made, "_id")
    }

    async fn agent_token(&self) -> (String, String) {
        let (caller, pools) = (Caller::system(), ["cpu".to_owned()]);
        let new = fleet::create_agent_token(&self.site.core.core, &caller, "machines", &pools).await.expect("a token");
        (new.token.id.to_string(), new.secret.expose_secret().to_owned())
    }

    /// An agent's worker.
    async fn agent(&self) -> String {
        let (_, token) = self.agent_token().await;
        let hello = fleet::AgentHello {
            name: uuid::Uuid::now_v7().to_string(),
            pool: None,
            identity: "a".repeat(64),
            run: "b".repeat(64),
            facts: fleet::AgentFacts::default(),
        };
        let connected =
            fleet::connect_agent(&self.site.core.core, &token, hello, |_| Ok(())).await.expect("a database");
        connected.expect("it is let in").worker.to_string()
    }

    async fn workflow(&self, is_public: bool) -> String {
        // A unique graph: when moderators hide one, the author's equal ones are hidden too.
        let [.., red, green, blue] = *WorkflowId::new().0.as_bytes();
        let color = u32::from_be_bytes([0, red, green, blue]);
        let new = workflows::workflow(self.owner_id).name("Boats at dusk").prompt(json!({
            "1": {"class_type": "EmptyImage", "inputs": {"width": 64, "height": 64, "batch_size": 1, "color": color}},
            "2": {"class_type": "SaveImage", "inputs": {"images": ["1", 0], "filename_prefix": "out"}},
        }));
        let new = if is_public { new.published(self.site.core.clock.now()) } else { new };
        new.insert(&self.site.core.db).await.id.to_string()
    }

    async fn output(&self, is_public: bool) -> String {
        let mut output = gallery::factory::output(self.owner_id, self.site.core.clock.now());
        // Unique pixels: moderators hide equal ones everywhere.
        let [.., red, green, blue] = *output.id.0.as_bytes();
        let bytes = actix_web::web::Bytes::from(posts::png_of([red, green, blue]));
        output.content = self.site.core.files.storage.put(bytes).await.expect("a file");
        let id = output.id;
        gallery::factory::insert(&self.site.core.db, &[output]).await;
        if is_public {
            let caller = Caller::customer(self.owner_id);
            gallery::set_private(&self.site.core, &caller, &[id], false).await.expect("a published picture");
        }
        id.to_string()
    }

    async fn app(&mut self, workflow: &str) -> String {
        let body = format!(
            r#"{{"workflow":"{workflow}","inputs":$inputs,"outputs":{{"2":{{"id":"2","order":1,"name":"Picture"}}}}}}"#
        );
        let owner = self.owner.clone();
        self.made(&owner, "/api/general/workflow-api", &body).await
    }

    async fn batch(&self) -> String {
        let item = json!({ "key": "one", "prompt": prompt(3)["prompt"] });
        let request = self.owner.sign(self.site.ask(Method::POST, "/api/general/job/batch"));
        let request = request.header("content-type", "application/x-ndjson").body(format!("{item}\n"));
        let answer = request.send().await.expect("an answer").text().await.expect("its lines");
        let first: Value = serde_json::from_str(answer.lines().next().unwrap_or_default()).expect("JSON");
        text(&first, "batch")
    }

    async fn comment(&mut self, who: &Browser) -> String {
        self.made(who, "/api/general/comment", r#"{"workflow":"$public","content":"<p>Lovely</p>","depth":0}"#).await
    }

    /// A session of the owner in another browser.
    async fn session(&self) -> String {
        let form = json!({ "email": self.owner.email, "password": "correct horse" });
        let path = "/api/auth/login/email-password";
        let answer = self.site.send(&Browser::default(), Method::POST, path, &form).await;
        let there = Browser { session: cookie(&answer, "vg_session"), ..self.owner.clone() };
        let sessions: Value = self.site.get(&there, "/api/auth/me/session").await.json().await.expect("sessions");
        let items = sessions["items"].as_array().expect("a list");
        text(items.iter().find(|session| session["isCurrent"] == true).expect("this one"), "_id")
    }

    /// A case about the owner's workflow, reported by the other user.
    async fn case(&self) -> String {
        let workflow = self.workflow(true).await;
        let report = json!({ "kind": "Workflow", "id": workflow, "reason": "Spam" });
        self.send(&self.other, "/api/general/report", &report).await;
        let queue: Value =
            self.site.get(&self.admin, "/api/admin/moderation?limit=1").await.json().await.expect("cases");
        text(&queue["items"][0], "_id")
    }

    /// In the owner's box, about the other user's comment.
    async fn notification(&mut self) -> String {
        let other = self.other.clone();
        self.comment(&other).await;
        let list = self.site.get(&self.owner, "/api/general/notification-box/list/ALL/1").await;
        text(&list.json::<Value>().await.expect("a list")["items"][0], "_id")
    }
}
