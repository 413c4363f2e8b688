//! Mail, password reset, and sign-in through providers, as a browser does it.

use reqwest::{Method, Response};
use serde_json::{Value, json};
use verdigraph_core::testing::providers::TestProviders;
use verdigraph_core::testing::smtp::TestSmtp;
use verdigraph_core::{Caller, users};

use crate::site::{Browser, Site, cookie, error, text};

async fn post(site: &Site, path: &str, body: &Value) -> Response {
    site.send(&Browser::default(), Method::POST, path, body).await
}

async fn with_providers() -> (Site, TestProviders) {
    let providers = TestProviders::start("2026-01-01T00:00:00Z".parse().expect("a time")).await;
    let site = Site::with(|settings| providers.configure(settings)).await;
    (site, providers)
}

/// A PNG of one color.
fn picture() -> Vec<u8> {
    let mut bytes = std::io::Cursor::new(Vec::new());
    let picture = image::RgbImage::from_pixel(64, 64, image::Rgb([10, 200, 30]));
    picture.write_to(&mut bytes, image::ImageFormat::Png).expect("a picture");
    bytes.into_inner()
}

/// Goes to a provider, consents there, and returns with what the page would send.
async fn come_back(site: &Site, providers: &TestProviders, provider: &str, body: Value) -> (Response, String, Value) {
    let started = post(site, &format!("/api/auth/signup/{provider}/start"), &json!({})).await;
    assert_eq!(started.status(), 200);
    let flow = cookie(&started, "vg_flow");
    let header = started.headers().get("set-cookie").unwrap().to_str().unwrap();
    assert!(header.contains("HttpOnly") && header.contains("SameSite=Lax"), "{header}");
    let started: Value = started.json().await.unwrap();
    let url = text(&started, "url");
    let back = format!("redirect_uri=http%3A%2F%2Flocalhost%3A8080%2Flogin%2F{provider}");
    assert!(url.contains(&back), "{url}");
    let back = providers.agree(&url);
    use secrecy::ExposeSecret as _;
    let mut form = json!({ "code": back.code.expose_secret(), "state": back.state });
    for (name, value) in body.as_object().unwrap() {
        form[name] = value.clone();
    }
    let request = site.ask(Method::POST, &format!("/api/auth/signup/{provider}")).json(&form);
    let response = request.header("cookie", format!("vg_flow={flow}")).send().await.unwrap();
    (response, flow, form)
}

#[actix_web::test]
async fn new_user_confirms_the_address_by_mail() {
    let site = Site::start().await;
    let ann = site.person().await;
    let user: Value = site.get(&ann, "/api/auth").await.json().await.unwrap();
    assert_eq!((&user["emailVerified"], &user["hasPassword"]), (&json!(false), &json!(true)));
    assert_eq!(site.send(&ann, Method::POST, "/api/auth/verify-email/resend", &json!({})).await.status(), 202);
    assert_eq!(post(&site, "/api/auth/verify-email/resend", &json!({})).await.status(), 401);
    let code = site.core.code_for(&ann.email).await;
    // The mail is opened on another machine.
    assert_eq!(post(&site, "/api/auth/verify-email", &json!({ "code": code })).await.status(), 204);
    let (status, code, _) = error(post(&site, "/api/auth/verify-email", &json!({ "code": code })).await).await;
    assert_eq!((status, code.as_str()), (422, "AUTH_LINK_INVALID"));
    let user: Value = site.get(&ann, "/api/auth").await.json().await.unwrap();
    assert_eq!(user["emailVerified"], true);
    site.finish().await;
}

#[actix_web::test]
async fn password_reset_does_not_reveal_accounts() {
    let site = Site::start().await;
    let ann = site.person().await;
    let known = post(&site, "/api/auth/password/forgot", &json!({ "email": ann.email })).await;
    let unknown = post(&site, "/api/auth/password/forgot", &json!({ "email": "nobody@example.com" })).await;
    assert_eq!((known.status().as_u16(), unknown.status().as_u16()), (202, 202));
    assert_eq!(known.text().await.unwrap(), unknown.text().await.unwrap());
    let mails = site.core.mails().await;
    assert!(mails.iter().all(|(to, _)| *to == ann.email), "another address got mail");

    let code = site.core.code_for(&ann.email).await;
    let weak = json!({ "code": code, "password": "short" });
    assert_eq!(error(post(&site, "/api/auth/password/reset", &weak).await).await.0, 400);
    let form = json!({ "code": code, "password": "battery staple" });
    let reset = post(&site, "/api/auth/password/reset", &form).await;
    assert_eq!(reset.status(), 200);
    assert!(!cookie(&reset, "vg_session").is_empty(), "the link did not sign in");
    assert_eq!(site.get(&ann, "/api/auth").await.status(), 401, "the old session is over");
    assert_eq!(error(post(&site, "/api/auth/password/reset", &form).await).await.1, "AUTH_LINK_INVALID");
    let login = json!({ "email": ann.email, "password": "battery staple" });
    assert_eq!(post(&site, "/api/auth/login/email-password", &login).await.status(), 200);
    site.finish().await;
}

