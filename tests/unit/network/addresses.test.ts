import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isLoopbackHost, parseAddress, parseAddressRanges } from '@/lib/network/addresses';

describe('an address', () => {
  it.each([
    ['192.0.2.7:51234', '192.0.2.7'],
    ['[2001:db8::1]:51234', '2001:db8::1'],
    ['[2001:DB8:0:0::1]', '2001:db8::1'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['::FFFF:c000:0207', '192.0.2.7'],
    ['[::ffff:192.0.2.7]:80', '192.0.2.7'],
    ['fe80::1%eth0', 'fe80::1'],
    ['::1', '::1'],
    ['', ''],
    ['unknown', ''],
    ['1', ''],
    ['010.0.0.1', ''],
    ['0x7f000001', ''],
    ['127.1', ''],
    ['<script>', ''],
  ])('%j is parsed as %j', (text, address) => {
    expect(parseAddress(text)).toBe(address);
  });

  it('has one canonical form; other notations are rejected', () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6(), fc.string()), (text) => {
        expect(parseAddress(parseAddress(text))).toBe(parseAddress(text));
      }),
    );
  });
});

describe('a list of ranges', () => {
  it('contains the addresses, CIDR ranges and names that it lists', () => {
    const ranges = parseAddressRanges(' loopback,private , 203.0.113.0/24,,2001:db8::7');
    for (const inside of ['127.9.9.9', '::1', '172.31.0.1', 'fd00::1', '203.0.113.255', '2001:db8::7']) {
      expect(ranges.has(inside), inside).toBe(true);
    }
    for (const outside of ['172.32.0.1', '203.0.114.0', '2001:db8::8', '8.8.8.8', '', 'x']) {
      expect(ranges.has(outside), outside).toBe(false);
    }
    expect(parseAddressRanges('none').has('127.0.0.1')).toBe(false);
  });

  it.each([
    ['2', /contains "2", which is not an address/],
    ['loopback, proxy', /contains "proxy"/],
    ['10.0.0.0/33', /contains "10.0.0.0\/33"/],
    ['10.0.0.0/', /contains "10.0.0.0\/"/],
    ['10.0.0.0/-1', /contains/],
    ['::/129', /contains/],
    ['0.0.0.0/0', /covers public addresses/],
    ['::/0', /covers public addresses/],
    ['2000::/7', /covers public addresses/],
    ['::ffff:0:0/96', /covers public addresses/],
  ])('refuses %s', (list, message) => {
    expect(() => parseAddressRanges(list)).toThrow(message);
  });
});

it('recognizes loopback host names', () => {
  for (const host of ['localhost', 'LOCALHOST', 'db.localhost', '127.0.0.1', '127.1.2.3', '::1', '[::1]']) {
    expect(isLoopbackHost(host), host).toBe(true);
  }
  for (const host of ['127.0.0.1.example.com', 'localhost.example.com', '10.0.0.1', '::2', '0.0.0.0']) {
    expect(isLoopbackHost(host), host).toBe(false);
  }
});
