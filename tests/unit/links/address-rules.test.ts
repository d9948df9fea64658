import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isPublicAddress, judgeUrl } from '@/lib/links/address-rules';

/** Every special-purpose range of the IANA registries, by its first and last addresses and one between. */
const specialAddresses = [
  ['this network', '0.0.0.0', '0.255.255.255'],
  ['private, RFC 1918', '10.0.0.0', '10.255.255.255', '172.16.0.0', '172.31.255.255', '192.168.0.0', '192.168.255.255'],
  ['shared by carriers', '100.64.0.0', '100.127.255.255', '100.100.100.200'],
  ['loopback', '127.0.0.0', '127.0.0.1', '127.255.255.255'],
  ['link-local, with the metadata of clouds', '169.254.0.0', '169.254.169.254', '169.254.255.255'],
  ['protocol assignments', '192.0.0.0', '192.0.0.192', '192.0.0.255'],
  ['documentation', '192.0.2.1', '198.51.100.1', '203.0.113.1'],
  ['6to4 relays and AS112', '192.88.99.1', '192.31.196.1', '192.175.48.1', '192.52.193.1'],
  ['benchmarks', '198.18.0.0', '198.19.255.255'],
  ['multicast', '224.0.0.1', '239.255.255.255'],
  ['reserved and broadcast', '240.0.0.0', '255.255.255.255'],
  ['the host agent of Azure', '168.63.129.16', '::ffff:168.63.129.16'],
  ['unspecified and loopback, version 6', '::', '::1'],
  ['IPv4-compatible, deprecated', '::7f00:1', '::127.0.0.1', '::8.8.8.8'],
  ['mapped', '::ffff:127.0.0.1', '::ffff:a00:1', '::ffff:169.254.169.254', '0:0:0:0:0:ffff:7f00:1'],
  ['translated, RFC 6145', '::ffff:0:127.0.0.1', '::ffff:0:8.8.8.8'],
  ['NAT64', '64:ff9b::127.0.0.1', '64:ff9b::a9fe:a9fe', '64:ff9b::10.0.0.1'],
  ['local-use NAT64', '64:ff9b:1::127.0.0.1', '64:ff9b:1::8.8.8.8', '64:ff9b:1:ffff::1'],
  ['NAT64 outside its /96', '64:ff9b::1:808:808', '64:ff9b:2::8.8.8.8'],
  ['6to4', '2002:7f00:1::', '2002:a00:1::1', '2002:c0a8:1::', '2002:a9fe:a9fe::', '2002::'],
  ['Teredo', '2001::1', '2001:0:4136:e378:8000:63bf:3fff:fdd2'],
  [
    'protocol assignments, version 6',
    '2001:1::1',
    '2001:2::1',
    '2001:4:112::1',
    '2001:10::1',
    '2001:20::1',
    '2001:1ff::1',
  ],
  ['documentation, version 6', '2001:db8::1', '3fff::1', '3fff:fff::1'],
  ['discard, segment routing', '100::1', '5f00::1'],
  ['unique local', 'fc00::1', 'fd00:ec2::254', 'fdff:ffff::1'],
  ['link-local, version 6', 'fe80::1', 'febf::1'],
  ['site-local, deprecated', 'fec0::1', 'feff::1'],
  ['multicast, version 6', 'ff02::1', 'ff0e::1'],
  ['unassigned', '4000::1', '8000::1', '1::1', '2620:4f:8000::1'],
] satisfies [name: string, ...addresses: string[]][];

const publicAddresses = [
  '1.1.1.1',
  '8.8.8.8',
  '93.184.216.34',
  '100.63.255.255',
  '100.128.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '169.253.255.255',
  '223.255.255.255',
  '2606:4700::1111',
  '2a00:1450:4001::1',
  '2001:200::1',
  '2001:4860:4860::8888',
  '::ffff:8.8.8.8',
  '64:ff9b::8.8.8.8',
  '2002:808:808::1',
];

