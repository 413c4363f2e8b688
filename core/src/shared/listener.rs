//! Receives messages over Redis, on one connection for all channels.

use std::sync::Arc;

use bytes::Bytes;
use deadpool_redis::redis;
use deadpool_redis::redis::aio::PubSub;
use futures_util::StreamExt;
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::sync::watch;

use super::Local;
use super::connections::REOPEN_AFTER;

/// The subscriptions of this node: all broadcast channels, and its inboxes.
pub(super) struct RedisListener {
    prefix: String,
    /// New inboxes to subscribe to.
    wanted: UnboundedReceiver<String>,
    inboxes: Vec<String>,
}

impl RedisListener {
    pub fn new(prefix: &str, wanted: UnboundedReceiver<String>) -> Self {
        Self { prefix: prefix.to_owned(), wanted, inboxes: Vec::new() }
    }

    /// Delivers messages to this node's subscribers; reconnects until the task is aborted.
    pub async fn listen(mut self, client: redis::Client, local: Arc<Local>, tell: watch::Sender<bool>) {
        loop {
            if let Ok(connection) = client.get_async_pubsub().await {
                // An error means that the connection broke.
                let _broken = self.hear(connection, &local, &tell).await.is_err();
            }
            tell.send_replace(false);
            tokio::time::sleep(REOPEN_AFTER).await;
        }
    }

    /// Delivers messages of one connection until it breaks.
    async fn hear(&mut self, connection: PubSub, local: &Local, tell: &watch::Sender<bool>) -> redis::RedisResult<()> {
        let (mut wants, mut messages) = connection.split();
        let bus = format!("{}bus:", self.prefix);
        wants.psubscribe(format!("{bus}*")).await?;
        for inbox in &self.inboxes {
            wants.subscribe(format!("{}{inbox}", self.prefix)).await?;
        }
        tell.send_replace(true);
        loop {
            tokio::select! {
                message = messages.next() => {
                    let Some(message) = message else { return Ok(()) };
                    let name = message.get_channel_name();
                    let channel = name.strip_prefix(&bus).or_else(|| name.strip_prefix(&self.prefix));
                    if let Some(channel) = channel {
                        local.deliver(channel, Bytes::copy_from_slice(message.get_payload_bytes()));
                    }
                }
                Some(inbox) = self.wanted.recv() => {
                    let name = format!("{}{inbox}", self.prefix);
                    self.inboxes.push(inbox);
                    wants.subscribe(name).await?;
                }
            }
        }
    }
}