#[actix_web::test]
async fn configured_providers_are_offered() {
    let site = Site::start().await;
    let options: Value = site.get(&Browser::default(), "/api/public/sign-in-options").await.json().await.unwrap();
    assert_eq!(options, json!({ "google": false, "discord": false }));
    assert_eq!(error(post(&site, "/api/auth/signup/google/start", &json!({})).await).await.0, 404);
    site.finish().await;
    let (site, _) = with_providers().await;
    let options: Value = site.get(&Browser::default(), "/api/public/sign-in-options").await.json().await.unwrap();
    assert_eq!(options, json!({ "google": true, "discord": true }));
    site.finish().await;
}

#[actix_web::test]
async fn google_sign_up_needs_terms_and_copies_the_picture() {
    let (site, providers) = with_providers().await;
    providers.picture(picture());
    providers.person(json!({
        "sub": "1", "email": "ann@example.com", "email_verified": true, "name": "Ann Lee",
        "picture": format!("{}/picture.png", providers.url),
    }));
    let (response, flow, form) = come_back(&site, &providers, "google", json!({})).await;
    let (status, code, _) = error(response).await;
    assert_eq!((status, code.as_str()), (400, "AUTH_TERMS_REQUIRED"));

    let form = json!({ "state": form["state"], "termsAccepted": true, "privacyAccepted": true, "language": "ko" });
    let stolen = post(&site, "/api/auth/signup/google", &form).await;
    assert_eq!(error(stolen).await.1, "AUTH_SOCIAL_EXPIRED", "without the cookie of the browser that left");
    let request = site.ask(Method::POST, "/api/auth/signup/google").json(&form);
    let response = request.header("cookie", format!("vg_flow={flow}")).send().await.unwrap();
    assert_eq!(response.status(), 201);
    assert_eq!(cookie(&response, "vg_flow"), "", "the mark is taken away");
    let ann = Browser {
        email: "ann@example.com".to_owned(),
        session: cookie(&response, "vg_session"),
        xsrf: cookie(&response, "XSRF-TOKEN"),
    };
    let user: Value = response.json().await.unwrap();
    assert_eq!((text(&user, "name").as_str(), text(&user, "language").as_str()), ("Ann Lee", "ko"));
    assert_eq!(user["signInWith"], json!(["Google"]));

    // The picture is copied in the background.
    let portrait = async {
        loop {
            let user: Value = site.get(&ann, "/api/auth").await.json().await.unwrap();
            if user["profile"].is_object() {
                return text(&user["profile"], "thumbnailUrl");
            }
            tokio::task::yield_now().await;
        }
    };
    let portrait = tokio::time::timeout(std::time::Duration::from_secs(20), portrait).await.expect("a picture");
    assert_eq!(site.get(&Browser::default(), &portrait).await.status(), 200, "everybody may see it");

    let login = json!({ "email": "ann@example.com", "password": "correct horse" });
    let (status, code, _) = error(post(&site, "/api/auth/login/email-password", &login).await).await;
    assert_eq!((status, code.as_str()), (409, "AUTH_LINKED_GOOGLE"));
    site.finish().await;
}

#[actix_web::test]
async fn discord_user_signs_up_and_in_again() {
    let (site, providers) = with_providers().await;
    providers.person(json!({ "id": "42", "username": "ann", "email": "ann@example.com", "verified": true }));
    let agreed = json!({ "termsAccepted": true, "privacyAccepted": true });
    let (response, ..) = come_back(&site, &providers, "discord", agreed).await;
    assert_eq!(response.status(), 201);
    let first: Value = response.json().await.unwrap();
    let (response, ..) = come_back(&site, &providers, "discord", json!({})).await;
    assert_eq!(response.status(), 200);
    let second: Value = response.json().await.unwrap();
    assert_eq!(first["_id"], second["_id"]);
    let form = json!({
        "email": "ann@example.com", "password": "correct horse", "name": "Ann", "termsAccepted": true, "privacyAccepted": true,
    });
    assert_eq!(error(post(&site, "/api/auth/signup/email-password", &form).await).await.1, "AUTH_LINKED_DISCORD");
    site.finish().await;
}

