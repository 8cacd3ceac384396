//! Where the processes listen.

use std::net::{Ipv4Addr, TcpListener};
use std::path::Path;

use crate::error::{ClusterError, HostsError};

/// More processes than this would spend their time on messages.
pub(crate) const MOST_PROCESSES: usize = 1024;

/// The addresses of all processes, `HOST:PORT` each, by the number of the process.
///
/// ```
/// use tilebase_cluster::Hosts;
///
/// let hosts = Hosts::parse("node1:2049, node2:2049").unwrap();
/// assert_eq!((hosts.len(), hosts.address(1)), (2, "node2:2049"));
/// assert!(Hosts::parse("node1").is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hosts {
    addresses: Vec<String>,
}

impl Hosts {
    /// Reads a list: addresses with commas or white space between them.
    pub fn parse(list: &str) -> Result<Hosts, HostsError> {
        let words = list.split(|c: char| c == ',' || c.is_whitespace());
        let addresses: Vec<String> = words
            .filter(|word| !word.is_empty())
            .map(str::to_owned)
            .collect();
        if addresses.is_empty() || addresses.len() > MOST_PROCESSES {
            return Err(HostsError::Number(addresses.len()));
        }
        for (i, address) in addresses.iter().enumerate() {
            let port = address
                .rsplit_once(':')
                .map(|(host, port)| (host, port.parse::<u16>()));
            if !matches!(port, Some((host, Ok(1..))) if !host.is_empty()) {
                return Err(HostsError::Port(address.clone()));
            }
            if addresses[..i].contains(address) {
                return Err(HostsError::Twice(address.clone()));
            }
        }
        Ok(Hosts { addresses })
    }

    /// Reads a list, or the file that has one: an address a line, `#` begins a comment.
    pub fn read(list_or_file: &str) -> Result<Hosts, HostsError> {
        if !Path::new(list_or_file).is_file() {
            return Hosts::parse(list_or_file);
        }
        let text = std::fs::read_to_string(list_or_file).map_err(|error| HostsError::File {
            path: list_or_file.to_owned(),
            what: error.to_string(),
        })?;
        let lines = text
            .lines()
            .map(|line| line.split('#').next().unwrap_or(""));
        Hosts::parse(&lines.collect::<Vec<_>>().join("\n"))
    }

    /// Addresses for processes on this machine alone, on ports that are free now.
    pub fn on_this_machine(processes: usize) -> Result<Hosts, ClusterError> {
        // All are bound before any is let go, so that no two are the same.
        let bound: Result<Vec<TcpListener>, _> = (0..processes)
            .map(|_| TcpListener::bind((Ipv4Addr::LOCALHOST, 0)))
            .collect();
        let address = |listener: &TcpListener| listener.local_addr().map(|it| it.to_string());
        let addresses: Result<Vec<String>, _> = bound
            .map_err(ClusterError::system)?
            .iter()
            .map(address)
            .collect();
        Ok(Hosts {
            addresses: addresses.map_err(ClusterError::system)?,
        })
    }

    /// The list of a process that is alone.
    pub(crate) fn single() -> Hosts {
        Hosts {
            addresses: vec!["this process".to_owned()],
        }
    }

    /// Number of processes.
    #[allow(clippy::len_without_is_empty, reason = "there is always a process")]
    pub fn len(&self) -> usize {
        self.addresses.len()
    }

    /// The address of a process.
    pub fn address(&self, process: usize) -> &str {
        self.addresses.get(process).map_or("?", String::as_str)
    }

    /// The list, as [`Hosts::parse`] reads it.
    pub fn list(&self) -> String {
        self.addresses.join(",")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_read_and_wrong_ones_refused() {
        let hosts = Hosts::parse("a:1,\n b.example:65535 [::1]:7").unwrap();
        assert_eq!(hosts.list(), "a:1,b.example:65535,[::1]:7");
        assert_eq!(Hosts::parse(" , "), Err(HostsError::Number(0)));
        for wrong in ["a", "a:", ":5", "a:0", "a:65536", "a:x"] {
            assert_eq!(Hosts::parse(wrong), Err(HostsError::Port(wrong.to_owned())));
        }
        assert_eq!(
            Hosts::parse("a:1,b:2,a:1"),
            Err(HostsError::Twice("a:1".to_owned()))
        );
    }

    #[test]
    fn a_file_may_have_comments() {
        let path = std::env::temp_dir().join(format!("tilebase-hosts-{}", std::process::id()));
        std::fs::write(&path, "# ours\nnode1:2049 # the first\n\nnode2:2049\n").unwrap();
        let hosts = Hosts::read(path.to_str().unwrap()).unwrap();
        std::fs::remove_file(&path).unwrap();
        assert_eq!(hosts.list(), "node1:2049,node2:2049");
    }
}
