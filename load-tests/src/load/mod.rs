//! The load generator: closed-loop clients that send their next request when the previous one was answered.
//!
//! All clients run on the calling thread, so that the generator never uses more than one processor.

mod connection;
mod events;
mod histogram;

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use tokio::task::JoinSet;

pub use connection::{Answer, Connection};
pub use events::follow;
pub use histogram::Histogram;

use crate::error::{Error, Result};

/// Timeout of an answer. Then the connection is closed and its request counts as an error.
const ANSWER_WITHIN: Duration = Duration::from_secs(30);

/// The requests of one connection.
pub trait Requests: 'static {
    /// Writes the next complete request into the empty buffer.
    fn write(&mut self, buffer: &mut Vec<u8>);
}

/// Options of a closed loop.
#[derive(Debug, Clone, Copy)]
pub struct Loop {
    pub address: SocketAddr,
    pub connections: usize,
    /// Requests before the measurement. They count as accepted, but not as measured.
    pub warm_up: Duration,
    pub length: Duration,
    /// Requests per second of all connections together. Latencies count from the scheduled time. `None` sends each
    /// request when the previous one was answered.
    pub pace: Option<f64>,
}

/// The result of a closed loop.
#[derive(Debug, Clone, Default)]
pub struct Outcome {
    /// Latencies of successful answers within the measured time.
    pub latencies: Histogram,
    /// All successful answers, including warm-up and end.
    pub accepted: u64,
    /// Other answers, by status.
    pub refused: std::collections::BTreeMap<u16, u64>,
    /// Requests without an answer. The server may have accepted them.
    pub broken: u64,
    /// Successful answers in each second of the measured time.
    pub per_second: Vec<u64>,
    pub seconds: f64,
}

impl Outcome {
    /// Successful answers per second.
    #[expect(clippy::cast_precision_loss, reason = "counts of a load run")]
    pub fn rate(&self) -> f64 {
        if self.seconds > 0.0 { self.latencies.count() as f64 / self.seconds } else { 0.0 }
    }

    /// Requests without a successful answer.
    pub fn errors(&self) -> u64 {
        self.broken + self.refused.values().sum::<u64>()
    }

    fn merge(&mut self, other: Self) {
        self.latencies.merge(&other.latencies);
        self.accepted += other.accepted;
        self.broken += other.broken;
        for (status, count) in other.refused {
            *self.refused.entry(status).or_default() += count;
        }
        if self.per_second.len() < other.per_second.len() {
            self.per_second.resize(other.per_second.len(), 0);
        }
        for (second, count) in self.per_second.iter_mut().zip(other.per_second) {
            *second += count;
        }
    }
}

impl Loop {
    /// Runs the loop. `requests` makes the requests of each connection. Calls `measure` at the begin and the end of the
    /// measured time, to read processor times.
    pub async fn run<R: Requests>(
        &self,
        mut requests: impl FnMut(usize) -> R,
        mut measure: impl FnMut(),
    ) -> Result<Outcome> {
        let mut connections = Vec::with_capacity(self.connections);
        for number in 0..self.connections {
            let connection = Connection::open(self.address).await.map_err(Error::doing("connecting the generator"))?;
            connections.push((connection, requests(number)));
        }
        let begin = Instant::now() + self.warm_up;
        let window = Window { address: self.address, begin, end: begin + self.length };
        #[expect(clippy::cast_precision_loss, reason = "a number of connections")]
        let every = self.pace.map(|rate| Duration::from_secs_f64(self.connections as f64 / rate.max(0.001)));
        let local = tokio::task::LocalSet::new();
        let mut clients = JoinSet::new();
        for (number, (connection, requests)) in (0..).zip(connections) {
            // Spreads the connections over the first interval.
            let turn = u32::try_from(self.connections).unwrap_or(1).max(1);
            let pace = every.map(|every| Pace { due: Instant::now() + every * number / turn, every });
            clients.spawn_local_on(client(connection, requests, window, pace), &local);
        }
        let all = async {
            let mut outcome = Outcome::default();
            while let Some(done) = clients.join_next().await {
                outcome.merge(done.map_err(|error| Error::Other(format!("a client of the generator: {error}")))?);
            }
            Ok::<_, Error>(outcome)
        };
        let clocks = async {
            tokio::time::sleep_until(window.begin.into()).await;
            measure();
            tokio::time::sleep_until(window.end.into()).await;
            measure();
        };
        let (outcome, ()) = local.run_until(async { tokio::join!(all, clocks) }).await;
        let mut outcome = outcome?;
        outcome.seconds = self.length.as_secs_f64();
        Ok(outcome)
    }
}

