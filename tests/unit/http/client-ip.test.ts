import { describe, expect, it } from 'vitest';
import { clientIp } from '@/lib/http/client-ip';

const seen = (forwarded: string | null, hops = 1) =>
  clientIp(new Headers(forwarded === null ? {} : { 'x-forwarded-for': forwarded }), hops);

describe('the caller’s address', () => {
  it.each([
    // What the nearest proxy appended; left of it stands what the caller may have made up.
    ['192.0.2.7', 1, '192.0.2.7'],
    ['10.0.0.1, 192.0.2.7', 1, '192.0.2.7'],
    ['8.8.8.8,10.0.0.1 , 192.0.2.7', 2, '10.0.0.1'],
    ['8.8.8.8, 10.0.0.1, 192.0.2.7', 3, '8.8.8.8'],
    // Called past the outer proxy: the inner one's word is all there is.
    ['192.0.2.7', 3, '192.0.2.7'],
    // Nobody is believed.
    ['192.0.2.7', 0, ''],
    [null, 1, ''],
    ['', 1, ''],
    ['unknown', 1, ''],
    ['192.0.2.7, <script>', 1, ''],
  ])('%j behind %i proxies is %j', (forwarded, hops, address) => {
    expect(seen(forwarded, hops)).toBe(address);
  });

  it.each([
    ['192.0.2.7:51234', '192.0.2.7'],
    ['[2001:db8::1]:51234', '2001:db8::1'],
    ['[2001:DB8:0:0::1]', '2001:db8::1'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['::FFFF:c000:0207', '192.0.2.7'],
    ['fe80::1%eth0', 'fe80::1'],
    ['::1', '::1'],
  ])('%s is undressed', (entry, address) => {
    expect(seen(entry)).toBe(address);
  });
});
