//! Resource usage of processes: processor time, memory, open files. From `/proc` on Linux, otherwise from `ps`.

use std::time::Duration;

/// Usage of a process, or of a process and its children.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Usage {
    /// User and system time since its start, including ended children.
    pub cpu: Duration,
    /// Resident memory.
    pub rss_bytes: u64,
    /// Open files, including sockets; `None` if unknown.
    pub files: Option<u64>,
    /// Open sockets.
    pub sockets: Option<u64>,
    /// The number of processes.
    pub processes: u64,
}

impl Usage {
    /// One process; all zero if it is gone.
    #[must_use]
    pub fn of(pid: u32) -> Self {
        system::of(pid).map(|look| look.usage).unwrap_or_default()
    }

    /// A process and its children, with shared memory counted once: PostgreSQL and its sessions.
    #[must_use]
    pub fn of_family(pid: u32) -> Self {
        let Some(first) = system::of(pid) else { return Self::default() };
        let mut sum = first.usage;
        sum.cpu += first.ended_children;
        sum.rss_bytes = first.usage.rss_bytes.saturating_sub(first.shared_bytes);
        let mut shared = first.shared_bytes;
        for look in system::children(pid).into_iter().filter_map(system::of) {
            sum.cpu += look.usage.cpu;
            sum.rss_bytes += look.usage.rss_bytes.saturating_sub(look.shared_bytes);
            shared = shared.max(look.shared_bytes);
            sum.files = sum.files.zip(look.usage.files).map(|(sum, more)| sum + more);
            sum.sockets = sum.sockets.zip(look.usage.sockets).map(|(sum, more)| sum + more);
            sum.processes += 1;
        }
        sum.rss_bytes += shared;
        sum
    }
}

/// Usage of one process, from the system.
#[derive(Debug, Clone, Copy, Default)]
struct ProcessUsage {
    usage: Usage,
    /// Memory that other processes may share; 0 if unknown.
    shared_bytes: u64,
    /// Time of ended children.
    ended_children: Duration,
}

#[cfg(target_os = "linux")]
mod system {
    use std::fs;
    use std::time::Duration;

    use super::{ProcessUsage, Usage};

    pub(super) fn of(pid: u32) -> Option<ProcessUsage> {
        let (own, ended_children) = times(&fs::read_to_string(format!("/proc/{pid}/stat")).ok()?)?;
        let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
        let descriptors = fs::read_dir(format!("/proc/{pid}/fd")).ok().map(|entries| {
            let links = entries.flatten().filter_map(|entry| fs::read_link(entry.path()).ok());
            links.fold((0, 0), |(files, sockets), link| {
                (files + 1, sockets + u64::from(link.to_string_lossy().starts_with("socket:")))
            })
        });
        let usage = Usage {
            cpu: own,
            rss_bytes: kilobytes(&status, "VmRSS:") * 1024,
            files: descriptors.map(|(files, _)| files),
            sockets: descriptors.map(|(_, sockets)| sockets),
            processes: 1,
        };
        let shared_bytes = (kilobytes(&status, "RssShmem:") + kilobytes(&status, "RssFile:")) * 1024;
        Some(ProcessUsage { usage, shared_bytes, ended_children })
    }

    pub(super) fn children(pid: u32) -> Vec<u32> {
        // Searches all processes for their parent: not every kernel has lists of children.
        let numbers = fs::read_dir("/proc").into_iter().flatten().flatten();
        numbers
            .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
            .filter(|other: &u32| {
                fs::read_to_string(format!("/proc/{other}/stat"))
                    .is_ok_and(|stat| field(&stat, 1) == Some(u64::from(pid)))
            })
            .collect()
    }

    /// A field of `/proc/PID/stat`, counted from 0 after the name, which may contain anything.
    fn field(stat: &str, place: usize) -> Option<u64> {
        stat.rsplit_once(") ")?.1.split_whitespace().nth(place)?.parse().ok()
    }

