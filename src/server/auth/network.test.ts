import { expect, test } from 'vitest';
import { blockOrAddressOf, createNetworkKeys, networkOf, siteOf } from './network.ts';

test.each([
  ['192.0.2.1', '192.0.2.1', null],
  ['::ffff:192.0.2.1', '192.0.2.1', null],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64', '2001:db8:1::/56'],
  ['2001:0DB8:0001:00ff:ffff::1', '2001:db8:1:ff::/64', '2001:db8:1::/56'],
  ['2001:db8:1:100::1', '2001:db8:1:100::/64', '2001:db8:1:100::/56'],
  ['2001:db8::9', '2001:db8::/64', '2001:db8::/56'],
  ['fe80::1%eth0', 'fe80::/64', 'fe80::/56'],
  ['::1', '::/64', '::/56'],
  ['unknown', 'unknown', null],
  ['', '', null],
])('the IP address %s belongs to the network %s and to the site %s (its IPv6 /56)', (address, network, site) => {
  expect([networkOf(address), siteOf(address)]).toEqual([network, site]);
});

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:ff77::1', '2001:db8:1::/48'],
  ['unknown', 'unknown'],
])('the IP address %s belongs to the block %s (its IPv6 /48, or the IPv4 address itself)', (address, block) => {
  expect(blockOrAddressOf(address)).toBe(block);
});

test('an IPv6 /56 counts as one network after ten refusals within 15 minutes; other /56 and IPv4 addresses are unaffected', () => {
  let time = 0;
  const keys = createNetworkKeys(() => time);
  const refuse = (times: number) => {
    for (let n = 0; n < times; n++) keys.countRefusal(`2001:db8:1:${n}::1`);
  };
  refuse(9);
  expect(keys.keyOf('2001:db8:1:77::1')).toBe('2001:db8:1:77::/64');
  refuse(1);
  expect(keys.keyOf('2001:db8:1:77::1')).toBe('2001:db8:1::/56');
  expect(keys.keyOf('2001:db8:2:77::1')).toBe('2001:db8:2:77::/64');
  for (let n = 0; n < 20; n++) keys.countRefusal('192.0.2.1');
  expect(keys.keyOf('192.0.2.1')).toBe('192.0.2.1');
  time = 15 * 60_000;
  expect(keys.keyOf('2001:db8:1:77::1')).toBe('2001:db8:1:77::/64');
});
