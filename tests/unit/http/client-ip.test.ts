import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { parseAddress, parseAddressRanges } from '@/lib/network/addresses';
import { clientIp, resolveClientIp, setClientIp } from '@/lib/platform/http/client-ip';

const settings = vi.hoisted(() => ({ TRUSTED_PROXIES: { has: (_: string): boolean => false }, VERCEL: '' }));
vi.mock('@/lib/env', () => ({ env: () => settings }));

const trusted = parseAddressRanges('loopback, 10.0.0.0/8, 2001:db8:1::/48');
afterEach(() => {
  Object.assign(settings, { TRUSTED_PROXIES: trusted, VERCEL: '' });
});
settings.TRUSTED_PROXIES = trusted;

const proxies = fc.constantFrom('127.0.0.1', '::1', '::ffff:127.0.0.1', '10.1.2.3', '2001:db8:1::7');
const strangers = fc
  .oneof(fc.ipV4(), fc.ipV6())
  .map(parseAddress)
  .filter((address) => address !== '' && !trusted.has(address));
/** Values of X-Forwarded-For that a caller may send. */
const entry = fc.oneof(
  fc.ipV4(),
  fc.ipV6(),
  proxies,
  fc.constantFrom('', ' ', 'unknown', '_hidden', '-', '[::1]:80', '127.0.0.1:1', '::ffff:10.0.0.1', '1', '0x7f.1'),
  fc.string(),
);
const made = fc.array(entry).map((entries) => entries.join(','));
/** Formats in which proxies write an address. */
const spelled = (address: string) =>
  address.includes(':')
    ? fc.constantFrom(address, `[${address}]`, `[${address}]:443`, address.toUpperCase())
    : fc.constantFrom(address, `${address}:51234`, `::ffff:${address}`);

describe('the client IP', () => {
  it("is the peer's address when the peer is not a trusted proxy", () => {
    fc.assert(
      fc.property(strangers, made, (peer, header) => {
        expect(resolveClientIp(peer, header, trusted)).toBe(peer);
      }),
    );
  });

  it('is the address that connected to the outermost trusted proxy, whatever the caller sends', () => {
    const chain = strangers.chain((caller) =>
      fc.tuple(fc.constant(caller), spelled(caller), made, fc.array(proxies, { maxLength: 3 }), proxies),
    );
    fc.assert(
      fc.property(chain, ([caller, appended, header, between, peer]) => {
        // Each proxy appends its caller; empty entries are allowed anywhere (RFC 9110, 5.6.1).
        const sent = [header, appended, '', ...between].join(', ');
        expect(resolveClientIp(peer, sent, trusted)).toBe(caller);
      }),
    );
  });

  it.each([
    ['127.0.0.1', '', '127.0.0.1'],
    ['127.0.0.1', '10.0.0.9', '10.0.0.9'],
    ['127.0.0.1', '8.8.8.8, unknown', '127.0.0.1'],
    ['127.0.0.1', '8.8.8.8, unknown, 10.0.0.9', '10.0.0.9'],
    ['', '8.8.8.8', ''],
    ['not an address', '8.8.8.8', ''],
  ])('of the peer %j with the header %j is %j', (peer, header, address) => {
    expect(resolveClientIp(peer, header, trusted)).toBe(address);
  });

  it('is the last entry of X-Forwarded-For on Vercel, where the platform sets it', () => {
    settings.VERCEL = '1';
    const headers = { 'x-forwarded-for': '8.8.8.8, 192.0.2.7', 'x-linkmarket-caller': 'made 198.51.100.1' };
    expect(clientIp(new Headers(headers))).toBe('192.0.2.7');
    setClientIp(headers, '127.0.0.1');
    expect(clientIp(new Headers(headers))).toBe('192.0.2.7');
  });
});

describe('the forwarding headers', () => {
  const sent = () => ({
    'x-forwarded-for': '8.8.8.8',
    'x-forwarded-proto': 'https',
    'x-forwarded-host': 'evil.example',
    forwarded: 'for=8.8.8.8',
    'x-real-ip': '8.8.8.8',
    'x-linkmarket-caller': 'made 8.8.8.8',
    accept: '*/*',
  });

  it('are removed when the peer is not a trusted proxy', () => {
    const headers: Record<string, string> = sent();
    expect(setClientIp(headers, '192.0.2.7')).toBe(true);
    expect(Object.keys(headers).sort()).toEqual(['accept', 'x-linkmarket-caller']);
    expect(clientIp(new Headers(headers))).toBe('192.0.2.7');
  });

  it('are kept when a trusted proxy set them', () => {
    const headers = sent();
    expect(setClientIp(headers, '::ffff:10.0.0.1')).toBe(false);
    expect(headers).toMatchObject({ 'x-forwarded-proto': 'https' });
    expect(clientIp(new Headers(headers))).toBe('8.8.8.8');
  });

  it('keep the original client when this process sends the request to itself', () => {
    const headers: Record<string, string> = sent();
    setClientIp(headers, '192.0.2.7');
    const again = { ...headers, 'x-forwarded-proto': 'https' };
    expect(setClientIp(again, '192.0.2.1')).toBe(false);
    expect(clientIp(new Headers(again))).toBe('192.0.2.7');
    expect(again).toMatchObject({ 'x-forwarded-proto': 'https' });
  });

  it('name no client when the server set none, even if the caller sends one', () => {
    expect(clientIp(new Headers(sent()))).toBe('');
  });
});
