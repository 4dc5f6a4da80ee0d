import { isIPv6 } from 'node:net';

const GROUPS_OF_NETWORK = 4;

/**
 * Whom a client address counts as: an IPv4 address itself, of IPv6 the /64, in which one customer of a provider has every address.
 */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined || !isIPv6(address)) return mapped ?? address;
  const [start = '', end] = address.toLowerCase().replace(/%.*$/, '').split('::');
  const first = start === '' ? [] : start.split(':');
  const last = end === undefined || end === '' ? [] : end.split(':');
  const zeros = Array.from({ length: Math.max(0, 8 - first.length - last.length) }, () => '0');
  const groups = [...first, ...(end === undefined ? [] : zeros), ...last];
  return `${groups
    .slice(0, GROUPS_OF_NETWORK)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')}::/64`;
}
