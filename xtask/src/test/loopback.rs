//! Whether clients on this machine reach a firmware through `cargo xtask serve`, each its own replies.

use std::io::Read;
use std::net::{SocketAddr, TcpStream, UdpSocket};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, ensure};

use super::served::Served;
use crate::metadata::{Study, Variant};
use crate::output;

const CLIENTS: u8 = 4;
const ROUNDS: usize = 5;
/// One byte, the study's payload, and the most that fits into a frame.
const PAYLOADS: [usize; 3] = [1, 100, 1_472];
const LARGE: usize = 1_000;
/// A port that no firmware of the study listens on.
const NO_SERVER: u16 = 80;
/// A limit for what hangs, not for what is slow.
const PATIENCE: Duration = Duration::from_secs(60);

/// Serves an image on loopback and talks to it over ordinary sockets.
///
/// # Errors
/// A reply that is not the client's own, or counters that differ from what was sent and received.
pub fn check(xtask: &Path, study: &Study, variant: &Variant, elf: &Path) -> anyhow::Result<()> {
    let serve = |host_port: u16| {
        let mut command = Command::new(xtask);
        command
            .args(["serve", &variant.id, "--no-install", "--elf"])
            .arg(elf);
        command.args(["--udp", &format!("{host_port}:{}", study.echo_port)]);
        command
    };
    let mut command = serve(0);
    command.args(["--tcp", &format!("0:{NO_SERVER}")]);
    let mut served = Served::start(command)?;
    let udp = bound(&served.wait_for("udp ")?)?;
    let tcp = bound(&served.wait_for("tcp ")?)?;
    ensure_refused(serve(udp.port()))?;
    served.wait_for("lease ")?;
    // The firmware has it too, and listens.
    served.wait_for_text("INFO  lease")?;
    ensure_echoed(udp)?;
    ensure_hung_up(tcp)?;
    let summary = served.stop()?;
    let echoes = u64::from(CLIENTS) * (ROUNDS * PAYLOADS.len()) as u64;
    let counted = summary.figures::<3>(&format!("udp port {}", study.echo_port))?;
    let [to_board, back, clients] = counted;
    ensure!(
        to_board == echoes && back == echoes && clients == u64::from(CLIENTS),
        "{echoes} datagrams of {CLIENTS} clients were echoed, but serve counted {counted:?}"
    );
    let [_, _, connections, refused, _] = summary.figures(&format!("tcp port {NO_SERVER}"))?;
    ensure!(
        (connections, refused) == (1, 1),
        "of one connection that the firmware refuses serve counted {connections} and {refused}"
    );
    output::note(&format!(
        "{}: {CLIENTS} clients, {echoes} datagrams to their senders, one TCP connection refused",
        variant.id
    ));
    Ok(())
}

/// The address in `ADDRESS -> board port N`.
fn bound(line: &str) -> anyhow::Result<SocketAddr> {
    let address = line.split(' ').next().unwrap_or_default();
    address
        .parse()
        .with_context(|| format!("what is bound is in no {line:?}"))
}

/// A second server on a port in use says so in one line and ends with status 2.
fn ensure_refused(mut command: Command) -> anyhow::Result<()> {
    let output = command.stdin(Stdio::null()).output()?;
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(
        output.status.code() == Some(2)
            && said.lines().count() == 1
            && said.starts_with("error: cannot bind UDP "),
        "a server on a port in use ended with {} and said {said:?}",
        output.status
    );
    Ok(())
}

/// Every client gets back what it sent, and nothing else.
fn ensure_echoed(server: SocketAddr) -> anyhow::Result<()> {
    let clients = (0..CLIENTS).map(|n| {
        let socket = UdpSocket::bind((server.ip(), 0))?;
        socket.connect(server)?;
        socket.set_read_timeout(Some(PATIENCE))?;
        Ok((n, socket))
    });
    let clients: Vec<(u8, UdpSocket)> = clients.collect::<anyhow::Result<_>>()?;
    for len in PAYLOADS.repeat(ROUNDS) {
        // A datagram of the largest size nearly fills a W5500's socket buffer: those take turns.
        let at_once = if len < LARGE { clients.len() } else { 1 };
        for chunk in clients.chunks(at_once) {
            for (n, client) in chunk {
                client.send(&vec![*n; len])?;
            }
            for (n, client) in chunk {
                ensure_received(client, &vec![*n; len])?;
            }
        }
    }
    Ok(())
}

fn ensure_received(client: &UdpSocket, payload: &[u8]) -> anyhow::Result<()> {
    let mut buffer = [0; 2_000];
    let len = payload.len();
    let received = client.recv(&mut buffer);
    let received = received.with_context(|| format!("no echo of {len} B"))?;
    ensure!(
        buffer[..received] == *payload,
        "a client sent {len} B of {} and got {:?}",
        payload[0],
        &buffer[..received]
    );
    Ok(())
}

/// The other end of a connection that the firmware refuses hangs up without a byte.
fn ensure_hung_up(server: SocketAddr) -> anyhow::Result<()> {
    let mut client = TcpStream::connect(server)?;
    client.set_read_timeout(Some(PATIENCE))?;
    let received = client.read(&mut [0; 1]).context("nobody hangs up")?;
    ensure!(received == 0, "a firmware without TCP sent something");
    Ok(())
}
