// The network of a client. Limits apply to networks, because the owner of an IPv6 address has at least 2^64 addresses.
import ipaddr from 'ipaddr.js';

/** The smallest IPv6 network of a machine or home, and what most providers assign to a customer (RFC 6177). */
const MACHINE = 64;
const SITE = 56;

/** The IP address without its zone; an IPv4-mapped IPv6 address becomes IPv4. Null for an invalid address. */
function parsed(address: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  const plain = address.replace(/%.*$/s, '');
  return ipaddr.isValid(plain) ? ipaddr.process(plain) : null;
}

function ipv6Network(address: string, bits: number): string | null {
  const found = parsed(address);
  if (found?.kind() !== 'ipv6') return null;
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${found.toString()}/${bits}`).toString()}/${bits}`;
}

/** The /64 of an IPv6 address, or the IPv4 address itself. */
export const networkOf = (address: string): string => ipv6Network(address, MACHINE) ?? parsed(address)?.toString() ?? address;

/** The /56 of an IPv6 address; null for IPv4. */
export const siteOf = (address: string): string | null => ipv6Network(address, SITE);

const REFUSALS_OF_ABUSE = 10;
const QUARTER_HOUR = 15 * 60_000;
const MOST_SITES = 10_000;

export interface NetworkKeys {
  /** The network whose queue or count the client shares: after repeated refusals, the whole /56. */
  readonly keyOf: (address: string) => string;
  readonly countRefusal: (address: string) => void;
}

/** Remembers in this process the /56 networks whose clients were repeatedly refused within 15 minutes. */
export function createNetworkKeys(now: () => number = Date.now): NetworkKeys {
  const refusals = new Map<string, { count: number; until: number }>();
  const liveRefusals = (site: string) => {
    const found = refusals.get(site);
    return found && found.until > now() ? found : null;
  };
  return {
    keyOf(address) {
      const site = siteOf(address);
      return site !== null && (liveRefusals(site)?.count ?? 0) >= REFUSALS_OF_ABUSE ? site : networkOf(address);
    },
    countRefusal(address) {
      const site = siteOf(address);
      if (site === null) return;
      const { count } = liveRefusals(site) ?? { count: 0 };
      // Moves the /56 to the end of the map, so that the least recently refused one is removed first.
      refusals.delete(site);
      refusals.set(site, { count: count + 1, until: now() + QUARTER_HOUR });
      const [oldest] = refusals.keys();
      if (refusals.size > MOST_SITES && oldest !== undefined) refusals.delete(oldest);
    },
  };
}
