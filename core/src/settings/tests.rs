use std::path::PathBuf;

use secrecy::ExposeSecret;

use super::{Environment, Settings};

fn file(text: &str) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("own.toml");
    std::fs::write(&path, text).expect("a file");
    (folder, path.display().to_string())
}

fn failure(environment: &Environment) -> String {
    Settings::from_environment(environment).expect_err("settings that are refused").to_string()
}

#[test]
fn defaults_are_complete_and_the_free_plan_pays_ten_minutes_of_a_fast_gpu() {
    let settings = Settings::from_environment(&Environment::default()).expect("defaults");
    assert_eq!(settings.server.port, 8080);
    assert_eq!(settings.limits.upload_bytes, 20_971_520, "the specification's 20 MB");
    assert_eq!(settings.data.folder, PathBuf::from(".data"));
    assert!(settings.database.url.is_none());
    let fast = settings.pool("standard").expect("the fast pool").credits_per_second;
    let free = settings.first_plan().expect("a first plan");
    assert_eq!((free.name.as_str(), free.monthly_credits), ("Free", fast * 600));
    let names: Vec<_> = settings.plans.iter().map(|plan| plan.name.as_str()).collect();
    assert_eq!(names, ["Free", "Basic", "Standard", "Advanced", "Pro"]);
}

#[test]
fn environment_overrides_the_file_and_the_file_the_defaults() {
    let (_folder, path) = file("[server]\nport = 9000\nbase_url = \"https://v.example\"\n[jobs]\nretries = 5\n");
    let settings = Settings::from_environment(&Environment::of([
        ("VERDIGRAPH_CONFIG", path.as_str()),
        ("PORT", "18080"),
        ("DATA", "some/dir"),
        ("DATABASE_URL", "postgres://somebody:secret@db/x"),
        ("VERDIGRAPH_JOBS_LANE_SHARES", "[5, 4, 2]"),
        ("VERDIGRAPH_WORKER_BUILTIN", "false"),
    ]))
    .expect("settings");
    assert_eq!(settings.server.port, 18080);
    assert_eq!(settings.base_url(), "https://v.example");
    assert_eq!(settings.jobs.retries, 5);
    assert_eq!(settings.jobs.lane_shares, [5, 4, 2]);
    assert!(!settings.worker.builtin);
    assert_eq!(settings.storage_folder(), PathBuf::from("some/dir/files"));
    assert_eq!(settings.database.url.as_ref().map(|url| url.expose_secret()), Some("postgres://somebody:secret@db/x"));
    assert!(!format!("{settings:?}").contains("secret@db"), "a password is never printed");
}

#[test]
fn long_variable_name_wins_over_the_short_one() {
    let environment = Environment::of([("PORT", "1"), ("VERDIGRAPH_SERVER_PORT", "2")]);
    assert_eq!(Settings::from_environment(&environment).expect("settings").server.port, 2);
}