#[actix_web::test]
async fn sign_ups_from_one_address_are_rate_limited() {
    let site = Site::with(|settings| settings.sign_in.sign_ups_per_address_per_hour = 1).await;
    site.person().await;
    let form = json!({
        "email": "b@example.com", "password": "correct horse", "name": "Bo", "termsAccepted": true, "privacyAccepted": true,
    });
    let refused = post(&site, "/api/auth/signup/email-password", &form).await;
    assert!(refused.headers()["retry-after"].to_str().unwrap().parse::<u64>().unwrap() > 0);
    assert_eq!(error(refused).await.1, "RATE_LIMITED");
    site.finish().await;
}

#[actix_web::test]
async fn unconfirmed_user_runs_jobs_but_cannot_publish() {
    let site = Site::with(|settings| {
        settings.mail.host = Some("127.0.0.1".to_owned());
        settings.mail.port = 1;
    })
    .await;
    let ann = site.person().await;
    let reach = || async {
        let publish = json!({ "ids": [], "isPrivate": false });
        let comment =
            json!({ "workflow": "0192f0c1-2b3c-7d4e-8f50-123456789abc", "content": "<p>hello</p>", "depth": 0 });
        let graph = json!({ "1": { "class_type": "EmptyImage", "inputs": {} } });
        let workflow = json!({ "name": "public", "prompt": { "output": graph }, "isPrivate": false });
        [
            site.send(&ann, Method::PATCH, "/api/general/output-asset/privates", &publish).await,
            site.send(&ann, Method::PATCH, "/api/general/workflow/privates", &publish).await,
            site.send(&ann, Method::POST, "/api/general/workflow", &workflow).await,
            site.send(&ann, Method::POST, "/api/general/comment", &comment).await,
        ]
    };
    for response in reach().await {
        let (status, code, _) = error(response).await;
        assert_eq!((status, code.as_str()), (422, "AUTH_EMAIL_UNVERIFIED"));
    }
    let hide = json!({ "ids": [], "isPrivate": true });
    assert_eq!(site.send(&ann, Method::PATCH, "/api/general/output-asset/privates", &hide).await.status(), 200);
    let key = site.send(&ann, Method::POST, "/api/general/api-key", &json!({ "name": "script" })).await;
    assert_eq!(key.status(), 201);
    users::confirm(&site.core, &Caller::system(), &ann.email).await.expect("an operator's word");
    let [pictures, workflows, workflow, comment] = reach().await;
    assert_eq!([pictures.status().as_u16(), workflows.status().as_u16(), workflow.status().as_u16()], [200, 200, 400]);
    let bare: serde_json::Value = workflow.json().await.expect("a refusal");
    assert_eq!(bare["details"][0]["field"], "workflowTags", "it has no tag yet, which is now the only trouble");
    assert_eq!(comment.status(), 404, "there is no such workflow, which is now the only trouble");
    site.finish().await;
}

/// A browser's cookie jar: a cookie is sent only below its path.
#[derive(Default)]
struct Jar(Vec<(String, String, String)>);

impl Jar {
    fn take(&mut self, response: &Response) {
        for header in response.headers().get_all("set-cookie") {
            let mut parts = header.to_str().unwrap().split(';').map(str::trim);
            let (name, value) = parts.next().and_then(|pair| pair.split_once('=')).unwrap();
            let path = parts.find_map(|part| part.strip_prefix("Path=")).expect("every cookie of ours has a path");
            self.0.retain(|(own, _, at)| (own.as_str(), at.as_str()) != (name, path));
            if !value.is_empty() {
                self.0.push((name.to_owned(), value.to_owned(), path.to_owned()));
            }
        }
    }

    fn goes_to(&self, path: &str) -> String {
        let fits = |at: &str| {
            path == at || path.strip_prefix(at).is_some_and(|rest| at.ends_with('/') || rest.starts_with('/'))
        };
        let own = self.0.iter().filter(|(_, _, at)| fits(at)).map(|(name, value, _)| format!("{name}={value}"));
        own.collect::<Vec<_>>().join("; ")
    }

