//! Resources of the process, and the free space of the data folder's disk.

use std::path::Path;

use rustix::process::{Resource, getrlimit};

use super::exposition::{Exposition, Labels};

/// Memory and CPU time come from `/proc`; without it these two series are left out.
pub fn write(text: &mut Exposition, data: &Path) {
    let alone = |value: Option<f64>| value.map(|value| (Labels::default(), value));
    text.gauge("verdigraph_process_resident_bytes", "memory of this process that is in use", alone(resident()));
    text.counter("verdigraph_process_cpu_seconds_total", "processor time of this process", alone(cpu_seconds()));
    text.gauge("verdigraph_process_open_fds", "files and connections that are open", alone(open_files()));
    let most = getrlimit(Resource::Nofile).current;
    text.gauge("verdigraph_process_max_fds", "files and connections that may be open", alone(most.map(number)));
    let disk = rustix::fs::statvfs(data).ok();
    let bytes = |blocks: u64, of: u64| number(blocks.saturating_mul(of));
    let free = disk.as_ref().map(|disk| bytes(disk.f_bavail, disk.f_frsize));
    text.gauge("verdigraph_disk_free_bytes", "room on the disk of the data folder", alone(free));
    let size = disk.as_ref().map(|disk| bytes(disk.f_blocks, disk.f_frsize));
    text.gauge("verdigraph_disk_size_bytes", "size of the disk of the data folder", alone(size));
}

fn resident() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = text.split_whitespace().nth(1)?.parse().ok()?;
    Some(number(pages.saturating_mul(u64::try_from(rustix::param::page_size()).ok()?)))
}

fn cpu_seconds() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The program's name is in parentheses and may contain spaces.
    let (_, after_name) = text.rsplit_once(')')?;
    let mut fields = after_name.split_whitespace().skip(11);
    let ticks: u64 = fields.next()?.parse::<u64>().ok()?.saturating_add(fields.next()?.parse().ok()?);
    Some(number(ticks) / number(rustix::param::clock_ticks_per_second().max(1)))
}

fn open_files() -> Option<f64> {
    let folder = if cfg!(target_os = "linux") { "/proc/self/fd" } else { "/dev/fd" };
    // The folder itself is open while it is read.
    let open = std::fs::read_dir(folder).ok()?.count().saturating_sub(1);
    Some(number(u64::try_from(open).ok()?))
}

#[expect(clippy::cast_precision_loss, reason = "what a machine has is far below 2^52")]
fn number(value: u64) -> f64 {
    value as f64
}
