//! Connection limits: one for all connections, and one per address, so that a single client cannot block
//! all others.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, PoisonError};

use studio::Bound;

/// Limits of open connections; a WebSocket counts while it is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ConnectionLimits {
    /// All together.
    pub total: usize,
    /// Connections per address; an IPv6 /64 network counts as one address.
    pub per_address: usize,
}

impl Default for ConnectionLimits {
    fn default() -> Self {
        // Three quarters for one address, since a reverse proxy is one address, too; the rest is always
        // available to others.
        Self { total: 16_384, per_address: 12_288 }
    }
}

impl ConnectionLimits {
    /// The same, within what `descriptors`, the files that the process may have open, allow.
    pub fn within(self, descriptors: u64) -> Self {
        /// For databases, listeners, model requests and files.
        const RESERVED: usize = 256;
        let most =
            usize::try_from(descriptors).unwrap_or(usize::MAX).saturating_sub(RESERVED).max(16);
        let total = self.total.min(most);
        let per_address = self.per_address.min(total.div_ceil(4) * 3);
        Self { total, per_address }
    }
}

/// Counts connections.
#[derive(Debug)]
pub(crate) struct Admission {
    limits: ConnectionLimits,
    /// Held to count; never across an await.
    open: Mutex<Open>,
}

#[derive(Debug, Default)]
struct Open {
    total: usize,
    /// Only addresses with connections.
    by_address: HashMap<IpAddr, usize>,
}

/// A rejected connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum AdmissionError {
    /// The limit of all connections is reached.
    #[error("the server has {0} connections open, which is its limit; try again later")]
    Total(usize),
    /// The limit of the address is reached.
    #[error(
        "this address has {0} connections open, which is the limit for one; close some and try again"
    )]
    Address(usize),
}

impl Admission {
    pub(crate) fn new(limits: ConnectionLimits) -> Arc<Self> {
        Arc::new(Self { limits, open: Mutex::default() })
    }

    /// A slot for a connection from `address`.
    pub(crate) fn admit(
        self: &Arc<Self>,
        address: IpAddr,
    ) -> Result<ConnectionPermit, AdmissionError> {
        let address = network_of(address);
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if open.total >= self.limits.total {
            return Err(AdmissionError::Total(self.limits.total));
        }
        open.add(address, self.limits)?;
        open.total += 1;
        let slot = ConnectionSlot { admission: Arc::clone(self), address: Mutex::new(address) };
        Ok(ConnectionPermit(Arc::new(slot)))
    }

    /// The limit of open connections, for operators.
    pub(crate) fn bound(&self) -> Bound {
        Bound { name: "connections", used: self.open() as u64, limit: self.limits.total as u64 }
    }

    /// Open connections.
    pub(crate) fn open(&self) -> usize {
        self.open.lock().unwrap_or_else(PoisonError::into_inner).total
    }
}

/// A slot among the connections of the server; it is freed when all clones are gone.
#[derive(Debug, Clone)]
pub(crate) struct ConnectionPermit(Arc<ConnectionSlot>);

#[derive(Debug)]
struct ConnectionSlot {
    admission: Arc<Admission>,
    /// Locked within the lock of the counts.
    address: Mutex<IpAddr>,
}

impl ConnectionPermit {
    /// Counts the connection for another address from now on: that of the client whose request arrives over it. If
    /// that one has its limit, nothing changes.
    pub(crate) fn count_for(&self, address: IpAddr) -> Result<(), AdmissionError> {
        let ConnectionSlot { admission, address: counted } = &*self.0;
        let address = network_of(address);
        let mut open = admission.open.lock().unwrap_or_else(PoisonError::into_inner);
        let mut counted = counted.lock().unwrap_or_else(PoisonError::into_inner);
        if *counted != address {
            open.add(address, admission.limits)?;
            open.remove(*counted);
            *counted = address;
        }
        Ok(())
    }
}

impl Open {
    /// Counts a connection for an address, but not among all.
    fn add(&mut self, address: IpAddr, limits: ConnectionLimits) -> Result<(), AdmissionError> {
        let count = self.by_address.entry(address).or_default();
        if *count >= limits.per_address {
            return Err(AdmissionError::Address(limits.per_address));
        }
        *count += 1;
        Ok(())
    }

    fn remove(&mut self, address: IpAddr) {
        if let Some(count) = self.by_address.get_mut(&address) {
            *count -= 1;
            if *count == 0 {
                self.by_address.remove(&address);
            }
        }
    }
}

impl Drop for ConnectionSlot {
    fn drop(&mut self) {
        let mut open = self.admission.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.total -= 1;
        open.remove(*self.address.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

/// The address or network to count: an IPv6 client usually has a whole /64 network.
pub(crate) fn network_of(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0).into()
        }
        address => address,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[test]
    fn one_address_cannot_take_all_places() {
        let admission = Admission::new(ConnectionLimits { total: 4, per_address: 3 });
        let greedy: Vec<_> =
            (0..3).map(|_| admission.admit(address("10.0.0.1")).unwrap()).collect();
        assert_eq!(admission.admit(address("10.0.0.1")).unwrap_err(), AdmissionError::Address(3));
        let other = admission.admit(address("10.0.0.2")).unwrap();
        assert_eq!(admission.admit(address("10.0.0.3")).unwrap_err(), AdmissionError::Total(4));
        drop(greedy);
        assert_eq!(admission.open(), 1);
        drop(other.clone());
        assert_eq!(admission.open(), 1, "a clone is the same place");
        drop(other);
        assert_eq!(admission.open(), 0);
        assert!(admission.open.lock().unwrap().by_address.is_empty());
    }

    #[test]
    fn a_connection_that_another_server_brings_counts_for_its_client() {
        let admission = Admission::new(ConnectionLimits { total: 9, per_address: 2 });
        let (server, client) = (address("10.0.0.1"), address("10.9.9.9"));
        let brought: Vec<_> = (0..2).map(|_| admission.admit(server).unwrap()).collect();
        assert!(admission.admit(server).is_err());
        for permit in &brought {
            permit.count_for(client).unwrap();
            permit.count_for(client).unwrap();
        }
        let third = admission.admit(server).unwrap();
        assert_eq!(third.count_for(client), Err(AdmissionError::Address(2)));
        assert_eq!(admission.admit(client).unwrap_err(), AdmissionError::Address(2));
        third.count_for(address("10.9.9.8")).unwrap();
        assert_eq!(admission.open(), 3);
        drop((brought, third));
        assert_eq!(admission.open(), 0);
        assert!(admission.open.lock().unwrap().by_address.is_empty());
    }

    #[test]
    fn addresses_of_one_network_are_one() {
        let admission = Admission::new(ConnectionLimits { total: 4, per_address: 1 });
        let _held = admission.admit(address("2001:db8::1")).unwrap();
        assert!(admission.admit(address("2001:db8::2")).is_err());
        assert!(admission.admit(address("2001:db8:0:1::2")).is_ok());
        let _mapped = admission.admit(address("::ffff:10.0.0.1")).unwrap();
        assert!(admission.admit(address("10.0.0.1")).is_err());
    }

    #[test]
    fn limits_stay_within_the_files_a_process_may_open() {
        let limits = ConnectionLimits::default();
        assert_eq!(limits.within(u64::MAX), limits);
        assert_eq!(limits.within(1_024), ConnectionLimits { total: 768, per_address: 576 });
    }
}
