//! The application under test, and its users.

use std::sync::Arc;
use std::time::Duration;

use actix_web::HttpServer;
use actix_web::dev::ServerHandle;
use reqwest::{Method, RequestBuilder, Response};
use secrecy::ExposeSecret as _;
use serde_json::{Value, json};
use uuid::Uuid;
use verdigraph_core::settings::Settings;
use verdigraph_core::testing::TestCore;
use verdigraph_core::users::{Language, RequestOrigin, SignUp};
use verdigraph_core::{Caller, Clock, database, ledger, users};
use verdigraph_http::app::application;
use verdigraph_http::edge::Edge;
use verdigraph_http::{connections, metrics};

pub struct Site {
    pub core: TestCore,
    pub url: String,
    pub http: reqwest::Client,
    pub edge: Arc<Edge>,
    handle: ServerHandle,
}

/// A browser with its cookies, or a guest.
#[derive(Debug, Clone, Default)]
pub struct Browser {
    pub email: String,
    pub session: String,
    pub xsrf: String,
}

impl Site {
    pub async fn start() -> Self {
        Self::with(|_| {}).await
    }

    /// Starts with changed settings.
    pub async fn with(change: impl FnOnce(&mut Settings)) -> Self {
        // Another test of this process may have installed it before.
        drop(rustls::crypto::ring::default_provider().install_default());
        metrics::install();
        // The reason behind a 503 stands in the log only; a failed test shows it.
        let log = tracing_subscriber::fmt().with_max_level(tracing::Level::WARN).with_test_writer().with_ansi(false);
        drop(log.try_init());
        let core = TestCore::with(Clock::held("2026-01-01T00:00:00Z".parse().expect("a time")), change).await;
        let edge = Arc::new(Edge::new(&core.settings));
        let connections = Arc::clone(&edge.connections);
        let (shared, address) = (core.core.clone(), core.database.url().clone());
        // As in production: connections belong to the thread that opened them.
        let open = move || database::pool(&address, &shared.settings.database).map(|pool| shared.with_pool(pool));
        let served = Arc::clone(&edge);
        let server = HttpServer::new(move || application(open().expect("a pool"), Arc::clone(&served)))
            .workers(1)
            .on_connect(connections::counted(connections))
            .disable_signals()
            .bind(("127.0.0.1", 0))
            .expect("a free port");
        let url = format!("http://{}", server.addrs()[0]);
        let server = server.run();
        let handle = server.handle();
        actix_web::rt::spawn(server);
        // Redirects are returned as they are. The server closes connections that idle for five seconds, perhaps while a
        // request is being written.
        let http = reqwest::Client::builder().no_proxy().redirect(reqwest::redirect::Policy::none());
        let http = http.pool_idle_timeout(Duration::from_secs(3));
        let http = http.build().expect("a client");
        Self { core, url, http, edge, handle }
    }

    pub fn ask(&self, method: Method, path: &str) -> RequestBuilder {
        self.http.request(method, format!("{}{path}", self.url))
    }

    pub async fn get(&self, who: &Browser, path: &str) -> Response {
        who.sign(self.ask(Method::GET, path)).send().await.expect("an answer")
    }

    pub async fn send(&self, who: &Browser, method: Method, path: &str, body: &Value) -> Response {
        who.sign(self.ask(method, path)).json(body).send().await.expect("an answer")
    }

    /// Signs a new user up through the API. If mail is sent, the account is from before that: its address is not
    /// confirmed.
    pub async fn person(&self) -> Browser {
        let email = format!("{}@example.com", Uuid::now_v7().simple());
        if self.core.mail.uses_smtp() {
            return self.person_from_before_mail(email).await;
        }
        let form = json!({
            "email": email, "password": "correct horse", "name": "Ann", "termsAccepted": true, "privacyAccepted": true,
        });
        let response = self.send(&Browser::default(), Method::POST, "/api/auth/signup/email-password", &form).await;
        assert_eq!(response.status(), 201, "sign-up failed: {:?}", response.text().await);
        let (session, xsrf) = (cookie(&response, "vg_session"), cookie(&response, "XSRF-TOKEN"));
        Browser { email, session, xsrf }
    }

    async fn person_from_before_mail(&self, email: String) -> Browser {
        let before = self.core.another_with("before mail", |settings| settings.mail.host = None);
        let form = SignUp {
            email: email.clone(),
            password: "correct horse".into(),
            name: "Ann".to_owned(),
            language: Language::En,
            terms_accepted: true,
            privacy_accepted: true,
        };
        let signed_up = users::sign_up(&before, &form, &RequestOrigin::default()).await.expect("an account");
        before.db.close().await;
        let session = signed_up.session().expect("an account at once").token.expose_secret().to_owned();
        let xsrf = users::xsrf_token(&session);
        Browser { email, session, xsrf }
    }

    pub async fn admin(&self) -> Browser {
        let admin = self.person().await;
        users::promote(&self.core, &Caller::system(), &admin.email).await.expect("a promotion");
        admin
    }

    /// Stops, and audits the ledger.
    pub async fn finish(self) {
        self.handle.stop(false).await;
        let report = ledger::reconcile(&self.core.db).await.expect("an audit");
        assert!(report.is_clean(), "the ledger is wrong: {:?}", report.differences);
    }
}

impl Browser {
    pub fn sign(&self, request: RequestBuilder) -> RequestBuilder {
        if self.session.is_empty() {
            return request;
        }
        let cookies = format!("vg_session={}; XSRF-TOKEN={}", self.session, self.xsrf);
        request.header("cookie", cookies).header("X-XSRF-TOKEN", &self.xsrf)
    }
}

pub fn cookie(response: &Response, name: &str) -> String {
    let own = format!("{name}=");
    let cookies = response.headers().get_all("set-cookie").iter().filter_map(|value| value.to_str().ok());
    let found = cookies.filter_map(|text| text.strip_prefix(&own)).next();
    found.map(|text| text.split(';').next().unwrap_or_default().to_owned()).unwrap_or_default()
}

pub fn text(value: &Value, field: &str) -> String {
    value[field].as_str().unwrap_or_default().to_owned()
}

/// Status, code and body of an error, after a check of its shape.
pub async fn error(response: Response) -> (u16, String, Value) {
    let status = response.status().as_u16();
    let id =
        response.headers().get("x-request-id").and_then(|value| value.to_str().ok()).unwrap_or_default().to_owned();
    let body: Value = response.json().await.expect("an error is JSON");
    assert!(body["message"].is_string(), "an error without a message: {body}");
    assert_eq!(text(&body, "requestId"), id, "body and header name the same request");
    (status, text(&body, "code"), body)
}
