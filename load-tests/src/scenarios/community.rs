//! `community`: lists of a large community, at their first page and at their thousandth, through the API and by
//! PostgreSQL alone with the server's statements.

mod lists;
mod walk;

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use chrono::Utc;
use rand::RngExt as _;
use verdigraph_core::ids::UserId;

use super::{Common, address};
use crate::accounts::{AccountFactory, Proof};
use crate::community::{Community, Size, check};
use crate::error::{Error, Result};
use crate::floors::{Measured, pgbench, statements::Recorder};
use crate::load::{Loop, Requests};
use crate::platform::Platform;
use crate::report::{Bar, Panel, Report, Table, short};
use lists::{List, Viewer, lists};

const CONNECTIONS: usize = 16;
/// The page that is compared with the first.
const DEEP: usize = 1000;
/// The page for quick runs, whose lists are short.
const DEEP_QUICK: usize = 2;
/// Maximum ratio of throughput between the two pages of a list.
const APART: f64 = 1.5;
/// Minimum share of the rate of PostgreSQL alone.
const SHARE: f64 = 0.5;
/// The file that describes a kept folder's content.
const NOTE: &str = "community.json";

#[derive(Debug, Clone, clap::Args)]
pub struct Args {
    #[command(flatten)]
    pub common: Common,
    /// Output the filled database in this folder, or use the one that is there
    #[arg(long, value_name = "FOLDER")]
    pub data: Option<PathBuf>,
    /// Measure only lists whose name contains this; nothing is stored
    #[arg(long, value_name = "WORD")]
    pub only: Option<String>,
    /// Fill the folder of --data and exit
    #[arg(long, requires = "data")]
    pub fill: bool,
}

/// The measurement of one page of a list.
struct PageMeasurement {
    number: usize,
    api: Measured,
    alone: f64,
    statements: usize,
}

pub async fn run(args: &Args) -> Result<ExitCode> {
    let common = &args.common;
    common.must_be_own("a community is filled into a database of its own")?;
    let mut shape = common.shape(1)?;
    shape.kept.clone_from(&args.data);
    let mut platform = Platform::start(&shape).await?;
    let size = if common.quick { Size::SMALL } else { Size::WHOLE };
    let (community, filled) = filled(&mut platform, size, common.seed).await?;
    let mut report = Report::new("community", what(&community, filled));
    if filled.is_some() {
        let mut connection = platform.database.connect().await?;
        for finding in check(&mut connection).await? {
            report.bars.push(Bar::equal(finding.promise, u64::try_from(finding.broken).unwrap_or(u64::MAX), 0));
        }
    }
    if !args.fill {
        let wanted = |list: &List| args.only.as_ref().is_none_or(|word| list.name.contains(word.as_str()));
        let lists: Vec<List> = lists(&community).into_iter().filter(wanted).collect();
        let site = Site::of(&platform, &community, common).await?;
        let mut measured = Vec::with_capacity(lists.len());
        for list in lists {
            let pages = site.measure(&list).await?;
            measured.push((list.name, pages));
        }
        report_pages(&mut report, &measured);
    }
    platform.stop().await?;
    let is_whole = args.only.is_none() && !args.fill;
    report.finish(if is_whole { common.output() } else { crate::report::Output::PrintedOnly })
}

fn what(community: &Community, filled: Option<Duration>) -> String {
    let Size { people, workflows, pictures, comments, likes, notifications } = community.size;
    let filled = filled.map_or_else(String::new, |took| format!(" Filled in {} s.", took.as_secs()));
    format!(
        "Lists of 20 among {pictures} pictures, {workflows} workflows, {comments} comments, {likes} likes and \
         {notifications} notifications of {people} people, over {CONNECTIONS} keep-alive connections; and the statements \
         that the server runs for each (read from PostgreSQL's log) by pgbench alone, prepared, over as many connections. \
         Seed {}.{filled}",
        community.seed
    )
}

/// The community in the database, and how long filling it took if it was empty.
async fn filled(platform: &mut Platform, size: Size, seed: Option<u64>) -> Result<(Community, Option<Duration>)> {
    let note = platform.folder().join(NOTE);
    if let Ok(text) = std::fs::read_to_string(&note) {
        let community: Community =
            serde_json::from_str(&text).map_err(|error| Error::Other(format!("{}: {error}", note.display())))?;
        return Ok((community, None));
    }
    let community =
        Community { size, seed: seed.unwrap_or_else(|| u64::from(rand::rng().random::<u32>())), now: Utc::now() };
    println!("filling; seed {}", community.seed);
    let begin = Instant::now();
    platform.server.stop().await?;
    let mut connection = platform.database.connect().await?;
    community.fill(&mut connection).await?;
    platform.server.launch()?;
    platform.server.ready().await?;
    let text = serde_json::to_string(&community).map_err(|error| Error::Other(error.to_string()))?;
    std::fs::write(&note, text)?;
    Ok((community, Some(begin.elapsed())))
}

/// The platform and the credentials for requesting lists.
struct Site<'a> {
    platform: &'a Platform,
    address: SocketAddr,
    folder: &'a Path,
    people: Vec<(Viewer, Proof)>,
    connections: usize,
    length: Duration,
    deep: usize,
}

