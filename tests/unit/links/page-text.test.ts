import { describe, expect, it } from 'vitest';
import { isXmlType, readMediaType } from '@/lib/links/media-type';
import { judgeHtml } from '@/tests/factories/judge-html';

const text = `<p>${'Lorem ipsum dolor sit amet, consectetur. '.repeat(8)}</p>`;
const link = '<a href="https://buyer.example/shoes">shoes</a>';

type Sent = { body: string | Buffer; types?: string[]; anchor?: string; isPartial?: boolean };

function judge({ body, types = ['text/html'], anchor = '', isPartial = false }: Sent) {
  const headers = types.length > 0 ? { 'content-type': types } : {};
  const { verdict, evidence } = judgeHtml(body, { wanted: { anchor }, response: { headers, isPartial } });
  return { verdict, reason: evidence.reasons[0], anchor: evidence.anchor };
}

/** A page whose link has these bytes as its text. */
const withAnchor = (bytes: number[], head = '') =>
  Buffer.concat([
    Buffer.from(
      `<!doctype html><html><head>${head}</head><body>${text}<a href="https://buyer.example/shoes">`,
      'latin1',
    ),
    Buffer.from(bytes),
    Buffer.from('</a></body></html>'),
  ]);
const mens = [0x6d, 0x65, 0x6e, 0x92, 0x73];

