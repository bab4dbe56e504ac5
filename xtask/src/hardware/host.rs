//! What the host says of itself and of its end of the network.

use std::fs;
use std::net::{Ipv4Addr, SocketAddr, SocketAddrV4, UdpSocket};
use std::path::Path;

use anyhow::{Context, bail};

use crate::results::LinkMode;
use crate::results::hardware::{Host, NetworkPath};

/// The host that this program runs on.
pub fn host() -> Host {
    let release = read("/etc/os-release");
    let cpuinfo = read("/proc/cpuinfo");
    let processors = std::thread::available_parallelism();
    Host {
        os: release
            .and_then(|text| value_of(&text, "PRETTY_NAME="))
            .unwrap_or_else(|| std::env::consts::OS.to_owned()),
        kernel: read("/proc/sys/kernel/osrelease"),
        processor: cpuinfo.and_then(|text| value_of(&text, "model name")),
        logical_processors: processors.ok().map(|count| count.get() as u64),
    }
}

/// The host's end of the path to `board`.
///
/// # Errors
/// When there is no route to it.
pub fn path_to(board: SocketAddrV4) -> anyhow::Result<NetworkPath> {
    let local_address = local_address(board).with_context(|| format!("no route to {board}"))?;
    let interface = interface_of(local_address);
    let folder = interface
        .as_deref()
        .map(|name| Path::new("/sys/class/net").join(name));
    let driver = folder.as_deref().and_then(|folder| {
        let driver = fs::canonicalize(folder.join("device/driver")).ok()?;
        Some(driver.file_name()?.to_string_lossy().into_owned())
    });
    Ok(NetworkPath {
        local_address,
        driver,
        link_mode: folder.as_deref().and_then(link_mode),
        interface,
    })
}

fn local_address(board: SocketAddrV4) -> anyhow::Result<Ipv4Addr> {
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0))?;
    socket.connect(board)?;
    match socket.local_addr()? {
        SocketAddr::V4(local) => Ok(*local.ip()),
        SocketAddr::V6(_) => bail!("an IPv6 address"),
    }
}

#[cfg(target_os = "linux")]
fn interface_of(address: Ipv4Addr) -> Option<String> {
    let interfaces = nix::ifaddrs::getifaddrs().ok()?;
    let mut interfaces = interfaces.filter(|interface| {
        let of_interface = interface.address.as_ref();
        let of_interface = of_interface.and_then(|address| address.as_sockaddr_in());
        of_interface.is_some_and(|of_interface| of_interface.ip() == address)
    });
    interfaces.next().map(|interface| interface.interface_name)
}

#[cfg(not(target_os = "linux"))]
fn interface_of(_address: Ipv4Addr) -> Option<String> {
    None
}

/// What the link of the interface with this folder in sysfs runs at.
fn link_mode(folder: &Path) -> Option<LinkMode> {
    Some(LinkMode {
        speed_mbit_per_s: read(folder.join("speed"))?.parse().ok()?,
        full_duplex: match read(folder.join("duplex"))?.as_str() {
            "full" => true,
            "half" => false,
            _ => return None,
        },
    })
}

/// The content of a small file without its line end.
fn read(path: impl AsRef<Path>) -> Option<String> {
    let text = fs::read_to_string(path).ok()?;
    Some(text.trim_end().to_owned())
}

/// What follows `name` on its line, without punctuation around it.
fn value_of(text: &str, name: &str) -> Option<String> {
    let value = text.lines().find_map(|line| line.strip_prefix(name))?;
    let value = value.trim_matches(|letter: char| letter.is_whitespace() || ":\"".contains(letter));
    Some(value.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_from_the_formats_of_the_system() {
        let release = "NAME=\"Debian\"\nPRETTY_NAME=\"Debian GNU/Linux 12\"\n";
        let name = value_of(release, "PRETTY_NAME=");
        assert_eq!(name.as_deref(), Some("Debian GNU/Linux 12"));
        let cpuinfo = "processor\t: 0\nmodel name\t: A Processor @ 2.10GHz\n";
        let model = value_of(cpuinfo, "model name");
        assert_eq!(model.as_deref(), Some("A Processor @ 2.10GHz"));
        assert_eq!(value_of(cpuinfo, "absent"), None);
    }

    #[test]
    fn an_interface_without_a_speed_has_no_link_mode() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name, text| fs::write(folder.path().join(name), text).unwrap();
        assert_eq!(link_mode(folder.path()), None);
        write("speed", "100\n");
        write("duplex", "half\n");
        let half = LinkMode {
            speed_mbit_per_s: 100,
            full_duplex: false,
        };
        assert_eq!(link_mode(folder.path()), Some(half));
        write("duplex", "unknown\n");
        assert_eq!(link_mode(folder.path()), None);
        write("duplex", "full\n");
        write("speed", "-1\n");
        assert_eq!(link_mode(folder.path()), None);
    }

    #[test]
    fn loopback_is_reached_from_loopback() {
        let path = path_to(SocketAddrV4::new(Ipv4Addr::LOCALHOST, 7)).unwrap();
        assert_eq!(path.local_address, Ipv4Addr::LOCALHOST);
        assert_eq!(path.link_mode, None);
        if cfg!(target_os = "linux") {
            assert_eq!(path.interface.as_deref(), Some("lo"));
        }
    }
}