describe('an address', () => {
  it.each(specialAddresses)('is not public: %s', (_name, ...addresses) => {
    for (const address of addresses) expect(isPublicAddress(address), address).toBe(false);
  });

  it.each(publicAddresses)('%s is public', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it.each(['', 'localhost', '127.1', '0x7f000001', '2130706433', '010.0.0.1', 'fe80::1%eth0', '2606:4700::1%eth0'])(
    'is not public in another form: %j',
    (text) => {
      expect(isPublicAddress(text)).toBe(false);
    },
  );
});

/** 127.0.0.1 and others as the URL standard reads them. */
const hostForms = [
  '127.0.0.1',
  '127.1',
  '127.0.1',
  '2130706433',
  '017700000001',
  '0177.0.0.1',
  '0x7f.0.0.1',
  '0x7f000001',
  '0X7F.1',
  '127.0.0.1.',
  '%31%32%37.0.0.1',
  '１２７.０.０.１',
  '127。0。0。1',
  '0',
  '0.0.0.0',
  '00.00.00.00',
  '169.254.169.254',
  '0xa9fea9fe',
  '0251.0376.0251.0376',
  '2852039166',
  '10.1',
  '192.168.1',
  '3232235777',
  '[::1]',
  '[::]',
  '[0:0:0:0:0:0:0:1]',
  '[0000::0001]',
  '[::ffff:127.0.0.1]',
  '[::FFFF:7F00:1]',
  '[::127.0.0.1]',
  '[64:ff9b::127.0.0.1]',
  '[64:ff9b:1::a00:1]',
  '[2002:7f00:1::]',
  '[2001:0:7f00:1::]',
  '[fe80::1]',
  '[fd00:ec2::254]',
  '[ff02::1]',
];

describe('a URL', () => {
  it.each(hostForms)('with the host %s is refused', (host) => {
    for (const scheme of ['http', 'https']) expect(judgeUrl(`${scheme}://${host}/`)).toBe('private_address');
  });

  it.each([
    ['file:///etc/passwd', 'scheme'],
    ['ftp://site.com/', 'scheme'],
    ['gopher://site.com:80/_GET', 'scheme'],
    ['data:text/html,x', 'scheme'],
    ['javascript:alert(1)', 'scheme'],
    ['blob:https://site.com/1', 'scheme'],
    ['ws://site.com/', 'scheme'],
    ['http://site.com:8080/', 'port'],
    ['http://site.com:22/', 'port'],
    ['https://site.com:0/', 'port'],
    ['http://user@site.com/', 'credentials'],
    ['http://:secret@site.com/', 'credentials'],
    ['http://127.0.0.1@site.com/', 'credentials'],
    ['http://localhost/', 'local_name'],
    ['http://LOCALHOST./', 'local_name'],
    ['http://app.localhost/', 'local_name'],
    ['http://intranet/', 'local_name'],
    ['http://printer.local/', 'local_name'],
    ['http://metadata.google.internal/', 'local_name'],
    ['http://router.home.arpa/', 'local_name'],
    ['http://hidden.onion/', 'local_name'],
    ['site.com', 'not_a_url'],
    ['http://', 'not_a_url'],
    ['http://[::1', 'not_a_url'],
    ['http://[fe80::1%25eth0]/', 'not_a_url'],
    ['http://256.256.256.256/', 'not_a_url'],
    ['http://1.2.3.4.5/', 'not_a_url'],
    ['http://a b.com/', 'not_a_url'],
    [`https://site.com/${'a'.repeat(2_048)}`, 'too_long'],
    [`https://site.com/${'ж'.repeat(400)}`, 'too_long'],
  ])('%s is refused: %s', (url, refusal) => {
    expect(judgeUrl(url)).toBe(refusal);
  });

  it.each([
    ['https://site.com/page?x=1#y', 'site.com', 443],
    ['http://site.com:443/', 'site.com', 443],
    ['https://site.com:80/', 'site.com', 80],
    ['HTTP://SITE.COM.', 'site.com', 80],
    ['https://münchen.de/', 'xn--mnchen-3ya.de', 443],
    ['http:\\\\site.com\\page', 'site.com', 80],
    ['http://0x08.8.8.8/', '8.8.8.8', 80],
    ['https://[2606:4700::1111]/', '2606:4700::1111', 443],
  ])('%s is accepted', (url, host, port) => {
    expect(judgeUrl(url)).toMatchObject({ host, port });
  });

  it('never reaches a special address, in any notation', () => {
    const special = fc.constantFrom(...specialAddresses.flatMap(([, ...addresses]) => addresses));
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV4Extended(), fc.ipV6(), special), fc.nat(3), (address, form) => {
        const host = address.includes(':') ? `[${address}]` : writeIpv4(address, form);
        const judged = judgeUrl(`http://${host}/`);
        if (typeof judged === 'string') return;
        expect(judged.isAddress).toBe(true);
        expect(isPublicAddress(judged.host)).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  it('is judged alike in every notation of the same IPv4 address', () => {
    fc.assert(
      fc.property(fc.ipV4(), fc.nat(3), (address, form) => {
        expect(typeof judgeUrl(`http://${writeIpv4(address, form)}/`) === 'object').toBe(isPublicAddress(address));
        for (const outer of [`::ffff:${address}`, `64:ff9b::${address}`]) {
          expect(isPublicAddress(outer), outer).toBe(isPublicAddress(address));
        }
      }),
      { numRuns: 2_000 },
    );
  });
});

/** Writes four decimal numbers as one number, in decimal, octal or hexadecimal. */
function writeIpv4(address: string, form: number): string {
  if (!/^\d+(\.\d+){3}$/.test(address)) return address;
  const value = address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
  return [address, String(value), `0${value.toString(8)}`, `0x${value.toString(16)}`][form] ?? address;
}
