//! Installations whose operator demands https.

use super::*;

#[actix::test]
async fn http_address_is_refused_and_called_no_more_where_https_is_demanded() {
    let core = TestCore::with(Clock::System, |settings| {
        settings.outbound.private_hosts = vec!["127.0.0.1".to_owned()];
        settings.webhooks.retry_seconds = Vec::new();
    })
    .await;
    let ann = person(&core).await;
    let receiver = Receiver::well().await;
    let (id, _) = hook(&core, &ann, &receiver.url, &[EventKind::JobDone]).await;
    // The operator demands it later.
    let strict = core.another_with("strict", |settings| settings.webhooks.https_only = true);
    let kinds = vec![EventKind::JobDone.name().to_owned()];
    let new = NewConfig { name: "A hook".to_owned(), url: receiver.url.clone(), kinds };
    let refused = create(&strict, &ann, None, new).await;
    assert!(matches!(refused, Err(Error::Refused { code: Code::WebhookUrlRefused, .. })), "{refused:?}");

    events::start(&strict);
    start(&strict);
    happen(&core, &[event(ann.user.expect("ann"), JobId::new(), EventKind::JobDone)]).await;
    let attempts = async || history(&strict, &ann, id, (1, 5), None).await.expect("a page").items;
    until("the attempt is in the history", async || !attempts().await.is_empty()).await;
    let error = attempts().await[0].error.clone();
    // The pages translate this text.
    assert_eq!(error.as_deref(), Some("the address is not allowed: only https is allowed"));
    assert!(receiver.got().is_empty(), "the address was called");
}
