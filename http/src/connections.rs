//! Counts the node's open connections. A connection beyond the limit is refused at once instead of waiting in the
//! backlog.

use std::any::Any;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use actix_web::dev::Extensions;

/// The node's open connections.
#[derive(Debug)]
pub struct Connections {
    open: AtomicUsize,
    limit: usize,
}

/// One open connection.
#[derive(Debug)]
pub struct Connection {
    all: Arc<Connections>,
    /// Whether it is within the limit; requests on the others are refused.
    pub admitted: bool,
}

impl Connections {
    /// Starts with none open.
    #[must_use]
    pub fn new(limit: usize) -> Self {
        Self { open: AtomicUsize::new(0), limit }
    }

    /// Open connections.
    #[must_use]
    pub fn count(&self) -> usize {
        self.open.load(Ordering::Relaxed)
    }

    /// The most connections that may be open.
    #[must_use]
    pub fn limit(&self) -> usize {
        self.limit
    }

    fn open(self: &Arc<Self>) -> Connection {
        let before = self.open.fetch_add(1, Ordering::Relaxed);
        Connection { all: Arc::clone(self), admitted: before < self.limit }
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.all.open.fetch_sub(1, Ordering::Relaxed);
    }
}

/// The HTTP server calls this for every new connection.
pub fn counted(connections: Arc<Connections>) -> impl Fn(&dyn Any, &mut Extensions) + Send + Sync + 'static {
    move |_, extensions| drop(extensions.insert(connections.open()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connection_beyond_the_limit_is_refused_until_another_closes() {
        let connections = Arc::new(Connections::new(1));
        let first = connections.open();
        assert!(first.admitted);
        assert!(!connections.open().admitted, "and dropping it makes no room for more than there is");
        drop(first);
        assert!(connections.open().admitted);
        assert_eq!(connections.count(), 0);
    }
}
