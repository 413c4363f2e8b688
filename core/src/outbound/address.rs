use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Whether an address belongs to the public internet.
#[must_use]
pub fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    !matches!(
        (a, b, c),
        (0 | 10 | 127, _, _)           // this network, private, loopback
        | (100, 64..=127, _)           // shared by providers
        | (169, 254, _)                // link local, including cloud metadata services
        | (172, 16..=31, _)            // private
        | (192, 0, 0 | 2)              // protocol assignments, documentation
        | (192, 88, 99)                // 6to4 relays
        | (192, 168, _)                // private
        | (198, 18..=19, _)            // benchmarks
        | (198, 51, 100)               // documentation
        | (203, 0, 113)                // documentation
        | (224..=255, _, _) // multicast, reserved, broadcast
    )
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    if let Some(inner) = embedded_v4(address) {
        return is_public_v4(inner);
    }
    let [a, b, _, _, e, f, g, h] = address.segments();
    match (a, b) {
        // Teredo, benchmarks, ORCHID and other assignments; documentation twice.
        (0x2001, 0x0000..=0x01ff | 0x0db8) | (0x3fff, 0x0000..=0x0fff) => false,
        // Only 2000::/3 is allocated. ISATAP embeds an IPv4 address after 0:5efe.
        (0x2000..=0x3fff, _) => !matches!((e, f), (0x0000 | 0x0200, 0x5efe)) || is_public_v4(v4(g, h)),
        _ => false,
    }
}

/// The IPv4 address embedded in an IPv6 address: mapped (`::ffff:0:0/96`), translated (`::ffff:0:0:0/96`, NAT64
/// `64:ff9b::/96`), and 6to4 (`2002::/16`). All other addresses of `::/8`, and local NAT64, are refused.
fn embedded_v4(address: Ipv6Addr) -> Option<Ipv4Addr> {
    match address.segments() {
        [0, 0, 0, 0, 0, 0xffff, g, h] | [0, 0, 0, 0, 0xffff, 0, g, h] | [0x0064, 0xff9b, 0, 0, 0, 0, g, h] => {
            Some(v4(g, h))
        }
        [0x2002, g, h, ..] => Some(v4(g, h)),
        _ => None,
    }
}

fn v4(high: u16, low: u16) -> Ipv4Addr {
    let ([a, b], [c, d]) = (high.to_be_bytes(), low.to_be_bytes());
    Ipv4Addr::new(a, b, c, d)
}