describe('the text of a page', () => {
  it.each([
    'iso-8859-1',
    'ISO-8859-1',
    ' latin1 ',
    'us-ascii',
    'ascii',
    'windows-1252',
    'cp1252',
    'x-cp1252',
    'l1',
    'iso_8859-1:1987',
    'ibm819',
  ])('is windows-1252 under the label %j, in the header and in the page', (label) => {
    const sent = withAnchor([...mens, 0x20, 0x80, 0x9f]);
    expect(judge({ body: sent, types: [`text/html; charset=${label}`] }).anchor).toBe('men’s €Ÿ');
    expect(judge({ body: sent, types: [`text/html; charset="${label}"`] }).anchor).toBe('men’s €Ÿ');
    expect(judge({ body: withAnchor(mens, `<meta charset="${label}">`) }).anchor).toBe('men’s');
    const pragma = `<meta http-equiv=Content-Type content="text/html; charset=${label.trim()}">`;
    expect(judge({ body: withAnchor(mens, pragma) }).anchor).toBe('men’s');
  });

  it.each<[label: string, bytes: number[], anchor: string]>([
    ['iso-8859-9', [0xfd, 0x92, 0x80], 'ı’€'],
    ['windows-1254', [0xfe, 0x9f], 'şŸ'],
    ['windows-1250', [0x8a, 0x92, 0x9f], 'Š’ź'],
    ['windows-1251', [0xee, 0x80, 0x92], 'оЂ’'],
    ['windows-1253', [0x80, 0x92, 0xe1], '€’α'],
    ['windows-1257', [0x80, 0x92, 0xe0], '€’ą'],
    ['windows-874', [0x80, 0x92, 0xa1], '€’ก'],
    ['tis-620', [0xa1], 'ก'],
    ['iso-8859-2', [0xb1, 0x92], 'ą\u0092'],
    ['iso-8859-15', [0xa4], '€'],
    ['iso-8859-16', [0xa4, 0xaa], '€Ș'],
    ['iso-8859-8-i', [0xe0], 'א'],
    ['koi8-r', [0xc1], 'а'],
    ['koi8-u', [0xa4], 'є'],
    ['macintosh', [0x80, 0xd5], 'Ä’'],
    ['x-mac-cyrillic', [0x80], 'А'],
    ['ibm866', [0x80], 'А'],
    ['gb2312', [0xd0, 0xac], '鞋'],
    ['gbk', [0x80, 0xd0, 0xac], '€鞋'],
    ['gb18030', [0xd0, 0xac, 0x81, 0x30, 0x81, 0x30], '鞋\u0080'],
    ['big5', [0xbe, 0x63], '鞋'],
    ['shift_jis', [0x8c, 0x43], '靴'],
    ['euc-jp', [0xb7, 0xa4], '靴'],
    ['euc-kr', [0xbd, 0xc5], '신'],
    ['ks_c_5601-1987', [0xbd, 0xc5], '신'],
  ])('in %s has the characters of its table', (label, bytes, anchor) => {
    expect(judge({ body: withAnchor(bytes), types: [`text/html;charset=${label}`] }).anchor).toBe(anchor);
  });

  it.each<[name: string, sent: Sent, anchor: string | null]>([
    [
      'a mark before the header',
      { body: `\ufeff${text}${link.replace('shoes<', 'men’s<')}`, types: ['text/html; charset=iso-8859-1'] },
      'men’s',
    ],
    [
      'the header before the page',
      { body: withAnchor([0xee], '<meta charset=windows-1251>'), types: ['text/html; charset=latin1'] },
      'î',
    ],
    [
      'the page after an unknown label',
      { body: withAnchor([0xee], '<meta charset=windows-1251>'), types: ['text/html; charset=klingon'] },
      'о',
    ],
    [
      'the second declaration after an unknown one',
      { body: withAnchor([0xee], '<meta charset=klingon><meta charset=windows-1251>') },
      'о',
    ],
    ['a declaration in a comment', { body: withAnchor(mens, '<!-- <meta charset=windows-1251> -->') }, 'men’s'],
    [
      'a declaration in an attribute',
      { body: withAnchor(mens, '<link title="<meta charset=windows-1251>">') },
      'men’s',
    ],
    [
      'a declaration behind scripts',
      { body: withAnchor([0xee], `<script>${'x'.repeat(3_000)}</script><meta charset=windows-1251>`) },
      'о',
    ],
    [
      'a declaration of UTF-16 in the page',
      { body: Buffer.from(`<meta charset=utf-16>${text}${link.replace('shoes<', 'men’s<')}`) },
      'men’s',
    ],
    [
      'a declaration without a label',
      { body: withAnchor(mens, '<meta http-equiv=content-type content="text/html; charset">') },
      'men’s',
    ],
    [
      'a declaration with an empty label',
      { body: withAnchor(mens, '<meta http-equiv=content-type content="text/html; charset=">') },
      'men’s',
    ],
    [
      'a declaration of XML',
      { body: Buffer.concat([Buffer.from('<?xml version="1.0" encoding="windows-1251"?>'), withAnchor([0xee])]) },
      'о',
    ],
    ['single quotes in the header', { body: withAnchor([0xee]), types: ["text/html; charset='windows-1251'"] }, 'о'],
    ['x-user-defined in the page', { body: withAnchor(mens, '<meta charset=x-user-defined>') }, 'men’s'],
    [
      'x-user-defined in the header',
      { body: withAnchor([0x92]), types: ['text/html; charset=x-user-defined'] },
      '\uf792',
    ],
    ['no declaration', { body: withAnchor(mens) }, 'men’s'],
    [
      'two types, of which the last counts',
      { body: withAnchor([0xee]), types: ['text/plain', 'text/html; charset=windows-1251'] },
      'о',
    ],
    ['two types in one', { body: withAnchor([0xee]), types: ['text/html; charset=windows-1251, text/html'] }, 'о'],
    [
      'two charsets, of which the last counts',
      { body: withAnchor([0xee]), types: ['text/html; charset=utf-8', 'text/html; charset=windows-1251'] },
      'о',
    ],
    ['no type', { body: withAnchor(mens), types: [] }, 'men’s'],
    ['no valid type', { body: withAnchor(mens), types: ['html'] }, 'men’s'],
    ['an unknown type', { body: withAnchor(mens), types: ['unknown/unknown'] }, 'men’s'],
  ])('is read by %s', (_name, sent, anchor) => {
    expect(judge(sent)).toMatchObject({ verdict: 'ok', anchor });
  });

  it.each<[types: string[], reason: string]>([
    [['text/html; charset=hz-gb-2312'], 'charset'],
    [['text/html; charset=iso-2022-kr'], 'charset'],
    [['text/html', 'text/plain'], 'not_html'],
    [['image/svg+xml'], 'not_html'],
    [['application/json'], 'not_html'],
  ])('is not read as %j', (types, reason) => {
    expect(judge({ body: `<html>${text}${link}</html>`, types })).toMatchObject({ verdict: 'unknown', reason });
  });

  it('is unknown when it is compressed once more than its headers say', () => {
    expect(judge({ body: Buffer.from([0x1f, 0x8b, 8, 0, 0]) })).toMatchObject({
      verdict: 'unknown',
      reason: 'encoding',
    });
  });

  it('that ended early shows a link, but not that there is none', () => {
    expect(judge({ body: text + link, isPartial: true }).verdict).toBe('ok');
    expect(judge({ body: text, isPartial: true })).toMatchObject({ verdict: 'unknown', reason: 'interrupted' });
  });
});

