//! The socket the server listens on.

use std::io;
use std::net::SocketAddr;

use tokio::net::{TcpListener, TcpSocket, TcpStream};

/// Bytes the system holds for a client that does not read; Linux takes twice as much. Without a limit it
/// holds some megabytes, and a viewer that has stalled is noticed a minute late: its picture refines
/// meanwhile, which takes memory. Over a round trip of 100 ms it allows 5 MB/s.
const SEND_BUFFER: u32 = 256 * 1024;
/// Bytes that the system takes before the network has sent those before them. Frames wait here instead, where the
/// newest replaces the others, and a viewer that reads nothing is noticed as soon as its own buffer is full.
#[cfg(any(target_os = "linux", target_os = "android"))]
const UNSENT: u32 = 32 * 1024;
/// Connections that wait to be accepted: after a restart all clients come at once.
const BACKLOG: u32 = 4_096;

/// Listens on `addr`. Connections inherit the size of the buffer.
pub(crate) fn listen(addr: SocketAddr) -> io::Result<TcpListener> {
    let socket = if addr.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
    // A server that is started again takes its address while old connections end. Elsewhere than on Unix
    // this would let two servers share an address.
    #[cfg(unix)]
    socket.set_reuseaddr(true)?;
    socket.set_send_buffer_size(SEND_BUFFER)?;
    socket.bind(addr)?;
    socket.listen(BACKLOG)
}

/// Sets up a connection: small messages are sent at once, and few wait in the system. What cannot be set is as the
/// system has it.
pub(crate) fn tune(stream: &TcpStream) {
    let _ = stream.set_nodelay(true);
    #[cfg(any(target_os = "linux", target_os = "android"))]
    let _ = socket2::SockRef::from(stream).set_tcp_notsent_lowat(UNSENT);
}
