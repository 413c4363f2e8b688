//! Who gets webhooks: a server on loopback that writes down what arrives, and refuses some of it.

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

/// What is refused, and how often.
#[derive(Debug, Clone, Copy)]
pub struct Manners {
    /// The share of requests that are answered with 503.
    pub refuses: f64,
    /// Refusals of one event, after which it is taken.
    pub most_of_one: usize,
    /// Refusals in a row, after which something is taken: an address that fails too often is left alone for a while.
    pub most_in_a_row: usize,
    pub seed: u64,
}

impl Manners {
    /// Takes everything.
    pub const GOOD: Self = Self { refuses: 0.0, most_of_one: 0, most_in_a_row: 0, seed: 0 };
}

/// A running receiver; it stops with this.
#[derive(Debug)]
pub struct Receiver {
    pub url: String,
    heard: Arc<Mutex<Heard>>,
    handle: ServerHandle,
}

/// All that arrived.
#[derive(Debug)]
pub struct Heard {
    manners: Manners,
    random: StdRng,
    /// What signatures are compared with; empty until it is known.
    secret: Vec<u8>,
    pub events: HashMap<Uuid, Told>,
    pub arrivals: usize,
    pub refusals: usize,
    /// When the first and the last one arrived.
    span_us: Option<(i64, i64)>,
    in_a_row: usize,
    /// Requests without a valid signature of what they say.
    pub unsigned: usize,
    /// Requests that are about no event.
    pub unreadable: usize,
}

/// What arrived of one event. Places count all arrivals.
#[derive(Debug, Clone)]
pub struct Told {
    pub body: Bytes,
    pub first: usize,
    pub first_at_us: i64,
    /// The place of the first arrival that was taken.
    pub taken: Option<usize>,
    pub arrivals: usize,
    pub refusals: usize,
    /// Arrivals with another body than the first one's.
    pub others: usize,
}

impl Receiver {
    /// Listens on a free port of loopback.
    ///
    /// # Errors
    /// It cannot listen.
    pub fn start(manners: Manners) -> Result<Self> {
        let heard = Arc::new(Mutex::new(Heard::new(manners)));
        let listener = TcpListener::bind(("127.0.0.1", 0)).map_err(Error::doing("the receiver cannot listen"))?;
        let url = format!("http://{}/events", listener.local_addr()?);
        let shared = Data::from(Arc::clone(&heard));
        let server = HttpServer::new(move || {
            App::new()
                .app_data(shared.clone())
                .app_data(PayloadConfig::new(1 << 20))
                .route("/events", web::post().to(take))
        });
        let server = server.workers(1).disable_signals().shutdown_timeout(0).listen(listener)?.run();
        let handle = server.handle();
        actix_rt::spawn(server);
        Ok(Self { url, heard, handle })
    }

    /// What arrived by now.
    pub fn heard(&self) -> MutexGuard<'_, Heard> {
        self.heard.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Arrivals a second, from the first to the last one.
    pub fn per_second(&self) -> f64 {
        let heard = self.heard();
        let (first, last) = heard.span_us.unwrap_or_default();
        #[expect(clippy::cast_precision_loss, reason = "a run's arrivals and microseconds")]
        let (arrivals, us) = (heard.arrivals as f64, (last - first).max(1) as f64);
        arrivals * 1_000_000.0 / us
    }

    /// Compares signatures with this secret from now on.
    ///
    /// # Errors
    /// It is no secret of Standard Webhooks.
    pub fn expect(&self, secret: &str) -> Result<()> {
        let key = secret.strip_prefix("whsec_").and_then(|encoded| BASE64_STANDARD.decode(encoded).ok());
        self.heard().secret = key.ok_or_else(|| Error::Other("a webhook's secret cannot be read".to_owned()))?;
        Ok(())
    }
}

impl Drop for Receiver {
    fn drop(&mut self) {
        // Stops without being waited for.
        drop(self.handle.stop(false));
    }
}

async fn take(request: HttpRequest, body: Bytes, heard: Data<Mutex<Heard>>) -> HttpResponse {
    let now = now_us();
    let header = |name: &str| request.headers().get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let (id, timestamp, signatures) = (header("webhook-id"), header("webhook-timestamp"), header("webhook-signature"));
    let mut heard = heard.lock().unwrap_or_else(PoisonError::into_inner);
    let is_signed = is_signed(&heard.secret, (id, timestamp, signatures), &body);
    heard.unsigned += usize::from(!is_signed);
    match id.parse() {
        Ok(id) if heard.note(id, body, now) => HttpResponse::NoContent().finish(),
        Ok(_) => HttpResponse::ServiceUnavailable().finish(),
        Err(_) => {
            heard.unreadable += 1;
            HttpResponse::BadRequest().finish()
        }
    }
}

impl Heard {
    fn new(manners: Manners) -> Self {
        Self {
            manners,
            random: StdRng::seed_from_u64(manners.seed),
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

    /// Writes an arrival down; whether it is taken.
    fn note(&mut self, id: Uuid, body: Bytes, now_us: i64) -> bool {
        let place = self.arrivals;
        self.arrivals += 1;
        self.span_us = Some((self.span_us.map_or(now_us, |(first, _)| first), now_us));
        let told = self.events.entry(id).or_insert_with(|| Told {
            body: body.clone(),
            first: place,
            first_at_us: now_us,
            taken: None,
            arrivals: 0,
            refusals: 0,
            others: 0,
        });
        told.arrivals += 1;
        told.others += usize::from(told.body != body);
        let Manners { refuses, most_of_one, most_in_a_row, .. } = self.manners;
        let refuses = self.random.random_bool(refuses) && told.refusals < most_of_one && self.in_a_row < most_in_a_row;
        if refuses {
            told.refusals += 1;
            self.refusals += 1;
            self.in_a_row += 1;
        } else {
            told.taken.get_or_insert(place);
            self.in_a_row = 0;
        }
        !refuses
    }
}

/// Whether one of the signatures is that of id, time and body.
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
    fn only_what_the_specification_signs_so_is_signed() {
        let secret = BASE64_STANDARD.decode("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").expect("a secret");
        let head =
            ("msg_p5jXN8AQM9LWM0D4loKWxJek", "1614265330", "v1,AAAA v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
        assert!(is_signed(&secret, head, br#"{"test": 2432232314}"#));
        assert!(!is_signed(&secret, head, br#"{"test": 2432232315}"#));
        assert!(!is_signed(&secret, (head.0, "1614265331", head.2), br#"{"test": 2432232314}"#));
        assert!(!is_signed(&secret, (head.0, head.1, ""), br#"{"test": 2432232314}"#));
    }

    #[test]
    fn an_event_is_refused_only_so_often_and_another_body_is_seen() {
        let manners = Manners { refuses: 1.0, most_of_one: 2, most_in_a_row: 9, seed: 1 };
        let mut heard = Heard::new(manners);
        let id = Uuid::now_v7();
        let mut taken = |body: &'static str| heard.note(id, Bytes::from_static(body.as_bytes()), 7);
        assert_eq!([taken("a"), taken("a"), taken("a"), taken("b")], [false, false, true, true]);
        let told = &heard.events[&id];
        assert_eq!((told.first, told.taken, told.arrivals, told.others), (0, Some(2), 4, 1));
    }
}
