//! Endpoints without the loop that starts them.

use std::time::Duration;

use super::endpoint::{CheckDue, Endpoint};
use super::permits::AttemptPermits;
use crate::supervision::Part;
use crate::testing::TestCore;
use crate::webhooks::{NewConfig, create};
use crate::{Caller, database, users};

#[actix::test]
async fn delivery_that_is_queued_while_an_endpoint_ends_wakes_the_loop() {
    let core = TestCore::new().await;
    let ann = Caller::customer(users::factory::user().insert(&core.db).await);
    let (name, url) = ("A hook".to_owned(), "https://example.com/".to_owned());
    let new = NewConfig { name, url, kinds: vec!["job.done".to_owned()] };
    let (config, _) = create(&core, &ann, None, new).await.expect("a webhook");
    let lease = "UPDATE webhook_configs SET lease_node = $1, lease_until = now() + interval '1 minute'";
    sqlx::query(lease).bind(core.node.0).execute(&core.db).await.expect("a lease");

    // Nothing is due, and the endpoint cannot return its lease before this ends.
    let mut tx = database::begin(&core.db).await.expect("a transaction");
    sqlx::query("SELECT 1 FROM webhook_configs FOR UPDATE").execute(&mut *tx).await.expect("a lock");
    let make = |watch| Endpoint::new(core.core.clone(), config.id, AttemptPermits::default(), watch);
    let endpoint = core.supervisor.start_once(Part::Endpoint, make, || ());
    core.database.wait_for_locks(1).await;
    endpoint.do_send(CheckDue);
    tx.commit().await.expect("a commit");
    let woken = core.webhooks.wake_up.notified();
    tokio::time::timeout(Duration::from_secs(10), woken).await.expect("the delivery waits for the next look");
}