describe('a media type', () => {
  it.each([
    [['text/html'], 'text/html', null],
    [['TEXT/HTML;Charset=UTF-8'], 'text/html', 'UTF-8'],
    [['text/html;charset="a\\"b"'], 'text/html', 'a"b'],
    [['text/html; x="a, text/plain; charset=x"; charset=utf-8'], 'text/html', 'utf-8'],
    [['text/html; charset=a; charset=b'], 'text/html', 'a'],
    [['text/html;charset'], 'text/html', null],
    [['text/html;charset='], 'text/html', null],
    [['text/html; charset=gbk', 'text/html'], 'text/html', 'gbk'],
    [['text/html; charset=gbk', 'text/plain', 'text/html'], 'text/html', null],
    [['text/html; charset=gbk', '*/*'], 'text/html', 'gbk'],
    [['text/html; charset=gbk', 'nonsense'], 'text/html', 'gbk'],
    [['text/html; charset=gbk,text/html; x=y'], 'text/html', 'gbk'],
  ] as const)('%j is read as browsers do', (values, essence, charset) => {
    expect(readMediaType([...values])).toEqual({ essence, charset });
  });

  it('is none without a valid value, and takes no long time', () => {
    expect([[], [''], ['html'], ['text/'], ['/html'], ['*/*'], [',,']].map(readMediaType)).toEqual(Array(7).fill(null));
    for (const part of ['"', ';', ',', ' ', '\\"', ';charset=', 'a/', '";"'])
      expect(readMediaType([`text/html;${part.repeat(32_000 / part.length)}`])).not.toBe(undefined);
    expect(
      ['application/xhtml+xml', 'text/xml', 'text/html'].map((essence) => isXmlType({ essence, charset: null })),
    ).toEqual([true, true, false]);
  });
});

const xhtml = (body: string, head = '<title/>', doctype = '') =>
  `<?xml version="1.0" encoding="UTF-8"?>${doctype}<html xmlns="http://www.w3.org/1999/xhtml"><head>${head}</head><body>${text}${body}</body></html>`;
const oldDoctype =
  '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd">';