    fn xsrf(&self) -> String {
        self.0.iter().find(|(name, ..)| name == "XSRF-TOKEN").map(|(_, value, _)| value.clone()).unwrap_or_default()
    }

    async fn post(&mut self, site: &Site, path: &str, body: &Value) -> Response {
        let request = site.ask(Method::POST, path).header("cookie", self.goes_to(path));
        let response = request.header("x-xsrf-token", self.xsrf()).json(body).send().await.unwrap();
        self.take(&response);
        response
    }
}

#[actix_web::test]
async fn identity_is_connected_with_path_scoped_cookies() {
    use secrecy::ExposeSecret as _;
    let (site, providers) = with_providers().await;
    providers.person(json!({
        "sub": "7", "id": "7", "email": "else@example.com", "email_verified": true, "verified": true, "name": "Ann Lee", "username": "ann",
    }));
    let mut jar = Jar::default();
    let form = json!({
        "email": "ann@example.com", "password": "correct horse", "name": "Ann", "termsAccepted": true, "privacyAccepted": true,
    });
    assert_eq!(jar.post(&site, "/api/auth/signup/email-password", &form).await.status(), 201);
    for (provider, word) in [("google", "Google"), ("discord", "Discord")] {
        let path = format!("/api/auth/me/identity/{provider}");
        let started = jar.post(&site, &format!("{path}/start"), &json!({})).await;
        assert_eq!(started.status(), 200);
        let back = providers.agree(&text(&started.json().await.unwrap(), "url"));
        let form = json!({ "code": back.code.expose_secret(), "state": back.state });
        let connected = jar.post(&site, &path, &form).await;
        let (status, user) = (connected.status().as_u16(), connected.json::<Value>().await.unwrap());
        assert_eq!(status, 200, "{provider} was not connected: {user}");
        assert!(user["signInWith"].as_array().unwrap().contains(&json!(word)), "{user}");
        assert!(!jar.goes_to(&path).contains("vg_flow"), "the mark is taken away");

        let mut elsewhere = Jar::default();
        let started = elsewhere.post(&site, &format!("/api/auth/signup/{provider}/start"), &json!({})).await;
        let back = providers.agree(&text(&started.json().await.unwrap(), "url"));
        let form = json!({ "code": back.code.expose_secret(), "state": back.state });
        let arrived = elsewhere.post(&site, &format!("/api/auth/signup/{provider}"), &form).await;
        assert_eq!(arrived.status(), 200);
        assert_eq!(arrived.json::<Value>().await.unwrap()["_id"], user["_id"]);
    }
    site.finish().await;
}

#[actix_web::test]
async fn sign_up_with_mail_does_not_reveal_accounts() {
    let smtp = TestSmtp::default();
    let port = smtp.start().await;
    let site = Site::with(|settings| TestSmtp::configure(settings, port)).await;
    let known = site.person().await;
    let form = |email: &str| {
        json!({
            "email": email, "password": "correct horse", "name": "Bo", "termsAccepted": true, "privacyAccepted": true,
        })
    };
    let mut answers = Vec::new();
    for email in [known.email.as_str(), "bo@example.com"] {
        let answer = post(&site, "/api/auth/signup/email-password", &form(email)).await;
        assert_eq!((answer.status().as_u16(), cookie(&answer, "vg_session")), (202, String::new()));
        let body: Value = answer.json().await.unwrap();
        assert_eq!(body["email"], email);
        answers.push(body);
    }
    let keys = |body: &Value| body.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!(keys(&answers[0]), keys(&answers[1]));
    let finish = |sign_up: &Value, code: &str| {
        let body = json!({ "signUp": sign_up, "code": code });
        let site = &site;
        async move { post(site, "/api/auth/signup/email-password/code", &body).await }
    };
    for answer in &answers {
        let (status, code, _) = error(finish(&answer["signUp"], "not a code").await).await;
        assert_eq!((status, code.as_str()), (422, "AUTH_CODE_WRONG"));
    }
    site.core.mails().await;
    let mail = smtp.mails_to("bo@example.com").pop().expect("a mail");
    let subject = mail.lines().find_map(|line| line.strip_prefix("Subject: ")).unwrap();
    let made = finish(&answers[1]["signUp"], subject.get(..6).unwrap()).await;
    assert_eq!(made.status(), 201);
    assert!(!cookie(&made, "vg_session").is_empty());
    let user: Value = made.json().await.unwrap();
    assert_eq!((&user["email"], &user["emailVerified"]), (&json!("bo@example.com"), &json!(true)));
    site.finish().await;
}