#[test]
fn errors_name_the_setting() {
    let chat = |key: &str| format!("[chat]\nplugin_key = \"x\"\nsecret = \"{}\"\n{key}\n", "4629de5d".repeat(8));
    let hosts = chat("hosts = [\"https://a.example; script-src *\"]");
    let script = chat("script_url = \"https://a.example/'unsafe-inline'\"");
    let cases = [
        ("[server]\nprot = 1\n", "server.prot"),
        ("[sever]\nport = 1\n", "sever"),
        ("[server]\nport = \"x\"\n", "server.port"),
        ("[server]\nport = 70000\n", "server.port"),
        ("[server]\nhost = \"nowhere\"\n", "server.host"),
        ("[server]\nbase_url = \"v.example\"\n", "server.base_url"),
        ("[log]\nformat = \"xml\"\n", "log.format"),
        ("[storage]\nkind = \"s3\"\n", "storage.bucket"),
        ("[storage]\nkind = \"tape\"\n", "storage.kind"),
        ("[jobs]\nlane_shares = [1, 2]\n", "jobs.lane_shares"),
        ("[jobs]\nlane_shares = [1, 0, 1]\n", "jobs.lane_shares"),
        ("[jobs]\nretries = -1\n", "jobs.retries"),
        ("[jobs]\nheartbeat_seconds = 20\n", "jobs.lease_seconds"),
        ("[sessions]\ndays = 0\n", "sessions.days"),
        ("[credits]\nflex_percent = 0\n", "credits.flex_percent"),
        ("[credits]\nflex_percent = 101\n", "credits.flex_percent"),
        ("[mail]\ntls = \"maybe\"\n", "mail.tls"),
        ("[mail]\nuser = \"x\"\n", "mail.password"),
        ("[google]\nclient_id = \"x\"\n", "google.client_secret"),
        ("[discord]\nclient_id = \"x\"\n", "discord.client_secret"),
        ("[discord]\nbase_url = \"https://discord.com/\"\n", "discord.base_url"),
        ("[operator]\nname = \" \"\n", "operator.name"),
        ("[operator]\nsupport_desk = \"javascript:alert(1)\"\n", "operator.support_desk"),
        ("[payments]\npaypal_client_id = \"x\"\n", "payments.paypal_client_secret"),
        ("[payments]\npaypal_client_id = \"x\"\npaypal_client_secret = \"y\"\n", "payments.paypal_webhook_id"),
        ("[payments]\ntoss_client_key = \"x\"\n", "payments.toss_secret_key"),
        ("[payments]\ntoss_client_key = \"x\"\ntoss_secret_key = \"y\"\n", "payments.key"),
        ("[payments]\nkey = \"c2hvcnQ=\"\n", "payments.key"),
        ("[payments]\ntoss_script_url = \"https://a.example/'unsafe-inline'\"\n", "payments.toss_script_url"),
        ("[payments]\npaypal_base_url = \"api-m.paypal.com\"\n", "payments.paypal_base_url"),
        ("[chat]\nplugin_key = \"x\"\n", "chat.secret"),
        ("[chat]\nplugin_key = \"x\"\nsecret = \"not hexadecimal, though it is long\"\n", "chat.secret"),
        (hosts.as_str(), "script-src *"),
        (script.as_str(), "unsafe-inline"),
        ("[files]\nplans = \"not-there.toml\"\n", "not-there.toml"),
    ];
    for (text, named) in cases {
        let (_folder, path) = file(text);
        let message = failure(&Environment::of([("VERDIGRAPH_CONFIG", path.as_str())]));
        assert!(message.contains(named), "{text:?} was refused with {message:?}, which does not name {named:?}");
    }
    assert!(failure(&Environment::of([("PORT", "abc")])).contains("PORT (server.port)"));
    assert!(failure(&Environment::of([("VERDIGRAPH_CONFIG", "/not/there.toml")])).contains("/not/there.toml"));
}

#[test]
fn plans_and_workers_need_existing_pools() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("a file");
    write("own.toml", "[files]\nworkers = \"w.toml\"\n");
    let config = folder.path().join("own.toml").display().to_string();
    let environment = Environment::of([("VERDIGRAPH_CONFIG", config.as_str())]);

    write("w.toml", "[[worker]]\nname = \"a\"\nurl = \"http://10.0.0.5:8188\"\npool = \"standard\"\n");
    let settings = Settings::from_environment(&environment).expect("a worker list beside the file");
    assert_eq!(settings.workers.first().map(|worker| worker.name.as_str()), Some("a"));

    write("w.toml", "[[worker]]\nname = \"a\"\nurl = \"http://10.0.0.5:8188\"\npool = \"moon\"\n");
    assert!(failure(&environment).contains("unknown pool `moon`"));
    write("w.toml", "[[worker]]\nname = \"a\"\nurl = \"10.0.0.5\"\npool = \"cpu\"\n");
    assert!(failure(&environment).contains("url must begin"));
    write("w.toml", "[[worker]]\nname = \"a\"\nurl = \"http://x\"\npool = \"cpu\"\ncolour = 1\n");
    assert!(failure(&environment).contains("colour"));
}

#[test]
fn test_payments_are_refused_on_a_public_server() {
    let on = ("VERDIGRAPH_PAYMENTS_TEST_PROVIDER", "true");
    let settings = Settings::from_environment(&Environment::of([on])).expect("settings");
    assert!(settings.payments.test_provider);
    let refused = failure(&Environment::of([on, ("VERDIGRAPH_SERVER_BASE_URL", "https://v.example")]));
    assert!(refused.starts_with("payments.test_provider: "), "{refused}");
}