describe('XHTML by its media type', () => {
  it.each<[name: string, body: string, verdict: string, reason?: string]>([
    ['an empty title', xhtml(link), 'ok'],
    ['an empty script', xhtml(`<script src="x"/>${link}`), 'ok'],
    ['an empty style sheet', xhtml(link, '<title>x</title><style/>'), 'ok'],
    ['an empty anchor', xhtml(`<a id="x"/>${link}`), 'ok'],
    ['an empty block', xhtml(`<div hidden="hidden"/>${link}`), 'ok'],
    ['an empty frame and field', xhtml(`<iframe src="x"/><textarea/>${link}`), 'ok'],
    ['a prefix', xhtml('<h:a xmlns:h="http://www.w3.org/1999/xhtml" href="https://buyer.example/shoes">x</h:a>'), 'ok'],
    ['names of characters', xhtml(`&nbsp;&eacute;${link}`, '<title/>', oldDoctype), 'ok'],
    ['CDATA around a script', xhtml(`<script>//<![CDATA[\nif (a < b && c) x('</a>');\n//]]></script>${link}`), 'ok'],
    ['characters by number', xhtml(`&#160;&#x201c;${link}`), 'ok'],
    ['the doctype of HTML 5', xhtml(link, '<title/>', '<!DOCTYPE html>'), 'ok'],
    ['no link', xhtml(''), 'broken', 'link_missing'],
    ['a link in CDATA', xhtml(`<![CDATA[${link}]]>`), 'broken', 'link_missing'],
    ['a link in a comment', xhtml(`<!-- ${link} -->`), 'broken', 'link_missing'],
    ['a link in a template', xhtml(`<template>${link}</template>`), 'broken', 'link_missing'],
    ['a link in noscript', xhtml(`<noscript>${link}</noscript>`), 'broken', 'link_hidden'],
    [
      'an element with another case',
      xhtml('<A href="https://buyer.example/shoes">shoes</A>'),
      'broken',
      'link_missing',
    ],
    [
      'a link of another namespace',
      xhtml('<a xmlns="urn:x" href="https://buyer.example/shoes">shoes</a>'),
      'broken',
      'link_missing',
    ],
    ['noindex', xhtml(link, '<meta name="robots" content="noindex"/>'), 'changed', 'noindex_meta'],
    ['an open element', xhtml(`<p>${link}`), 'unknown', 'malformed'],
    ['a bare ampersand', xhtml(`a & b ${link}`), 'unknown', 'malformed'],
    ['an unknown name of a character', xhtml(`&nbsp;${link}`), 'unknown', 'malformed'],
    ['an attribute without quotes', xhtml('<a href=https://buyer.example/shoes>x</a>'), 'unknown', 'malformed'],
    [
      'entities that expand',
      xhtml(`&a;${link}`, '<title/>', '<!DOCTYPE html [<!ENTITY a "aaaa">]>'),
      'unknown',
      'malformed',
    ],
    ['nothing', '', 'unknown', 'malformed'],
    ['no namespace', `<html><body>${text}${link}</body></html>`, 'unknown', 'not_html'],
    ['another document', '<rss version="2.0"><channel/></rss>', 'unknown', 'not_html'],
    ['a deep tree', xhtml('<b>'.repeat(600) + '</b>'.repeat(600)), 'unknown', 'too_complex'],
    ['many elements', xhtml('<b/>'.repeat(100_001)), 'unknown', 'too_complex'],
  ])('with %s is %s', (_name, body, verdict, reason) => {
    for (const type of [
      'application/xhtml+xml',
      'application/xhtml+xml; charset=utf-8',
      'text/xml',
      'application/xml',
    ]) {
      expect(judge({ body, types: [type] })).toMatchObject({ verdict, ...(reason && { reason }) });
    }
  });

  it('is decoded by its declaration', () => {
    const body = Buffer.from(xhtml(link.replace('shoes<', 'men\x92s<')).replace('UTF-8', 'iso-8859-1'), 'latin1');
    expect(judge({ body, types: ['application/xhtml+xml'] }).anchor).toBe('men’s');
    const marked = Buffer.from(`\ufeff${xhtml(link).replace('UTF-8', 'UTF-16')}`, 'utf16le');
    expect(judge({ body: marked, types: ['application/xhtml+xml'] }).verdict).toBe('ok');
  });

  it('is read as HTML when it is sent as HTML', () => {
    expect(judge({ body: xhtml(link) }).verdict).toBe('broken');
    expect(judge({ body: xhtml(link, '<title></title>') }).verdict).toBe('ok');
  });

  it('is judged in a few seconds, whatever it contains', () => {
    for (const part of [
      '<a>',
      '<a/>',
      '&',
      '&amp;',
      '<!--',
      '<![CDATA[',
      '<?x ',
      ' x="y"',
      '&nbsp;',
      '<a xmlns:a="b">',
    ]) {
      judge({ body: xhtml(part.repeat(Math.floor((1024 * 1024) / part.length)), '', oldDoctype), types: ['text/xml'] });
    }
  });
});
