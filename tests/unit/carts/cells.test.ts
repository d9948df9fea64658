import { expect, it } from 'vitest';
import { getCellText, setCellText } from '@/components/carts/brief-columns';
import { findSite } from '@/components/carts/map-paste';
import { emptyBrief } from '@/components/orders/brief-draft';
import { type BriefColumnKey, parseDay } from '@/lib/orders/briefs/parse-cells';

it.each<[BriefColumnKey, string, Partial<typeof emptyBrief>]>([
  ['rel', 'do-follow', { rel: 'dofollow' }],
  ['rel', 'Follow', { rel: 'dofollow' }],
  ['rel', 'No Follow', { rel: 'nofollow' }],
  ['rel', 'rel=sponsored', { rel: 'sponsored' }],
  ['rel', 'UGC', { rel: 'ugc' }],
  ['rel', '', { rel: 'any' }],
  ['rel', 'nofollow sponsored', { rel: 'nofollow sponsored' }],
  ['words', '1,200', { words: '1200' }],
  ['words', '1.200', { words: '1200' }],
  ['words', '1 200 words', { words: '1200' }],
  ['words', "1'200", { words: '1200' }],
  ['words', '1.2k', { words: '1200' }],
  ['words', '1200.0', { words: '1200' }],
  ['words', '800-1000', { words: '800-1000' }],
  ['words', '12,00', { words: '12' }],
  ['words', '1.5', { words: '1.5' }],
  ['notBefore', '15 Jan 2027', { notBefore: '2027-01-15' }],
  ['notBefore', '03/04/2027', { notBefore: '03/04/2027' }],
  ['anchor', ' two\nlines ', { anchor: 'two lines' }],
  ['notes', ' two\r\nlines ', { notes: 'two\nlines' }],
  ['article', 'Publisher writes', { writer: 'seller' }],
  ['article', 'buyer', { writer: 'buyer' }],
  ['article', 'text.docx', { writer: 'buyer', articleId: 'a1', articleFileName: 'text.docx' }],
  ['article', 'unknown.docx', { writer: 'unknown.docx' }],
])('the cell %s takes %j', (column, text, fields) => {
  const articles = [{ articleId: 'a1', articleFileName: 'text.docx' }];
  const brief = setCellText(emptyBrief, column, text, articles);
  expect(brief).toEqual({ ...emptyBrief, ...fields });
  // The text of a cell is the same value again, as copy and paste need it.
  expect(setCellText(emptyBrief, column, getCellText(brief, column), articles)).toEqual(brief);
});

it.each([
  ['2027-01-15', '2027-01-15'],
  ['2027/1/5', '2027-01-05'],
  ['2027-01-15T00:00:00', '2027-01-15'],
  ['15.01.2027', '2027-01-15'],
  ['15/01/2027', '2027-01-15'],
  ['1/15/2027', '2027-01-15'],
  ['3/3/2027', '2027-03-03'],
  ['3/4/2027', null],
  ['January 15th, 2027', '2027-01-15'],
  ['Fri, 15 Jan 2027', '2027-01-15'],
  ['Sept 1, 2027', '2027-09-01'],
  ['15-Jan-2027', '2027-01-15'],
  ['2027-02-30', null],
  ['15 Foo 2027', null],
  ['soon', null],
  ['', ''],
])('the day %j is read as %j', (text, day) => expect(parseDay(text)).toBe(day));

it.each([
  ['example.com', 1],
  ['https://www.Example.com/some/page?x=1', 1],
  ['www.example.com.', 1],
  ['#2', 2],
  ['2', 2],
  ['blog.example.com', undefined],
  ['example', undefined],
  ['', undefined],
])('the text %j names site %j of the cart', (text, siteId) => {
  const sites = [
    { siteId: 1, name: 'One', url: 'https://www.example.com/' },
    { siteId: 2, name: 'Two', url: 'https://two.example.org' },
  ];
  expect(findSite(text, sites)?.siteId).toBe(siteId);
});
