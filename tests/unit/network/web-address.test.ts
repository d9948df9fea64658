import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { listSpellings, normalizeSearch, splitSearchWords } from '@/lib/network/search-words';
import { parseWebAddress } from '@/lib/network/web-address';
import { linkUrlField, orderBriefFields } from '@/lib/orders/briefs/schemas';
import { createProjectBody } from '@/lib/projects/contract';
import { normalizeSiteUrl, parseSiteUrl } from '@/lib/sites/field-values';

const targetUrl = createProjectBody.shape.targetUrl;
const readers = {
  site: (typed: string) => parseSiteUrl(typed),
  target: (typed: string) => targetUrl.safeParse(typed).data ?? null,
  brief: (typed: string) => orderBriefFields.brief.safeParse({ targetUrl: typed }).data?.targetUrl ?? null,
  link: (typed: string) => linkUrlField.safeParse(typed).data ?? null,
};

describe('a typed web address', () => {
  it.each([
    ['host.example/x', 'https://host.example/x'],
    ['//host.example/x', 'https://host.example/x'],
    ['////host.example/x', 'https://host.example/x'],
    ['https:/host.example/x', 'https://host.example/x'],
    ['https:host.example/x', 'https://host.example/x'],
    ['https:///host.example/x', 'https://host.example/x'],
    ['http//host.example/x', 'http://host.example/x'],
    ['HTTPS://Host.example/X', 'HTTPS://Host.example/X'],
    ['host.example:443/x', 'https://host.example:443/x'],
    ['host.example:80/x', 'http://host.example:80/x'],
    ['host.example:8443/x', 'https://host.example:8443/x'],
    ['  host.example/x?y=1#z ', 'https://host.example/x?y=1#z'],
    ['https://\u200bhost.example/x\ufeff', 'https://host.example/x'],
    ['ho\u00adst.example/\u202ax', 'https://host.example/x'],
    ['https://bücher.example/ü', 'https://bücher.example/ü'],
    // Encoded hosts are shown in their script, but not where they pass for others.
    ['xn--bcher-kva.example', 'https://bücher.example'],
    ['https://xn--6qqa088eba.com:8443/a?b', 'https://你好你好.com:8443/a?b'],
    ['xn--j1ail.xn--p1ai', 'https://кто.рф'],
    ['xn--80aswg.com', 'https://сайт.com'],
    ['https://ブログabc.example', 'https://ブログabc.example'],
    ['http://аpple.com/x', 'http://xn--pple-43d.com/x'],
    ['https://xn--pple-43d.com', 'https://xn--pple-43d.com'],
    ['раураӏ.com', 'https://xn--80aa0cbo65f.com'],
    ['раураӏ.рф', 'https://раураӏ.рф'],
    ['ɡoogle.com', 'https://xn--oogle-qmc.com'],
    // Cherokee letters among Latin ones.
    ['goꮯgle.com', 'https://xn--gogle-gky.com'],
    ['google.com∕x.example', 'https://google.xn--comx-id9a.example'],
    ['ნიუსი.ge', 'https://ნიუსი.ge'],
    ['சென்னை.in', 'https://சென்னை.in'],
    ['ｈｏｓｔ.example', 'https://host.example'],
    ['bu\u0308cher.example', 'https://bücher.example'],
    ['https://host.example/می\u200cخواهم', 'https://host.example/می\u200cخواهم'],
    ['https://host.example/a%E2%80%8B', 'https://host.example/a%E2%80%8B'],
  ])('%j is %j in every field', (typed, address) => {
    for (const [field, read] of Object.entries(readers)) expect([field, read(typed)]).toEqual([field, address]);
  });

  it.each([
    ...[
      'javascript:alert(1)',
      'javascript://host.example/%0aalert(1)',
      'JavaScript:alert(1)',
      'data:text/html,x',
      'vbscript:x',
    ],
    ...[
      'mailto:me@host.example',
      'mailto:host.example',
      'ftp://host.example',
      'file:///etc/passwd',
      'tel:123',
      'blob:https://host.example',
    ],
    ...[
      'https:\\\\host.example',
      '\\\\host.example\\x',
      'https://host.example\\x',
      'https://a b.example',
      'https://host.example/a\nb',
    ],
    ...[
      'https://me:secret@host.example',
      'me@host.example',
      '/host.example/x',
      '/x',
      '//',
      '//localhost/x',
      'localhost',
      'host',
      '?x',
      '#x',
    ],
    ...['https://', '\u2800host.example', 'host.example:99999', 'host.example:x', 'https://host.example:80:80'],
  ])('%j is refused in every field', (typed) => {
    for (const [field, read] of Object.entries(readers)) expect([field, read(typed)]).toEqual([field, null]);
  });
});

