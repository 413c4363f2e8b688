//! A webhook receiver on loopback that records deliveries and refuses some.

use std::collections::HashMap;
use std::net::TcpListener;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use actix_web::dev::ServerHandle;
use actix_web::web::{self, Bytes, Data, PayloadConfig};
use actix_web::{App, HttpRequest, HttpResponse, HttpServer};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use hmac::{Hmac, KeyInit as _, Mac as _};
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};
use sha2::Sha256;
use uuid::Uuid;

use crate::error::{Error, Result};
use crate::scenarios::follow::now_us;

/// Which deliveries are refused.
#[derive(Debug, Clone, Copy)]
pub struct RefusalPolicy {
    /// The share of requests answered with 503.
    pub refuses: f64,
    /// Maximum refusals of one event.
    pub most_of_one: usize,
    /// Maximum consecutive refusals: an address that fails too often is paused.
    pub most_in_a_row: usize,
    pub seed: u64,
}

impl RefusalPolicy {
    /// Refuses nothing.
    pub const NONE: Self = Self { refuses: 0.0, most_of_one: 0, most_in_a_row: 0, seed: 0 };
}

/// A running receiver. It stops on drop.
#[derive(Debug)]
pub struct Receiver {
    pub url: String,
    received: Arc<Mutex<ReceivedEvents>>,
    handle: ServerHandle,
}

/// All deliveries.
#[derive(Debug)]
pub struct ReceivedEvents {
    policy: RefusalPolicy,
    random: StdRng,
    /// The secret for signatures; empty until it is known.
    secret: Vec<u8>,
    pub events: HashMap<Uuid, ReceivedEvent>,
    pub arrivals: usize,
    pub refusals: usize,
    /// Times of the first and the last delivery.
    span_us: Option<(i64, i64)>,
    in_a_row: usize,
    /// Requests without a valid signature.
    pub unsigned: usize,
    /// Requests without an event id.
    pub unreadable: usize,
}

/// Deliveries of one event. Positions count all deliveries.
#[derive(Debug, Clone)]
pub struct ReceivedEvent {
    pub body: Bytes,
    pub first: usize,
    pub first_at_us: i64,
    /// The position of the first accepted delivery.
    pub taken: Option<usize>,
    pub arrivals: usize,
    pub refusals: usize,
    /// Deliveries whose body differs from the first one's.
    pub others: usize,
}

impl Receiver {
    /// Listens on a free port of loopback.
    pub fn start(policy: RefusalPolicy) -> Result<Self> {
        let received = Arc::new(Mutex::new(ReceivedEvents::new(policy)));
        let listener = TcpListener::bind(("127.0.0.1", 0)).map_err(Error::doing("the receiver cannot listen"))?;
        let url = format!("http://{}/events", listener.local_addr()?);
        let shared = Data::from(Arc::clone(&received));
        let server = HttpServer::new(move || {
            App::new()
                .app_data(shared.clone())
                .app_data(PayloadConfig::new(1 << 20))
                .route("/events", web::post().to(take))
        });
        let server = server.workers(1).disable_signals().shutdown_timeout(0).listen(listener)?.run();
        let handle = server.handle();
        actix_rt::spawn(server);
        Ok(Self { url, received, handle })
    }

    /// The deliveries so far.
    pub fn received(&self) -> MutexGuard<'_, ReceivedEvents> {
        self.received.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Deliveries per second from the first to the last one.
    pub fn per_second(&self) -> f64 {
        let received = self.received();
        let (first, last) = received.span_us.unwrap_or_default();
        #[expect(clippy::cast_precision_loss, reason = "a run's arrivals and microseconds")]
        let (arrivals, us) = (received.arrivals as f64, (last - first).max(1) as f64);
        arrivals * 1_000_000.0 / us
    }

    /// Verifies signatures with this secret from now on.
    pub fn expect(&self, secret: &str) -> Result<()> {
        let key = secret.strip_prefix("whsec_").and_then(|encoded| BASE64_STANDARD.decode(encoded).ok());
        self.received().secret = key.ok_or_else(|| Error::Other("a webhook's secret cannot be read".to_owned()))?;
        Ok(())
    }
}

impl Drop for Receiver {
    fn drop(&mut self) {
        // Stops in the background.
        drop(self.handle.stop(false));
    }
}

