import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { AppError } from '@/lib/errors';
import {
  type Brief,
  type BriefInput,
  orderBriefFields,
  requireValidBrief,
  requireValidBriefs,
  resolveBrief,
} from '@/lib/orders/briefs/schemas';
import { parseInput } from '@/lib/platform/http/parse';

const projectUrl = 'https://shop.example.com/spades';
const defaults: Brief = {
  targetUrl: projectUrl,
  anchor: '',
  writer: 'seller',
  words: null,
  notes: '',
  notBefore: null,
  rel: 'any',
  articleId: null,
};

/** The error messages by field; null without an error. */
function errorsOf(check: () => unknown): unknown {
  try {
    check();
    return null;
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === 'invalid_input') return thrown.details.fields;
    throw thrown;
  }
}

/** Parses the briefs of a request as POST /api/orders does. */
const parseBriefs = (fields: unknown, siteIds: number[], today?: string) => {
  const briefs = parseInput(z.object(orderBriefFields), fields);
  requireValidBriefs(briefs, siteIds, today);
  return briefs;
};

const input: fc.Arbitrary<BriefInput> = fc.record(
  {
    targetUrl: fc.constantFrom('https://a.example.com/', 'https://b.example.com/x'),
    anchor: fc.constantFrom('', 'spades', 'rakes'),
    writer: fc.constantFrom('buyer', 'seller'),
    words: fc.option(fc.integer({ min: 100, max: 10_000 })),
    notes: fc.constantFrom('', 'No competitors.'),
    notBefore: fc.constantFrom(null, '2099-01-01'),
    rel: fc.constantFrom('any', 'dofollow', 'sponsored'),
    articleId: fc.constantFrom(null, 'one', 'two'),
  },
  { requiredKeys: [] },
);
/** Without the contradiction that the parser refuses. */
const validInput = input.filter(({ writer, articleId }) => writer !== 'seller' || !articleId);

describe('a brief and its exceptions', () => {
  it('takes each field from the exception, then from the common brief, then from the defaults', () => {
    fc.assert(
      fc.property(validInput, validInput, (common, exception) => {
        const brief = resolveBrief(projectUrl, common, exception);
        for (const field of ['targetUrl', 'anchor', 'words', 'notes', 'notBefore', 'rel'] as const) {
          const [given] = [exception, common, defaults].filter((part) => part[field] !== undefined);
          expect(brief[field]).toBe(given?.[field]);
        }
        const writers = [exception, common].map((part) => part.writer ?? (part.articleId ? 'buyer' : undefined));
        expect(brief.writer).toBe(writers[0] ?? writers[1] ?? 'seller');
        const article = exception.articleId === undefined ? common.articleId : exception.articleId;
        expect(brief.articleId).toBe(brief.writer === 'buyer' ? (article ?? null) : null);
      }),
    );
  });

  it('is the common brief for a site without an exception, and does not change when it is resolved again', () => {
    fc.assert(
      fc.property(validInput, (common) => {
        const brief = resolveBrief(projectUrl, common);
        expect(resolveBrief(projectUrl, common, {})).toEqual(brief);
        expect(resolveBrief(projectUrl, brief)).toEqual(brief);
      }),
    );
  });

  it('uses the target URL of the project for an empty one', () => {
    const common = { targetUrl: 'https://a.example.com/' };
    expect(resolveBrief(projectUrl, common, { targetUrl: '' }).targetUrl).toBe(projectUrl);
  });

  it('refuses exceptions for sites that are not part of the order', () => {
    const briefs = { '12': { anchor: 'spades' }, '012': {}, '13': {}, __proto__x: {} };
    expect(errorsOf(() => parseBriefs({ briefs }, [12]))).toEqual({
      'briefs.012': 'Site #012 is not part of this order.',
      'briefs.13': 'Site #13 is not part of this order.',
      'briefs.__proto__x': 'Site #__proto__x is not part of this order.',
    });
    expect(parseBriefs({ briefs: { '12': { anchor: 'spades' } } }, [12]).briefs).toEqual({ 12: { anchor: 'spades' } });
  });
});

