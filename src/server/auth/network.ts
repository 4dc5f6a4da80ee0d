// Finds the network of a client. Limits apply to networks instead of single addresses, because the owner of an IPv6 address has at least
// 2^64 addresses.
import ipaddr from 'ipaddr.js';
import { isIPv4 } from 'node:net';
import { MINUTE } from '../../domain/durations.ts';

/**
 * `MACHINE` is the prefix length of the smallest IPv6 network of a machine or home. `SITE` is the prefix length that most providers assign
 * to a customer (RFC 6177). `BLOCK` is the prefix length of the largest network that customers usually get, and that tunnel brokers give to
 * anybody.
 */
const MACHINE = 64;
const SITE = 56;
const BLOCK = 48;

/** Parses an IP address without its zone. An IPv4-mapped IPv6 address becomes IPv4. Returns null for an invalid address. */
function parsed(address: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  const plain = address.replace(/%.*$/s, '');
  return ipaddr.isValid(plain) ? ipaddr.process(plain) : null;
}

/** Returns an IPv4 address, also if it is mapped to IPv6. Otherwise returns null. This takes much less time than parsing the address. */
function ipv4Of(address: string): string | null {
  const plain = address.replace(/^::ffff:/i, '');
  return isIPv4(plain) ? plain : null;
}

function ipv6Network(address: string, bits: number): string | null {
  if (ipv4Of(address) !== null) return null;
  const found = parsed(address);
  if (found?.kind() !== 'ipv6') return null;
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${found.toString()}/${bits}`).toString()}/${bits}`;
}

/** Returns the /64 network of an IPv6 address, or an IPv4 address itself. */
export const networkOf = (address: string): string =>
  ipv4Of(address) ?? ipv6Network(address, MACHINE) ?? parsed(address)?.toString() ?? address;

/** Returns the /56 network of an IPv6 address, or null for an IPv4 address. */
export const siteOf = (address: string): string | null => ipv6Network(address, SITE);

/**
 * Returns the /56 network of an IPv6 address, or an IPv4 address itself. Limits that one customer of a provider must not exceed apply to
 * it, because many providers give one customer all networks of a /56.
 */
export const siteOrAddressOf = (address: string): string => siteOf(address) ?? networkOf(address);

/** Returns the /48 network of an IPv6 address, or null for an IPv4 address. */
export const blockOf = (address: string): string | null => ipv6Network(address, BLOCK);

/**
 * Returns the /48 network of an IPv6 address, or an IPv4 address itself. Queues take turns between these blocks, because one owner can use
 * all 256 sites of a block.
 */
export const blockOrAddressOf = (address: string): string => blockOf(address) ?? networkOf(address);

const REFUSALS_OF_ABUSE = 10;
const QUARTER_HOUR = 15 * MINUTE;
const MAX_SITES = 10_000;

export interface NetworkKeys {
  /**
   * Returns the network whose queue or count the client shares: normally the client's /64 or IPv4 address, but the whole /56 after clients
   * of that /56 were refused repeatedly.
   */
  readonly keyOf: (address: string) => string;
  readonly countRefusal: (address: string) => void;
}

/**
 * Returns an object that remembers the /56 networks whose clients were refused repeatedly within 15 minutes. Each server process remembers
 * its own networks.
 */
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
      // Moves the /56 to the end of the map, so that the least recently refused /56 is removed first.
      refusals.delete(site);
      refusals.set(site, { count: count + 1, until: now() + QUARTER_HOUR });
      const [oldest] = refusals.keys();
      if (refusals.size > MAX_SITES && oldest !== undefined) refusals.delete(oldest);
    },
  };
}
