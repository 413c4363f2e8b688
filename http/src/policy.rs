//! Content security policies of responses.

use actix_web::http::Uri;
use actix_web::http::header::HeaderValue;
use verdigraph_core::settings::Settings;

/// Policy of a stored file opened as a page: it may do nothing.
pub const MEDIA: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; sandbox",
);

/// Policy of JSON opened as a page: it may do nothing.
pub const DATA: HeaderValue = HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'");

/// Browsers use only HTTPS for a year. Other host names of the domain are not affected.
pub const HTTPS_ONLY: HeaderValue = HeaderValue::from_static("max-age=31536000");

/// Policy of the app's pages. Inline styles are allowed because the UI library writes them at run time. Allowed foreign
/// hosts are the community videos' player, on its host without cookies, and the support chat and the payment window if they
/// are configured. The preview of a 3D model reads the textures in its file through `blob:` URLs.
#[must_use]
pub fn pages(settings: &Settings) -> HeaderValue {
    let Chat { script, hosts } = Chat::of(settings);
    let toss = toss_origin(settings);
    let policy = format!(
        "default-src 'self'; script-src 'self'{script}{toss}{hosts}; style-src 'self' 'unsafe-inline'{hosts}; \
         img-src 'self' data: blob:{hosts}; media-src 'self' blob:{hosts}; connect-src 'self' blob:{toss}{hosts}; \
         font-src 'self' data:{hosts}; object-src 'none'; \
         frame-src 'self' https://www.youtube-nocookie.com{toss}{hosts}; \
         base-uri 'none'; form-action 'self'; frame-ancestors 'self'"
    );
    // The settings check the hosts. If the text is still not a header value, nothing is allowed.
    HeaderValue::from_str(&policy).unwrap_or(DATA)
}

/// Policy of the node editor's files: everything from this site, and the page's own inline scripts, which their hashes
/// (`sha256-…`) name. It may load WebAssembly and start workers.
#[must_use]
pub fn editor(inline_scripts: &[String]) -> HeaderValue {
    let is_hash = |text: &&String| {
        let digits = text.strip_prefix("sha256-");
        digits.is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+/=".contains(&byte)))
    };
    let hashes: String = inline_scripts.iter().filter(is_hash).map(|hash| format!(" '{hash}'")).collect();
    let policy = format!(
        "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'{hashes}; style-src 'self' 'unsafe-inline'; \
         img-src 'self' data: blob:; media-src 'self' data: blob:; font-src 'self' data:; \
         connect-src 'self' data: blob:; worker-src 'self' blob:; frame-src 'none'; object-src 'none'; \
         base-uri 'self'; form-action 'self'; frame-ancestors 'self'"
    );
    HeaderValue::from_str(&policy).unwrap_or(DATA)
}

/// The host of the script that opens the window for cards, after a space; empty without that provider.
fn toss_origin(settings: &Settings) -> String {
    let payments = &settings.payments;
    let url = payments.toss_client_key.as_ref().and_then(|_| payments.toss_script_url.parse::<Uri>().ok());
    let origin = url.and_then(|url| Some(format!(" {}://{}", url.scheme_str()?, url.authority()?)));
    origin.unwrap_or_default()
}

/// The chat's sources, each after a space; empty without a chat.
#[derive(Default)]
struct Chat {
    script: String,
    hosts: String,
}

impl Chat {
    fn of(settings: &Settings) -> Self {
        let chat = &settings.chat;
        if chat.plugin_key.is_none() {
            return Self::default();
        }
        let hosts = chat.hosts.iter().map(|host| format!(" {host}")).collect();
        Self { script: format!(" {}", chat.script_url), hosts }
    }
}

#[cfg(test)]
mod tests {
    use verdigraph_core::settings::{Environment, Settings};

    use super::*;

    fn settings(given: &[(&str, &str)]) -> Settings {
        Settings::from_environment(&Environment::of(given.iter().copied())).expect("settings")
    }

    fn sources<'a>(policy: &'a HeaderValue, directive: &str) -> Vec<&'a str> {
        let text = policy.to_str().expect("text");
        let found = text.split("; ").find_map(|part| part.strip_prefix(directive)).expect("the directive");
        found.split_whitespace().collect()
    }

    #[test]
    fn no_foreign_script_is_allowed_without_a_chat() {
        let policy = pages(&settings(&[]));
        assert_eq!(sources(&policy, "script-src "), ["'self'"]);
        assert_eq!(sources(&policy, "connect-src "), ["'self'", "blob:"]);
        assert!(!policy.to_str().expect("text").contains("channel.io"));
    }

    #[test]
    fn configured_payment_window_adds_the_host_of_its_script() {
        let key = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";
        let policy = pages(&settings(&[
            ("VERDIGRAPH_PAYMENTS_TOSS_CLIENT_KEY", "test_ck"),
            ("VERDIGRAPH_PAYMENTS_TOSS_SECRET_KEY", "test_sk"),
            ("VERDIGRAPH_PAYMENTS_KEY", key),
        ]));
        let host = "https://js.tosspayments.com";
        assert_eq!(sources(&policy, "script-src "), ["'self'", host]);
        assert_eq!(sources(&policy, "connect-src "), ["'self'", "blob:", host]);
        assert!(!pages(&settings(&[])).to_str().expect("text").contains("toss"));
    }

    #[test]
    fn policy_of_the_editor_names_its_inline_scripts() {
        let policy = editor(&["sha256-a+b/c=".to_owned(), "sha256-x'; script-src *".to_owned(), "*".to_owned()]);
        assert_eq!(sources(&policy, "script-src "), ["'self'", "'wasm-unsafe-eval'", "'sha256-a+b/c='"]);
        assert_eq!(sources(&policy, "frame-ancestors "), ["'self'"]);
    }

    #[test]
    fn a_configured_chat_adds_its_hosts_and_nothing_else() {
        let secret = "4629de5def93d6a2abea6afa9bd5476d9c6cbc04223f9a2f7e517b535dde3e25";
        let policy = pages(&settings(&[("VERDIGRAPH_CHAT_PLUGIN_KEY", "k"), ("VERDIGRAPH_CHAT_SECRET", secret)]));
        let script = "https://cdn.channel.io/plugin/ch-plugin-web.js";
        assert_eq!(sources(&policy, "script-src "), ["'self'", script, "https://*.channel.io", "wss://*.channel.io"]);
        assert_eq!(sources(&policy, "connect-src "), ["'self'", "blob:", "https://*.channel.io", "wss://*.channel.io"]);
        assert!(sources(&policy, "frame-src ").contains(&"https://www.youtube-nocookie.com"));
        assert_eq!(sources(&policy, "object-src "), ["'none'"]);
        assert!(!policy.to_str().expect("text").contains(secret));
    }
}