    fn times(stat: &str) -> Option<(Duration, Duration)> {
        let a_second = rustix::param::clock_ticks_per_second().max(1);
        let time = |user, system| {
            let ticks = field(stat, user)? + field(stat, system)?;
            Some(Duration::from_millis(ticks * 1000 / a_second))
        };
        Some((time(11, 12)?, time(13, 14)?))
    }

    fn kilobytes(status: &str, name: &str) -> u64 {
        let line = status.lines().find_map(|line| line.strip_prefix(name));
        line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    use std::process::Command;

    use super::{ProcessUsage, Usage, seconds};

    pub(super) fn of(pid: u32) -> Option<ProcessUsage> {
        let text = ps(&["-o", "rss=,time=", "-p", &pid.to_string()])?;
        let mut words = text.split_whitespace();
        let rss_bytes = words.next()?.parse::<u64>().ok()? * 1024;
        let cpu = seconds(words.next()?)?;
        Some(ProcessUsage {
            usage: Usage { cpu, rss_bytes, processes: 1, ..Usage::default() },
            ..ProcessUsage::default()
        })
    }

    pub(super) fn children(pid: u32) -> Vec<u32> {
        let list = ps(&["-A", "-o", "pid=,ppid="]).unwrap_or_default();
        list.lines()
            .filter_map(|line| {
                let (child, parent) = line.trim().split_once(char::is_whitespace)?;
                (parent.trim().parse() == Ok(pid)).then(|| child.parse().ok())?
            })
            .collect()
    }

    fn ps(arguments: &[&str]) -> Option<String> {
        let output = Command::new("ps").args(arguments).output().ok()?;
        String::from_utf8(output.stdout).ok()
    }
}

/// Parses `[[days-]hours:]minutes:seconds` of `ps`.
#[cfg(any(test, not(target_os = "linux")))]
fn seconds(time: &str) -> Option<Duration> {
    let (days, rest) = match time.split_once('-') {
        Some((days, rest)) => (days.parse::<f64>().ok()?, rest),
        None => (0.0, time),
    };
    let below_a_day = rest.split(':').try_fold(0.0, |sum, part| Some(sum * 60.0 + part.parse::<f64>().ok()?))?;
    Duration::try_from_secs_f64(days * 86_400.0 + below_a_day).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn busy_process_has_cpu_memory_and_files() {
        let before = Usage::of(std::process::id());
        let file = tempfile::tempfile().expect("a file");
        let socket = std::net::TcpListener::bind(("127.0.0.1", 0)).expect("a socket");
        let mut sum = 0_u64;
        while Usage::of(std::process::id()).cpu < before.cpu + Duration::from_millis(30) {
            sum = (0..1_000_000_u64).fold(sum, |sum, number| sum.wrapping_mul(31).wrapping_add(number));
        }
        assert_ne!(sum, 1);
        let after = Usage::of(std::process::id());
        assert!(after.rss_bytes > 1024 * 1024, "{after:?}");
        if let (Some(files), Some(sockets)) = (after.files, after.sockets) {
            assert!(files > sockets && sockets >= 1, "{after:?}");
        }
        drop((file, socket));
    }

    #[test]
    fn family_usage_includes_children_and_ended_process_is_zero() {
        let mut child = std::process::Command::new("sleep").arg("60").spawn().expect("a child");
        let family = Usage::of_family(std::process::id());
        assert!(family.processes >= 2, "{family:?}");
        let pid = child.id();
        child.kill().expect("a kill");
        child.wait().expect("its end");
        assert_eq!(Usage::of(pid), Usage::default());
    }

    #[test]
    fn ps_times_are_parsed() {
        assert_eq!(seconds("0:01.25"), Some(Duration::from_millis(1250)));
        assert_eq!(seconds("01:02:03"), Some(Duration::from_secs(3723)));
        assert_eq!(seconds("2-00:00:01"), Some(Duration::from_secs(172_801)));
        assert_eq!(seconds("never"), None);
    }
}
