import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { emailField, registerBody, signInBody } from '@/lib/auth/contract';
import { createLicenseBody } from '@/lib/licenses/contract';
import { normalizeLine, removeFormatCharacters, trimProse } from '@/lib/network/visible-text';
import { decideBody, openDisputeBody } from '@/lib/orders/disputes/contract';
import { payoutReasonBody } from '@/lib/payouts/contract';
import { createProjectBody } from '@/lib/projects/contract';
import { createSiteBody, ownSiteBody } from '@/lib/sites/edit-schemas';
import { taxonomyNameBody } from '@/lib/taxonomy/contract';
import { createUserBody } from '@/lib/users/contract';

/** Spaces without width, joiners, marks and embeddings of text direction, isolates, byte order mark, soft hyphen and others. */
const hidden = [
  ...'\u00ad\u034f\u061c\u115f\u180e\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2061\u2062\u2063\u2064',
  ...'\u2066\u2067\u2068\u2069\u206a\u206f\u3164\ufe0f\ufeff\uffa0\ufff9\u{e0001}\u{e0041}\u{e0100}',
];

describe('characters that are not shown', () => {
  it('leave a line of text, wherever they are', () => {
    const parts = fc.array(fc.constantFrom(...hidden, 'a', 'B', 'é', 'ж', '字', '1', ' '), { maxLength: 30 });
    fc.assert(
      fc.property(parts, (characters) => {
        // A variant of a Han character and a number in a box belong to what is shown.
        const typed = characters.join('').replace(/字[\ufe0f\u{e0100}]/gu, '字');
        const shown = characters.filter((one) => !hidden.includes(one)).join('');
        expect(normalizeLine(typed).replace(/\u{e0100}/gu, '')).toBe(normalizeLine(shown));
      }),
    );
  });

  it.each([
    ...[
      'می\u200cخواهم',
      'क्\u200dष',
      'ක්\u200dෂ',
      '👩‍👩‍👧',
      '❤️',
      '👩‍❤️‍👨',
      '1️⃣',
      '👨🏽‍🚀',
      '🏳️‍🌈',
      '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
    ],
    ...['葛\u{e0100}', 'مرحبا', 'שלום', 'Zoë', 'naïve', '한국어', 'a-b', 'O’Neill'],
  ])('remain in %j, which is written with them or has none', (text) => {
    expect(normalizeLine(text)).toBe(text.normalize('NFC'));
  });

  it('make a text that has nothing else empty', () => {
    for (const text of [...hidden, hidden.join(''), ' \u200b ', '\u2800', '\u0301', '\t\u2060\n']) {
      expect([text, normalizeLine(text), trimProse(text)]).toEqual([text, '', '']);
    }
  });

  it('leave a long text of them in linear time', () => {
    // The time limit of the test is five seconds; a regular expression that looks back over all of it takes a minute.
    for (const one of ['\u{e0067}', '\u200b'])
      expect(normalizeLine(`\u{1F3F4}${one.repeat(200_000)}`).length).toBeLessThan(20);
  });

  it('remain inside prose, which is only trimmed', () => {
    expect(trimProse('  שלום\u200f (a)\u200e\nก\u200bข ')).toBe('שלום\u200f (a)\u200e\nก\u200bข');
  });

  it('do not keep each other', () => {
    expect(normalizeLine('ж\u180e\u200c\u061c')).toBe('ж');
    const parts = fc.constantFrom(...hidden, 'a', 'ب', 'क', '❤', '🏽', '👩', '字', '1', '\u20e3', '\u0301');
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 12 }), (characters) => {
        const text = removeFormatCharacters(characters.join(''));
        expect(removeFormatCharacters(text)).toBe(text);
      }),
      { numRuns: 2_000 },
    );
  });

  it('leave composed texts as they are', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(removeFormatCharacters(removeFormatCharacters(text))).toBe(removeFormatCharacters(text));
      }),
    );
    expect(normalizeLine('Cafe\u0301')).toBe('Café');
  });
});

describe('forms', () => {
  const project = { domain: 'a.com', description: 'Links', niche: 'Tech', postType: 'Guest posts', country: 'USA' };
  const site = { url: 'a.com', name: 'A', country: 'USA', niche: 'Tech', price: 5 };
  const user = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' };
  const links = { targetUrl: 'https://a.com/x', keywords: 'shoes, boots' };

  it('store no such characters', () => {
    const dirty = <Fields extends Record<string, unknown>>(fields: Fields) =>
      Object.fromEntries(
        Object.entries(fields).map(([name, value]) => [
          name,
          typeof value === 'string' ? `\ufeff${[...value].join('\u200b')}\u202c` : value,
        ]),
      );
    expect(createProjectBody.parse({ ...dirty({ ...project, ...links }), description: 'Links' })).toEqual({
      ...project,
      ...links,
    });
    expect(ownSiteBody.parse(dirty(site))).toMatchObject({
      url: 'https://a.com',
      name: 'A',
      country: 'USA',
      niche: 'Tech',
      sellerPriceCents: 500,
    });
    expect(createSiteBody.parse(dirty({ url: 'https://a.com/b', name: 'A b', language: 'German' }))).toMatchObject({
      ...{ url: 'https://a.com/b', name: 'A b', language: 'German' },
    });
    expect(createUserBody.parse({ ...dirty({ ...user, role: 'User' }), password: user.password })).toMatchObject({
      ...user,
      role: 'User',
    });
    expect(emailField.parse('\u200bann@example.com\ufeff')).toBe('ann@example.com');
    expect(signInBody.parse({ email: 'ann@\u00adexample.com', password: '\u200bx' })).toMatchObject({
      ...{ email: 'ann@example.com', password: '\u200bx' },
    });
    expect(taxonomyNameBody.parse({ type: 'niche', name: 'Te\u200bch' }).name).toBe('Tech');
  });

  it('refuse a required name of such characters as a missing one', () => {
    const blank = ' \u200b\u2060\u2800 ';
    const refused = (result: { error?: { issues: { path: PropertyKey[] }[] } | undefined }) =>
      [...new Set(result.error?.issues.map(({ path }) => path[0]))].sort();
    expect(refused(createUserBody.safeParse({ ...user, name: blank }))).toEqual(['name']);
    expect(refused(ownSiteBody.safeParse({ ...site, name: blank, niche: blank }))).toEqual(['name', 'niche']);
    expect(
      refused(createProjectBody.safeParse({ ...project, ...links, domain: blank, niche: blank, description: blank })),
    ).toEqual(['description', 'domain', 'niche']);
    expect(refused(createLicenseBody.safeParse({ name: 'A', key: blank }))).toEqual(['key']);
    expect(refused(payoutReasonBody.safeParse({ reason: blank, version: 1 }))).toEqual(['reason']);
    expect(refused(decideBody.safeParse({ buyerPercent: 50, note: blank }))).toEqual(['note']);
    expect(refused(openDisputeBody.safeParse({ reason: blank }))).toEqual(['reason']);
    // These names can be blank.
    expect(refused(registerBody.safeParse({ ...user, name: blank }))).toEqual(['name']);
    expect(registerBody.parse({ ...user, name: ' ' }).name).toBe('');
    expect(refused(taxonomyNameBody.safeParse({ type: 'niche', name: blank }))).toEqual(['name']);
    expect(taxonomyNameBody.parse({ type: 'niche', name: ' ' }).name).toBe('');
  });
});