describe('the fields of a brief', () => {
  const url = 'Enter a web address, e.g. https://example.com/page.';
  const words = 'Enter 100 to 10,000 words.';
  it.each<[unknown, Record<string, string>]>([
    [{ targetUrl: 'javascript:alert(1)' }, { targetUrl: url }],
    [{ targetUrl: 'ftp://example.com/a' }, { targetUrl: url }],
    [{ targetUrl: 'https://user:secret@example.com/' }, { targetUrl: url }],
    [{ targetUrl: 'https://example.com/a b' }, { targetUrl: url }],
    [{ targetUrl: 'http://localhost/' }, { targetUrl: url }],
    [{ targetUrl: `https://example.com/${'a'.repeat(2_048)}` }, { targetUrl: 'Use at most 2,048 characters.' }],
    [{ targetUrl: 7 }, { targetUrl: url }],
    [{ anchor: 'a'.repeat(201) }, { anchor: 'Use at most 200 characters.' }],
    [{ anchor: 'two\nlines' }, { anchor: 'Enter the anchor text on one line.' }],
    [{ writer: 'admin' }, { writer: 'Choose one of buyer, seller.' }],
    [{ words: 99 }, { words }],
    [{ words: 10_001 }, { words }],
    [{ words: 500.5 }, { words }],
    [{ words: '500' }, { words }],
    [{ notes: 'a'.repeat(5_001) }, { notes: 'Use at most 5,000 characters.' }],
    [{ notBefore: '2026-02-30' }, { notBefore: 'Enter a date as YYYY-MM-DD.' }],
    [{ notBefore: '2026-03-09' }, { notBefore: 'Choose today or a later day.' }],
    [{ notBefore: '2027-03-11' }, { notBefore: 'Choose a day within the next 365 days.' }],
    [{ rel: 'me' }, { rel: 'Choose one of any, dofollow, nofollow, sponsored, ugc.' }],
    [{ articleId: '' }, { articleId: 'Upload the article first.' }],
    [{ articleId: 'one', writer: 'seller' }, { articleId: 'Attach an article only if the buyer writes it.' }],
  ])('refuses %j', (brief, expected) => {
    const named = (prefix: string) =>
      Object.fromEntries(Object.entries(expected).map(([field, message]) => [`${prefix}${field}`, message]));
    const parse = (fields: { brief?: unknown; briefs?: unknown }) =>
      errorsOf(() => parseBriefs(fields, [12], '2026-03-10'));
    expect(parse({ brief })).toEqual(named('brief.'));
    expect(parse({ briefs: { '12': brief } })).toEqual(named('briefs.12.'));
  });

  it('refuses a brief that is no object', () => {
    for (const brief of ['text', 7, null, [1]]) {
      expect(errorsOf(() => parseBriefs({ brief }, []))).toEqual({ brief: 'Enter the brief as an object.' });
    }
    expect(errorsOf(() => parseBriefs({ briefs: 'text' }, []))).toHaveProperty('briefs');
  });

  it('trims texts, completes a URL, and accepts the limits and today', () => {
    const brief = {
      targetUrl: ' example.com/page ',
      anchor: ` ${'a'.repeat(200)} `,
      words: 10_000,
      notes: 'a'.repeat(5_000),
      notBefore: '2026-03-10',
    };
    expect(parseBriefs({ brief }, [], '2026-03-10').brief).toEqual({
      ...brief,
      targetUrl: 'https://example.com/page',
      anchor: 'a'.repeat(200),
    });
  });

  it('accepts a day that has passed only if the stored brief has it', () => {
    const brief = { notBefore: '2020-01-01' };
    expect(errorsOf(() => requireValidBrief(brief, '2020-01-01'))).toBeNull();
    expect(errorsOf(() => requireValidBrief(brief, '2020-01-02'))).toEqual({
      notBefore: 'Choose today or a later day.',
    });
  });
});
