import { describe, expect, it } from 'vitest';
import { judgeHtml, articleText as text } from '@/tests/factories/judge-html';

const link = '<a href="https://buyer.example/shoes">red shoes</a>';

/** The reasons of a page with these directives, for an order that asks for dofollow. */
function judge({ head = '', headers = {} }: { head?: string; headers?: Record<string, string[]> }) {
  const page = `<!doctype html><head>${head}</head><body>${text}${link}`;
  const { verdict, evidence } = judgeHtml(page, { headers, now: new Date('2026-06-01T00:00:00Z') });
  expect(verdict).toBe(evidence.reasons.length === 0 ? 'ok' : 'changed');
  return evidence.reasons;
}
const judgeMeta = (content: string, name = 'robots') => judge({ head: `<meta name="${name}" content="${content}">` });
const judgeHeader = (...values: string[]) => judge({ headers: { 'x-robots-tag': values } });

const past = [
  '2020-09-21T00:00:00Z',
  '2020-09-21',
  '20200921',
  '2020-09-21T00:00:00+02:00',
  'Friday, 25-Jun-10 15:00:00 GMT',
  'Fri, 25 Jun 2010 15:00:00 +0200',
  '25 Jun 10 15:00:00 EST',
  '25 Jun 2010 15:00:00 PST',
  '25-Aug-2007 15:00:00 EST',
  'June 25, 2010',
  '2026-05-31T23:59:59Z',
  '2026-06-01T01:00:00+02:00',
  'Friday, 1 May 2026 10:00:00 GMT',
];
const open = [
  '2026-06-01T00:00:00Z',
  '2026-06-01',
  '2026-05-31T23:00:00-02:00',
  '2027-01-01',
  '20270101T000000Z',
  'Friday, 25-Jun-27 15:00:00 GMT',
  '31 Dec 2026 23:59:59 PST',
  '31 May 2026 20:00:00 EST',
  '25-Aug-2027 15:00:00 EST',
  // Not read, and so ignored.
  'tomorrow',
  'none',
  '2020-13-45',
  '32 Jun 2010 15:00:00 GMT',
  '',
];

describe('unavailable_after', () => {
  it.each(past)('%s hides the page, in any case and place', (date) => {
    for (const written of [date, date.toLowerCase(), date.toUpperCase()]) {
      expect(judgeMeta(`unavailable_after: ${written}`), written).toEqual(['noindex_meta']);
      expect(judgeMeta(`UNAVAILABLE_AFTER:${written}`, 'GoogleBot'), written).toEqual(['noindex_meta']);
      expect(judgeMeta(`max-snippet:-1, unavailable_after: ${written}, noarchive`), written).toEqual(['noindex_meta']);
      expect(judgeHeader(`unavailable_after: ${written}`), written).toEqual(['noindex_header']);
      expect(judgeHeader(`googlebot: noarchive, unavailable_after: ${written}`), written).toEqual(['noindex_header']);
      expect(judgeHeader(`otherbot: unavailable_after: ${written}`), written).toEqual([]);
    }
  });

  it.each(open)('%s does not, and lets others be read', (date) => {
    for (const written of [date, date.toLowerCase(), date.toUpperCase()]) {
      expect(judgeMeta(`unavailable_after: ${written}`), written).toEqual([]);
      expect(judgeMeta(`index, unavailable_after: ${written}, follow`), written).toEqual([]);
      expect(judgeHeader('all', `unavailable_after: ${written}`), written).toEqual([]);
      expect(judgeMeta(`unavailable_after: ${written}, noindex`), written).toEqual(['noindex_meta']);
      expect(judgeHeader(`unavailable_after: ${written}, nofollow`), written).toEqual(['page_nofollow']);
    }
  });
});