#[derive(Debug, Clone, Copy)]
struct Window {
    address: SocketAddr,
    begin: Instant,
    end: Instant,
}

/// Schedules a connection's requests.
#[derive(Debug, Clone, Copy)]
struct Pace {
    due: Instant,
    every: Duration,
}

async fn client(
    mut connection: Connection,
    mut requests: impl Requests,
    window: Window,
    mut pace: Option<Pace>,
) -> Outcome {
    let mut outcome = Outcome::default();
    let mut buffer = Vec::with_capacity(1024);
    loop {
        let sent = match &mut pace {
            Some(Pace { due, every }) => {
                let sent = *due;
                *due += *every;
                tokio::time::sleep_until(sent.into()).await;
                sent
            }
            None => Instant::now(),
        };
        if sent >= window.end {
            return outcome;
        }
        buffer.clear();
        requests.write(&mut buffer);
        let status = match tokio::time::timeout(ANSWER_WITHIN, connection.exchange(&buffer)).await {
            Ok(Ok(answer)) => answer.status,
            Ok(Err(_)) | Err(_) => {
                outcome.broken += 1;
                match Connection::open(window.address).await {
                    Ok(fresh) => connection = fresh,
                    Err(_) => return outcome,
                }
                continue;
            }
        };
        let now = Instant::now();
        if (200..300).contains(&status) {
            outcome.accepted += 1;
            if let Some(since) = now.checked_duration_since(window.begin).filter(|_| now < window.end) {
                outcome.latencies.record(now - sent);
                let second = usize::try_from(since.as_secs()).unwrap_or(0);
                if outcome.per_second.len() <= second {
                    outcome.per_second.resize(second + 1, 0);
                }
                outcome.per_second[second] += 1;
            }
        } else {
            *outcome.refused.entry(status).or_default() += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::net::TcpListener;

    use super::*;

    struct Ping;

    impl Requests for Ping {
        fn write(&mut self, buffer: &mut Vec<u8>) {
            buffer.extend_from_slice(b"GET / HTTP/1.1\r\n\r\n");
        }
    }

    /// Answers every third request with 503 and the others with 201, and counts both.
    async fn server(listener: TcpListener, told: std::rc::Rc<std::cell::Cell<(u64, u64)>>) {
        loop {
            let Ok((mut stream, _)) = listener.accept().await else { return };
            let told = std::rc::Rc::clone(&told);
            tokio::task::spawn_local(async move {
                let mut request = [0; 18];
                while stream.read_exact(&mut request).await.is_ok() {
                    let (good, bad) = told.get();
                    let is_bad = (good + bad) % 3 == 2;
                    told.set(if is_bad { (good, bad + 1) } else { (good + 1, bad) });
                    let status = if is_bad { 503 } else { 201 };
                    let answer = format!("HTTP/1.1 {status} X\r\ncontent-length: 0\r\n\r\n");
                    if stream.write_all(answer.as_bytes()).await.is_err() {
                        return;
                    }
                }
            });
        }
    }

    #[tokio::test]
    async fn every_answer_is_counted_once() {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let told = std::rc::Rc::new(std::cell::Cell::new((0, 0)));
        let local = tokio::task::LocalSet::new();
        local.spawn_local(server(listener, std::rc::Rc::clone(&told)));
        let plan = Loop {
            address,
            connections: 4,
            warm_up: Duration::from_millis(50),
            length: Duration::from_millis(200),
            pace: None,
        };
        let mut measured = 0;
        let outcome = local.run_until(plan.run(|_| Ping, || measured += 1)).await.expect("a run");
        let (good, bad) = told.get();
        assert_eq!((outcome.accepted, outcome.errors(), outcome.broken), (good, bad, 0));
        assert!(good > 0 && bad > 0, "the server was asked");
        assert!(outcome.latencies.count() < good, "the warm-up is not measured");
        assert_eq!(outcome.per_second.iter().sum::<u64>(), outcome.latencies.count());
        assert_eq!(measured, 2, "clocks are read at the begin and at the end");

        let paced = Loop { warm_up: Duration::ZERO, pace: Some(200.0), ..plan };
        let outcome = local.run_until(paced.run(|_| Ping, || ())).await.expect("a run");
        let sent = outcome.accepted + outcome.errors();
        assert!((30..=41).contains(&sent), "{sent} requests in 0.2 s at 200 a second");
    }
}