impl<'a> Site<'a> {
    async fn of(platform: &'a Platform, community: &Community, common: &Common) -> Result<Self> {
        let maker = AccountFactory::new(&platform.database.url, platform.folder())?;
        let mut people = Vec::new();
        for (asker, id) in
            [(Viewer::Studio, community.studio()), (Viewer::Reader, community.reader()), (Viewer::Fan, community.fan())]
        {
            people.push((asker, maker.key_of(UserId(id)).await?));
        }
        maker.close().await;
        Ok(Self {
            platform,
            address: address(&platform.server.url())?,
            folder: platform.folder(),
            people,
            connections: common.connections.unwrap_or(CONNECTIONS),
            length: common.length(if common.quick { 1 } else { 2 }),
            deep: if common.quick { DEEP_QUICK } else { DEEP },
        })
    }

    /// Measures the first page of a list, and its thousandth or last.
    async fn measure(&self, list: &List) -> Result<Vec<PageMeasurement>> {
        let proof = self.people.iter().find(|(asker, _)| *asker == list.asker).map(|(_, proof)| proof);
        let pages = walk::pages(self.address, list, proof, self.deep).await?;
        let mut measured = Vec::with_capacity(pages.len());
        for (number, request) in pages {
            let page = self.page(number, request).await?;
            println!(
                "{}, page {number}: {} a second, p99 {} ms, server {} µs, PostgreSQL {} µs; alone {} a second with {} \
                 statements",
                list.name,
                short(page.api.outcome.rate()),
                short(page.api.outcome.latencies.quantile_ms(0.99)),
                short(page.api.server_us),
                short(page.api.database_us),
                short(page.alone),
                page.statements
            );
            measured.push(page);
        }
        Ok(measured)
    }

    async fn page(&self, number: usize, request: Vec<u8>) -> Result<PageMeasurement> {
        let plan = Loop {
            address: self.address,
            connections: self.connections,
            warm_up: Duration::from_millis(300),
            length: self.length,
            pace: None,
        };
        let (mut server, mut database) = (Vec::new(), Vec::new());
        let looks = || {
            server.push(self.platform.server.usage());
            database.push(self.platform.database.usage());
        };
        let outcome = plan.run(|_| RepeatedRequest(request.clone()), looks).await?;
        if outcome.errors() > 0 {
            return Err(Error::Other(format!("a list was refused: {:?}", outcome.refused)));
        }
        let mut recorder = Recorder::begin(&self.platform.database).await?;
        let mut connection = crate::load::Connection::open(self.address).await?;
        let statements = recorder
            .record(async || {
                connection.exchange(&request).await?;
                Ok(())
            })
            .await?;
        recorder.end().await?;
        if statements.is_empty() {
            return Err(Error::Other("the server sent no statements for a list".to_owned()));
        }
        let alone =
            pgbench::rate(&self.platform.database, &statements, self.connections, self.length, self.folder).await?;
        let api = Measured::new(outcome, &server, &database);
        Ok(PageMeasurement { number, api, alone, statements: statements.len() })
    }
}

/// Repeats the same request.
struct RepeatedRequest(Vec<u8>);

impl Requests for RepeatedRequest {
    fn write(&mut self, buffer: &mut Vec<u8>) {
        buffer.extend_from_slice(&self.0);
    }
}

/// Adds the measurements to the report.
fn report_pages(report: &mut Report, measured: &[(&'static str, Vec<PageMeasurement>)]) {
    let mut table = Table::new(&[
        "list",
        "page",
        "per s",
        "p50 ms",
        "p99 ms",
        "server µs",
        "PostgreSQL µs",
        "statements",
        "pgbench per s",
        "share",
    ]);
    let (mut rates, mut shares) = (Vec::new(), Vec::new());
    for (name, pages) in measured {
        let share = |page: &PageMeasurement| page.api.outcome.rate() / page.alone.max(0.001);
        for page in pages {
            table.row([
                (*name).to_owned(),
                page.number.to_string(),
                short(page.api.outcome.rate()),
                short(page.api.outcome.latencies.quantile_ms(0.5)),
                short(page.api.outcome.latencies.quantile_ms(0.99)),
                short(page.api.server_us),
                short(page.api.database_us),
                page.statements.to_string(),
                short(page.alone),
                short(share(page)),
            ]);
        }
        let (slow, fast) = pages
            .iter()
            .map(|page| page.api.outcome.rate())
            .fold((f64::MAX, 0.0), |(slow, fast), rate| (rate.min(slow), rate.max(fast)));
        if let [_, deep, ..] = pages.as_slice() {
            let what = format!("{name}: page 1 and page {} apart", deep.number);
            report.bars.push(Bar::below(what, fast / slow.max(0.001), APART, "×"));
        }
        let least = pages.iter().map(share).fold(f64::MAX, f64::min);
        report.bars.push(Bar::at_least(format!("{name}: share of PostgreSQL alone"), least, SHARE, "×"));
        if let Some(first) = pages.first() {
            rates.push(((*name).to_owned(), first.api.outcome.rate()));
        }
        shares.push(((*name).to_owned(), least));
    }
    report.tables.push(table);
    report.panels.push(Panel::Bars {
        title: "page 1, requests a second".to_owned(),
        unit: "/s".to_owned(),
        bars: rates,
    });
    report.panels.push(Panel::Bars {
        title: "share of PostgreSQL alone, the lesser of both pages".to_owned(),
        unit: "×".to_owned(),
        bars: shares,
    });
}