/** Writes letters in upper case, without ß, which would become two letters. */
const capitalize = (host: string) => host.replace(/[^ß]/g, (letter) => letter.toUpperCase());

describe('the key of a site', () => {
  const spellings = (host: string) => [
    ...[
      host,
      `${host}.`,
      `${host}:80`,
      `${host}:443`,
      `https://${host}:443`,
      `http://${host}:80/`,
      `//${host}/`,
      `www.${host}`,
    ],
    ...[
      capitalize(host),
      `https://${capitalize(host)}`,
      `HTTP://WWW.${host}/#top`,
      `https://${host}/?`,
      `https://\u200b${host}`,
      `\u2066${host}\u2069`,
    ],
    ...[
      `${host.slice(0, 2)}\u00ad${host.slice(2)}`,
      host.replace('.', '。'),
      `https:/${host}`,
      host.normalize('NFD'),
      ` ${host} `,
    ],
  ];

  it.each([
    'dupe.example',
    'müller.example',
    'faß.example',
    'пример.example',
    '例え.example',
    'sub.dupe.example',
    'münchen.de',
  ])('is one for all spellings of %s', (host) => {
    const encoded = new URL(`https://${host}`).hostname;
    const all = [...spellings(host), ...spellings(encoded)].map((typed) => parseSiteUrl(typed));
    expect(all).not.toContain(null);
    expect(new Set(all.map((address) => normalizeSiteUrl(address ?? '')))).toEqual(new Set([host]));
    for (const address of all) expect(address).not.toMatch(/[\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/);
  });

  it('is one for any host of letters, and another for another host', () => {
    const label = fc.stringMatching(/^[a-zäöüßéа-яα-ρσ-ω]{2,12}$/);
    fc.assert(
      fc.property(label, label, (one, other) => {
        const key = normalizeSiteUrl(`${one}.example`);
        expect(new Set(spellings(`${one}.example`).map(normalizeSiteUrl))).toEqual(new Set([key]));
        expect(normalizeSiteUrl(key)).toBe(key);
        const isSame = new URL(`https://${one}.example`).host === new URL(`https://${other}.example`).host;
        expect(normalizeSiteUrl(`https://${other}.example`) === key).toBe(isSame);
      }),
    );
  });

  it.each([
    ...[
      ['a.example', 'a.example:8080'],
      ['a.example', 'b.a.example'],
      ['a.example', 'a.example/blog'],
      ['a.example/?p=1', 'a.example/?p=2'],
    ],
    ...[
      ['muller.example', 'müller.example'],
      ['fass.example', 'faß.example'],
      ['a.example', 'a.example.com'],
      ['www.com', 'com.com'],
    ],
  ])('differs for %s and %s', (one = '', other = '') => {
    expect(normalizeSiteUrl(one)).not.toBe(normalizeSiteUrl(other));
  });
});

describe('a search', () => {
  it.each([
    ['https://www.Garden.example/2026/an-article/?utm_source=x#top', 'garden.example'],
    ['www.garden.example', 'garden.example'],
    ['GARDEN.EXAMPLE/', 'garden.example'],
    ['garden.example.', 'garden.example'],
    ['garden.example:443/x', 'garden.example'],
    ['//garden.example/x', 'garden.example'],
    ['<https://garden.example/x>,', 'garden.example'],
    ['\u200bgarden.example\ufeff', 'garden.example'],
    ['„garden.example“', 'garden.example'],
    ['• `garden.example/x`…', 'garden.example'],
    ['xn--mller-kva.example', 'müller.example'],
    ['Mu\u0308ller.example/über', 'müller.example'],
    ['Cafe\u0301', 'Café'],
    ['node.js', 'node.js'],
    ['a/b', 'a/b'],
    ['C#', 'C#'],
    ['24/7', '24/7'],
    ['ann@example.com', 'ann@example.com'],
    ['Garden', 'Garden'],
    ['50%', '50%'],
  ])('for %j looks for %j', (typed, wanted) => {
    expect(normalizeSearch(typed)).toBe(wanted);
    expect(normalizeSearch(wanted)).toBe(wanted);
  });

  it('has each word normalized, and both spellings of a host of other letters', () => {
    expect(splitSearchWords('  Garden https://www.a.example/x  ')).toEqual(['Garden', 'a.example']);
    expect(listSpellings('müller.example')).toEqual(['müller.example', 'xn--mller-kva.example']);
    expect(listSpellings('müller')).toEqual(['müller']);
  });

  it('reads any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (typed) => {
        expect(parseWebAddress(typed)?.url.protocol ?? 'https:').toMatch(/^https?:$/);
        for (const word of splitSearchWords(typed)) expect(splitSearchWords(word)).toEqual([word]);
      }),
      { examples: [['𝅘𝅥𝅮‐¼.一'], ['a.一‐‐‐‐‐‐']] },
    );
  });
});