async fn take(request: HttpRequest, body: Bytes, received: Data<Mutex<ReceivedEvents>>) -> HttpResponse {
    let now = now_us();
    let header = |name: &str| request.headers().get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let (id, timestamp, signatures) = (header("webhook-id"), header("webhook-timestamp"), header("webhook-signature"));
    let mut received = received.lock().unwrap_or_else(PoisonError::into_inner);
    let is_signed = is_signed(&received.secret, (id, timestamp, signatures), &body);
    received.unsigned += usize::from(!is_signed);
    match id.parse() {
        Ok(id) if received.note(id, body, now) => HttpResponse::NoContent().finish(),
        Ok(_) => HttpResponse::ServiceUnavailable().finish(),
        Err(_) => {
            received.unreadable += 1;
            HttpResponse::BadRequest().finish()
        }
    }
}

impl ReceivedEvents {
    fn new(policy: RefusalPolicy) -> Self {
        Self {
            policy,
            random: StdRng::seed_from_u64(policy.seed),
            secret: Vec::new(),
            events: HashMap::new(),
            arrivals: 0,
            refusals: 0,
            span_us: None,
            in_a_row: 0,
            unsigned: 0,
            unreadable: 0,
        }
    }

    /// Records a delivery. Returns whether it is accepted.
    fn note(&mut self, id: Uuid, body: Bytes, now_us: i64) -> bool {
        let place = self.arrivals;
        self.arrivals += 1;
        self.span_us = Some((self.span_us.map_or(now_us, |(first, _)| first), now_us));
        let event = self.events.entry(id).or_insert_with(|| ReceivedEvent {
            body: body.clone(),
            first: place,
            first_at_us: now_us,
            taken: None,
            arrivals: 0,
            refusals: 0,
            others: 0,
        });
        event.arrivals += 1;
        event.others += usize::from(event.body != body);
        let RefusalPolicy { refuses, most_of_one, most_in_a_row, .. } = self.policy;
        let refuses = self.random.random_bool(refuses) && event.refusals < most_of_one && self.in_a_row < most_in_a_row;
        if refuses {
            event.refusals += 1;
            self.refusals += 1;
            self.in_a_row += 1;
        } else {
            event.taken.get_or_insert(place);
            self.in_a_row = 0;
        }
        !refuses
    }
}

/// Whether one of the signatures matches id, time and body.
fn is_signed(secret: &[u8], (id, timestamp, signatures): (&str, &str, &str), body: &[u8]) -> bool {
    signatures.split(' ').filter_map(|one| BASE64_STANDARD.decode(one.strip_prefix("v1,")?).ok()).any(|signature| {
        Hmac::<Sha256>::new_from_slice(secret).is_ok_and(|mut mac| {
            mac.update(format!("{id}.{timestamp}.").as_bytes());
            mac.update(body);
            mac.verify_slice(&signature).is_ok()
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signature_matches_the_specification() {
        let secret = BASE64_STANDARD.decode("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").expect("a secret");
        let head =
            ("msg_p5jXN8AQM9LWM0D4loKWxJek", "1614265330", "v1,AAAA v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
        assert!(is_signed(&secret, head, br#"{"test": 2432232314}"#));
        assert!(!is_signed(&secret, head, br#"{"test": 2432232315}"#));
        assert!(!is_signed(&secret, (head.0, "1614265331", head.2), br#"{"test": 2432232314}"#));
        assert!(!is_signed(&secret, (head.0, head.1, ""), br#"{"test": 2432232314}"#));
    }

    #[test]
    fn refusals_are_limited_and_changed_body_is_counted() {
        let policy = RefusalPolicy { refuses: 1.0, most_of_one: 2, most_in_a_row: 9, seed: 1 };
        let mut received = ReceivedEvents::new(policy);
        let id = Uuid::now_v7();
        let mut taken = |body: &'static str| received.note(id, Bytes::from_static(body.as_bytes()), 7);
        assert_eq!([taken("a"), taken("a"), taken("a"), taken("b")], [false, false, true, true]);
        let event = &received.events[&id];
        assert_eq!((event.first, event.taken, event.arrivals, event.others), (0, Some(2), 4, 1));
    }
}