describe('a list of directives', () => {
  it.each([
    ['noindex', ['noindex_meta']],
    ['NOINDEX', ['noindex_meta']],
    ['NoFollow', ['page_nofollow']],
    ['none', ['page_nofollow', 'noindex_meta']],
    ['noindex,nofollow', ['page_nofollow', 'noindex_meta']],
    ['noindex, follow', ['noindex_meta']],
    [' index ,  noindex ', ['noindex_meta']],
    ['noindex nofollow', ['page_nofollow', 'noindex_meta']],
    ['noindex;nofollow', ['page_nofollow', 'noindex_meta']],
    ['follow\n,\tnoindex', ['noindex_meta']],
    ['index,nofollow', ['page_nofollow']],
    [',,noindex,', ['noindex_meta']],
    ['noindex/nofollow', ['noindex_meta']],
    ['max-image-preview:large, noindex', ['noindex_meta']],
    ['max-image-preview:none, max-snippet:0, noindex', ['noindex_meta']],
    ['noindex: true', ['noindex_meta']],
    ['robots: noindex', ['noindex_meta']],
    ['googlebot: noindex', ['noindex_meta']],
    ['indexifembedded, noindex', ['noindex_meta']],
    // Allowed.
    ['', []],
    ['all', []],
    ['index, follow', []],
    ['INDEX,FOLLOW', []],
    ['index, follow, max-snippet:-1, max-video-preview:-1, max-image-preview:large', []],
    ['max-image-preview:none', []],
    ['max-image-preview: none, max-snippet: 0', []],
    ['max-image-preview=none', []],
    ['noarchive, nosnippet, noimageindex, notranslate, noodp, noydir', []],
    ['noindexing, nofollowing, donotindex, no-index, no index', []],
    ['noai, noimageai', []],
    ['bingbot: noindex', []],
    ['NotionBot: noindex', []],
  ])('in a meta element: %j', (content, reasons) => {
    expect(judgeMeta(content)).toEqual(reasons);
    expect(judgeMeta(content, ' GOOGLEBOT ')).toEqual(reasons);
  });

  it.each([
    ['robot', ['noindex_meta']],
    ['bingbot', []],
    ['googlebot-news', []],
    ['googlebot-image', []],
    ['AdsBot-Google', []],
    ['robots-policy', []],
    ['description', []],
  ])('of the name %s', (name, reasons) => {
    expect(judgeMeta('noindex', name)).toEqual(reasons);
  });

  it('counts with the most restrictive of several', () => {
    const head =
      '<meta name=robots content=index><meta name=googlebot content="noindex"><meta name=robots content=all>';
    expect(judge({ head })).toEqual(['noindex_meta']);
    expect(judgeHeader('all', 'noindex', 'index')).toEqual(['noindex_header']);
  });

  it.each([
    [['noindex, nofollow'], ['page_nofollow', 'noindex_header']],
    [['NOARCHIVE', 'NoIndex'], ['noindex_header']],
    [['googlebot: noindex'], ['noindex_header']],
    [['Googlebot/2.1: noindex'], ['noindex_header']],
    [['googlebot:noindex,nofollow'], ['page_nofollow', 'noindex_header']],
    [['*: none'], ['page_nofollow', 'noindex_header']],
    [['otherbot: noarchive, googlebot: noindex'], ['noindex_header']],
    [['otherbot: noindex', 'nofollow'], ['page_nofollow']],
    [['noindex, otherbot: nofollow'], ['noindex_header']],
    [['X-Robots-Tag: noindex'], ['noindex_header']],
    [['noindex noarchive'], ['noindex_header']],
    [['otherbot: noindex, nofollow'], []],
    [['googlebot-news: noindex'], []],
    [['googlebot: index, bingbot: noindex, yandex: none'], []],
    [['max-image-preview: none'], []],
    [['all'], []],
  ])('in X-Robots-Tag: %j', (values, reasons) => {
    expect(judgeHeader(...values)).toEqual(reasons);
  });
});

describe('the header Link', () => {
  it.each([
    ['<https://blog.example/other>; REL=Canonical', ['canonical_elsewhere']],
    ['<https://blog.example/other>; title="a"; rel="shortlink canonical"', ['canonical_elsewhere']],
    ['<https://blog.example/Post>; rel=canonical', ['canonical_elsewhere']],
    ['<https://blog.example/post?ID=5>; rel=canonical', ['canonical_elsewhere']],
    ['<https://BLOG.example/post/>; rel=canonical', []],
    ['<https://blog.example/post?utm_source=x>; rel=canonical', []],
    // Only the first rel of a link counts, and text in quotes is none.
    ['<https://blog.example/other>; rel=next; rel=canonical', []],
    ['<https://blog.example/other>; rel=next; title="; rel=canonical"', []],
    ['<https://blog.example/other>; title="; rel=canonical"; rel=next', []],
    ['<https://blog.example/other>; rel=canonicals', []],
  ])('%s', (value, reasons) => {
    expect(judge({ headers: { link: [value] } })).toEqual(reasons);
  });
});
