import { describe, expect, it } from 'vitest';
import type { LinkVerdict } from '@/db/schema/links';
import { judgePage, type LinkReason, type WantedLink } from '@/lib/links/judge-page';
import type { PageFetch, PageResponse } from '@/lib/links/page-fetch';
import { expectLinearTime } from '@/tests/setup/expect-linear-time';

const wanted: WantedLink = {
  siteDomain: 'blog.com',
  targetUrl: 'https://shop.com/shoes',
  rel: 'dofollow',
  anchor: 'red shoes',
};
const link = '<a href="https://shop.com/shoes">red shoes</a>';
const text = `<p>${'An article about shoes. '.repeat(20)}</p>`;

type Page = {
  html?: string | Buffer;
  status?: number;
  url?: string;
  type?: string;
  headers?: Record<string, string[]>;
  wanted?: Partial<WantedLink>;
  robots?: 'allowed' | 'disallowed';
};

function judge({ html = '', status = 200, url = 'https://blog.com/post', type = 'text/html', ...rest }: Page) {
  const fetched: PageResponse = {
    ok: true,
    status,
    url,
    redirects: [],
    headers: { ...(type && { 'content-type': [type] }), ...rest.headers },
    body: Buffer.from(html),
  };
  const now = new Date('2026-06-01T00:00:00Z');
  return judgePage({ ...wanted, ...rest.wanted }, fetched, { robots: rest.robots ?? 'allowed', now });
}

type Row = [name: string, page: Page, verdict: LinkVerdict, reasons?: LinkReason[]];

const inBody = (html: string) => ({ html: `<!doctype html><body>${text}${html}` });
const inHead = (html: string) => ({ html: `<!doctype html><head>${html}</head><body>${text}${link}` });
const anchor = (href: string) => inBody(`<a href="${href}">red shoes</a>`);
const noLink: [LinkVerdict, LinkReason[]] = ['broken', ['link_missing']];
const hidden: [LinkVerdict, LinkReason[]] = ['broken', ['link_hidden']];

const rows: Row[] = [
  ['the ordered link', inBody(link), 'ok', []],
  // Where the link is.
  ['in a comment', inBody(`<!-- ${link} -->`), ...noLink],
  ['in a comment that an old browser ends', inBody(`<!-- --!>${link}`), 'ok'],
  ['in an unfinished comment', inBody(`<!-- ${link}`), ...noLink],
  ['in a template', inBody(`<template>${link}</template>`), ...noLink],
  ['in noscript', inBody(`<noscript>${link}</noscript>`), ...noLink],
  ['in a script', inBody(`<script>'${link}'</script>`), ...noLink],
  ['in a textarea', inBody(`<textarea>${link}</textarea>`), ...noLink],
  ['in the title', { html: `<title>${link}</title>${text}` }, ...noLink],
  ['in an iframe', inBody(`<iframe srcdoc='${link}'>${link}</iframe>`), ...noLink],
  ['in plain text', inBody(`<plaintext>${link}`), ...noLink],
  ['in an attribute', inBody(`<img alt='${link}'>`), ...noLink],
  ['as escaped text', inBody('&lt;a href="https://shop.com/shoes">red shoes&lt;/a>'), ...noLink],
  ['in SVG', inBody('<svg><a href="https://shop.com/shoes"><text>red shoes</text></a></svg>'), ...noLink],
  ['in the fallback of a video', inBody(`<video>${link}</video>`), ...hidden],
  ['in a table that the parser repairs', inBody(`<table>${link}<tr><td>x</table>`), 'ok'],
  ['without end tags', inBody('<a href=https://shop.com/shoes>red shoes'), 'ok'],
  ['in capitals', inBody('<A HREF="https://shop.com/shoes">red shoes</A>'), 'ok'],
  ['inside another link', inBody(`<a href="/x">x ${link}</a>`), 'ok'],
  [
    'in a button without an address',
    inBody('<button data-href="https://shop.com/shoes">red shoes</button>'),
    ...noLink,
  ],
  ['with two addresses', inBody('<a href="/x" href="https://shop.com/shoes">red shoes</a>'), ...noLink],
  // Hidden.
  ['with the attribute hidden', inBody(`<p hidden>${link}</p>`), ...hidden],
  ['hidden, and shown by its style', inBody(`<p hidden style="display:block">${link}</p>`), 'ok'],
  ['with display:none', inBody(`<div style="color:red; DISPLAY : None"><p>${link}</p></div>`), ...hidden],
  [
    'with display:none that a later declaration ends',
    inBody(`<p style="display:none;display:block">${link}</p>`),
    'ok',
  ],
  ['with an important display:none', inBody(`<p style="display:none!important;display:block">${link}</p>`), ...hidden],
  ['with a comment in the style', inBody(`<p style="display:/* block */none">${link}</p>`), ...hidden],
  ['with visibility:hidden', inBody(`<p style="visibility:hidden"><b>${link}</b></p>`), ...hidden],
  [
    'visible inside an invisible parent',
    inBody(`<p style="visibility:hidden"><b style="visibility:visible">${link}</b></p>`),
    'ok',
  ],
  ['with opacity:0', inBody(`<p style="opacity:0.0">${link}</p>`), ...hidden],
  ['with half opacity', inBody(`<p style="opacity:0.5">${link}</p>`), 'ok'],
  ['in a closed dialog', inBody(`<dialog>${link}</dialog>`), ...hidden],
  ['in an open dialog', inBody(`<dialog open>${link}</dialog>`), 'ok'],
  ['in closed details', inBody(`<details><summary>More</summary>${link}</details>`), 'ok'],
  ['in a popover', inBody(`<div popover>${link}</div>`), ...hidden],
  ['hidden, and visible again below', inBody(`<p hidden>${link}</p>${link}`), 'ok'],
  // The address.
  ['with a slash at its end', anchor('https://shop.com/shoes/'), 'ok'],
  ['with http', anchor('http://shop.com/shoes'), 'ok'],
  ['without the scheme', anchor('//shop.com/shoes'), 'ok'],
  ['with www', anchor('https://www.shop.com/shoes'), 'ok'],
  ['with the default port', anchor('https://shop.com:443/shoes'), 'ok'],
  ['with another port', anchor('https://shop.com:8443/shoes'), ...noLink],
  ['with a fragment', anchor('https://shop.com/shoes#red'), 'ok'],
  ['with tracking parameters', anchor('https://shop.com/shoes?utm_source=blog&amp;gclid=1&fbclid=2'), 'ok'],
  ['with another parameter', anchor('https://shop.com/shoes?color=blue'), ...noLink],
  ['with spaces and line breaks', anchor(' \n https://shop.com/\nshoes\t'), 'ok'],
  ['with needless percent-encoding', anchor('https://shop.com/%73hoes'), 'ok'],
  ['with a path in another case', anchor('https://shop.com/Shoes'), ...noLink],
  ['to another page of the shop', anchor('https://shop.com/'), ...noLink],
  ['to another domain with the same beginning', anchor('https://shop.com.evil.net/shoes'), ...noLink],
  ['with the target as user name', anchor('https://shop.com@evil.net/shoes'), ...noLink],
  ['through a redirect of the blog', anchor('/go?to=https://shop.com/shoes'), ...noLink],
  ['with a scheme of scripts', anchor('javascript:location="https://shop.com/shoes"'), ...noLink],
  ['with an invalid address', anchor('https://shop com/shoes'), ...noLink],
  [
    'relative, on the own site',
    { ...anchor('../shoes'), wanted: { targetUrl: 'https://blog.com/shoes' }, url: 'https://blog.com/a/b' },
    'ok',
  ],
  ['relative to a base', { html: `<base href="https://shop.com/a/">${text}<a href="../shoes">red shoes</a>` }, 'ok'],
  [
    'relative to a base elsewhere',
    { html: `<base href="https://evil.net/">${text}<a href="/shoes">red shoes</a>` },
    ...noLink,
  ],
  [
    'with a second base',
    { html: `<base href="https://shop.com/"><base href="/x">${text}<a href="shoes">red shoes</a>` },
    'ok',
  ],
  ['with a base of scripts', { html: `<base href="javascript:x">${text}${link}` }, 'ok'],
  [
    'to a name in other letters',
    { ...anchor('https://xn--mnchen-3ya.de/'), wanted: { targetUrl: 'https://münchen.de' } },
    'ok',
  ],
  [
    'from a name in other letters',
    { ...anchor('https://MÜNCHEN.de'), wanted: { targetUrl: 'https://xn--mnchen-3ya.de' } },
    'ok',
  ],
  // Its rel.
  [
    'with nofollow',
    inBody('<a rel="NoFollow noopener" href="https://shop.com/shoes">red shoes</a>'),
    'changed',
    ['rel_changed'],
  ],
  ['with ugc', inBody('<a rel=ugc href="https://shop.com/shoes">red shoes</a>'), 'changed', ['rel_changed']],
  ['with noopener alone', inBody('<a rel="noopener noreferrer" href="https://shop.com/shoes">red shoes</a>'), 'ok'],
  [
    'with any rel, when any was ordered',
    { ...inBody('<a rel=nofollow href="https://shop.com/shoes">red shoes</a>'), wanted: { rel: 'any' } },
    'ok',
  ],
  ['without the ordered sponsored', { ...inBody(link), wanted: { rel: 'sponsored' } }, 'changed', ['rel_changed']],
  [
    'with the ordered sponsored',
    {
      ...inBody('<a rel="sponsored nofollow" href="https://shop.com/shoes">red shoes</a>'),
      wanted: { rel: 'sponsored' },
    },
    'ok',
  ],
  [
    'twice, the second one as ordered',
    inBody(`<a rel=nofollow href="https://shop.com/shoes">red shoes</a>${link}`),
    'ok',
    ['several_links'],
  ],
  [
    'twice, none as ordered',
    inBody('<a rel=nofollow href="https://shop.com/shoes">red shoes</a><a rel=ugc href="https://shop.com/shoes">x</a>'),
    'changed',
    ['rel_changed', 'several_links'],
  ],
  ['on a page with nofollow', inHead('<meta name=robots content="index, nofollow">'), 'changed', ['page_nofollow']],
  // Its text.
  ['with another text', inBody('<a href="https://shop.com/shoes">blue shoes</a>'), 'changed', ['anchor_changed']],
  [
    'with any text, when none was ordered',
    { ...inBody('<a href="https://shop.com/shoes">x</a>'), wanted: { anchor: '' } },
    'ok',
  ],
  [
    'with spaces, case and formatting',
    inBody('<a href="https://shop.com/shoes"> Red\n<b>SHO</b>&#8203;es&nbsp;</a>'),
    'ok',
  ],
  [
    'with typographic quotes',
    { ...inBody('<a href="https://shop.com/shoes">men’s – “red”</a>'), wanted: { anchor: 'men\'s - "red"' } },
    'ok',
  ],
  ['as a picture', inBody('<a href="https://shop.com/shoes"><img src=x alt="Red shoes"></a>'), 'ok'],
  [
    'as a picture without a text',
    inBody('<a href="https://shop.com/shoes"><img src=x></a>'),
    'changed',
    ['link_without_text'],
  ],
  [
    'without a text',
    { ...inBody('<a href="https://shop.com/shoes"> </a>'), wanted: { anchor: '' } },
    'changed',
    ['link_without_text'],
  ],
  [
    'with invisible characters as its text',
    { ...inBody('<a href="https://shop.com/shoes">&#8203;&#12644;&#10240;</a>'), wanted: { anchor: '' } },
    'changed',
    ['link_without_text'],
  ],
  ['with a hidden part', inBody('<a href="https://shop.com/shoes">red shoes<span hidden> for men</span></a>'), 'ok'],
  // Search engines.
  ['with noindex', inHead('<meta name="robots" content="noindex">'), 'changed', ['noindex_meta']],
  ['with none', inHead('<META NAME="Robots" CONTENT="NONE">'), 'changed', ['page_nofollow', 'noindex_meta']],
  [
    'with noindex for Googlebot',
    inHead('<meta name=googlebot content="noarchive,noindex">'),
    'changed',
    ['noindex_meta'],
  ],
  ['with noindex for another crawler', inHead('<meta name=bingbot content=noindex>'), 'ok'],
  ['with noindex in a comment', inHead('<!-- <meta name=robots content=noindex> -->'), 'ok'],
  [
    'with noindex in the body',
    { html: `${text}${link}<meta name=robots content=noindex>` },
    'changed',
    ['noindex_meta'],
  ],
  [
    'available until a past day',
    inHead('<meta name=robots content="unavailable_after: Friday, 1 May 2026 10:00:00 GMT">'),
    'changed',
    ['noindex_meta'],
  ],
  ['available until a later day', inHead('<meta name=robots content="unavailable_after: 2027-01-01">'), 'ok'],
  [
    'with X-Robots-Tag',
    { ...inBody(link), headers: { 'x-robots-tag': ['noarchive', 'NOINDEX'] } },
    'changed',
    ['noindex_header'],
  ],
  [
    'with X-Robots-Tag for Googlebot',
    { ...inBody(link), headers: { 'x-robots-tag': ['otherbot: nofollow, googlebot: max-snippet: 5, noindex'] } },
    'changed',
    ['noindex_header'],
  ],
  [
    'with X-Robots-Tag for another crawler',
    { ...inBody(link), headers: { 'x-robots-tag': ['otherbot: noindex, nofollow'] } },
    'ok',
  ],
  [
    'with X-Robots-Tag until a past day',
    { ...inBody(link), headers: { 'x-robots-tag': ['unavailable_after: 25 Jun 2010 15:00:00 PST'] } },
    'changed',
    ['noindex_header'],
  ],
  [
    'with a canonical address elsewhere',
    inHead('<link rel=canonical href="https://other.com/post">'),
    'changed',
    ['canonical_elsewhere'],
  ],
  ['with its own canonical address', inHead('<link rel="Canonical shortlink" href="/post/">'), 'ok'],
  ['with two canonical addresses', inHead('<link rel=canonical href="/other"><link rel=canonical href="/post">'), 'ok'],
  ['with an empty canonical address', inHead('<link rel=canonical href="">'), 'ok'],
  ['with a canonical address in the body', inBody(`${link}<link rel=canonical href="https://other.com/">`), 'ok'],
  [
    'with a canonical address in a header',
    { ...inBody(link), headers: { link: ['</a>; rel=next, <https://other.com/x>; title="a;b"; rel="canonical"'] } },
    'changed',
    ['canonical_elsewhere'],
  ],
  ['with robots.txt against Googlebot', { ...inBody(link), robots: 'disallowed' }, 'changed', ['blocked_for_google']],
  // Pages that lead on.
  [
    'with a refresh to another page',
    inHead('<meta http-equiv=refresh content="0; url=/other">'),
    'changed',
    ['meta_refresh'],
  ],
  [
    'with a refresh to another domain',
    inHead('<meta http-equiv=Refresh content="0;URL=\'https://other.com/\'">'),
    'broken',
    ['other_domain'],
  ],
  [
    'with the slowest refresh that counts',
    inHead('<meta http-equiv=refresh content="5; url=/other">'),
    'changed',
    ['meta_refresh'],
  ],
  ['with a slow refresh', inHead('<meta http-equiv=refresh content="6; url=/other">'), 'ok'],
  ['that reloads itself', inHead('<meta http-equiv=refresh content="3">'), 'ok'],
  ['with a refresh to a script', inHead('<meta http-equiv=refresh content="0; url=javascript:x">'), 'ok'],
  [
    'with a refresh and no link',
    { html: `<meta http-equiv=refresh content="0;/other">${text}` },
    'unknown',
    ['leads_on'],
  ],
  [
    'with a refresh in a header',
    { ...inBody(link), headers: { refresh: ['0; url=https://other.com/'] } },
    'broken',
    ['other_domain'],
  ],
  ['on another domain', { ...inBody(link), url: 'https://other.com/post' }, 'broken', ['other_domain']],
  ['on a subdomain', { ...inBody(link), url: 'https://www.blog.com/post' }, 'ok'],
  [
    'on another blog of the same host',
    { ...inBody(link), url: 'https://b.blogspot.com/', wanted: { siteDomain: 'a.blogspot.com' } },
    'broken',
    ['other_domain'],
  ],
  [
    'as a file on another domain',
    { html: 'x', type: 'application/pdf', url: 'https://other.com/' },
    'broken',
    ['other_domain'],
  ],
  // Character encodings.
  ['in UTF-16 with a mark', { html: Buffer.from(`\ufeff${text}${link}`, 'utf16le') }, 'ok'],
  [
    'in UTF-16 by its header',
    { html: Buffer.from(`${text}${link}`, 'utf16le'), type: 'text/html; charset="UTF-16LE"' },
    'ok',
  ],
  [
    'in windows-1251 by its meta',
    {
      html: Buffer.concat([
        Buffer.from(`<meta charset=windows-1251>${text}<a href="https://shop.com/shoes">`),
        Buffer.from([0xee, 0xe1, 0xf3, 0xe2, 0xfc]),
      ]),
      wanted: { anchor: 'обувь' },
    },
    'ok',
  ],
  [
    'with a header against the meta',
    {
      html: `<meta charset=windows-1251>${text}<a href="https://shop.com/shoes">обувь`,
      type: 'text/html;charset=utf-8',
      wanted: { anchor: 'обувь' },
    },
    'ok',
  ],
  ['in a charset that does not exist', { ...inBody(link), type: 'text/html; charset=klingon' }, 'ok'],
  [
    'in a charset that is only decoded as an error',
    { ...inBody(link), type: 'text/html; charset=hz-gb-2312' },
    'unknown',
    ['charset'],
  ],
  [
    'as XHTML',
    {
      html: `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><body>${text}${link}</body></html>`,
      type: 'application/xhtml+xml',
    },
    'ok',
  ],
  // What is not the page.
  ['as a PDF', { html: '%PDF-1.7', type: 'application/pdf' }, 'unknown', ['not_html']],
  ['as plain text', { ...inBody(link), type: 'text/plain' }, 'unknown', ['not_html']],
  ['without a type', { ...inBody(link), type: '' }, 'ok'],
  ['of nothing, without a type', { type: '' }, 'unknown', ['not_html']],
  ['that a script fills', { html: '<div id=root></div><script src=app.js></script>' }, 'unknown', ['needs_script']],
  ['that is empty', { html: '' }, ...noLink],
  ['of frames', { html: `<frameset><frame src="https://other.com"></frameset>` }, ...noLink],
  ['with a tree without end', { html: '<div>'.repeat(100_000) }, 'unknown', ['too_complex']],
  ['with elements without end', { html: '<p>x'.repeat(200_000) }, 'unknown', ['too_complex']],
  [
    'with formatting that multiplies',
    { html: Array.from({ length: 400 }, (_, n) => `<b n=${n}>`).join('') + '<p>x'.repeat(100_000) },
    'unknown',
    ['too_complex'],
  ],
  ['with comments without end', { html: '<!>'.repeat(200_000) }, 'unknown', ['too_complex']],
  [
    'with attributes that multiply',
    { html: `<p><b title="${'x'.repeat(50_000)}">${'<p>x'.repeat(200)}${link}` },
    'unknown',
    ['too_complex'],
  ],
  ['with a long attribute', inBody(`<p><b title="${'x'.repeat(1_000_000)}"><p>x</b>${link}`), 'ok'],
  [
    'with 94,000 hidden links',
    { html: `${link}${'<a hidden href=/a?b>x'.repeat(94_000)}` },
    'unknown',
    ['too_complex'],
  ],
  ['with 10,000 links', inBody(`${'<a href=/a?b>x</a>'.repeat(10_000)}${link}`), 'ok'],
  ['with a text of single letters', inBody(`${'x '.repeat(300_000)}${link}`), 'ok'],
  [
    'with attributes without end',
    { html: `<p ${Array.from({ length: 200_000 }, (_, n) => `a${n}`).join(' ')}>${text}${link}` },
    'ok',
  ],
];

describe('a page', () => {
  it.each(rows)('%s', (_name, page, verdict, reasons) => {
    const judged = judge(page);
    expect([judged.verdict, judged.evidence.reasons]).toEqual([verdict, reasons ?? []]);
    expect(judged.evidence.found).toBe(verdict === 'ok' || verdict === 'changed');
  });

  it.each([
    ['an address of slashes', (size: number) => `<a href="https://shop.com/${'/'.repeat(size)}x">`],
    ['a style of comments', (size: number) => `<p style="${'/*'.repeat(size / 2)}`],
    ['a style of unfinished variables', (size: number) => `<p style="opacity:var(--x,${'a'.repeat(size)}`],
    ['a style of variables', (size: number) => `<p style="--x:${'x'.repeat(999)};${'a:var(--x);'.repeat(size / 11)}">`],
    ['a style of brackets', (size: number) => `<p style="color:${'rgb('.repeat(size / 4)}">`],
    ['a refresh of spaces', (size: number) => `<meta http-equiv=refresh content="${' '.repeat(size)}x">`],
    ['a refresh of digits', (size: number) => `<meta http-equiv=refresh content="${'1'.repeat(size)}">`],
    [
      'links inside of links',
      (size: number) => `${`${link.slice(0, -4)}<marquee>`.repeat(200)}${'x '.repeat(size / 2 - 6_000)}`,
    ],
    ['a long base', (size: number) => `<base href="/${'a'.repeat(size / 4)}/">${'<a href=b>'.repeat(size / 20)}`],
    ['directives of commas', (size: number) => `<meta name=robots content="${', '.repeat(size / 2)}">`],
    ['a text of dashes', (size: number) => `<a href="https://shop.com/shoes">${'-'.repeat(size)}</a>`],
  ])('takes time in proportion to its size with %s', (_name, write) =>
    expectLinearTime(2 * 1024 * 1024, (size) => judge({ html: write(size) })),
  );

  it('takes time in proportion to its size, whatever it contains', async () => {
    for (const part of [
      '<a href=x>',
      '</p>',
      '<table><tr><td>',
      '<b><p></b>',
      '<!--',
      '<a href=https://shop.com/shoes>',
      '&amp',
      '<svg><p>',
      '<p style="a:b;">',
      ' rel=x',
      '<x y="',
      '<select><option>',
      '<a href="https://shop.com/////////////////////////////////////////////////////x">x</a>',
    ])
      await expectLinearTime(
        2 * 1024 * 1024,
        (size) => judge({ html: part.repeat(Math.floor(size / part.length)) }),
        part,
      );
  });
});

describe('a status', () => {
  it.each([
    [404, 'broken', 'page_missing'],
    [410, 'broken', 'page_missing'],
    ...[401, 402, 403, 405, 408, 418, 425, 429, 451, 500, 502, 503, 504, 520, 526, 999].map(
      (code) => [code, 'unknown', 'status'] as const,
    ),
    ...[201, 202, 204, 206, 300, 302, 304].map((code) => [code, 'unknown', 'status'] as const),
  ] as const)('%s is %s', (status, verdict, reason) => {
    const judged = judge({ ...inBody(''), status });
    expect(judged).toMatchObject({ verdict, evidence: { status, found: false, indexable: null, reasons: [reason] } });
  });

  it('203 is a page', () => {
    expect(judge({ ...inBody(link), status: 203 }).verdict).toBe('ok');
  });
});

describe('a bot wall', () => {
  const walls: [string, Page][] = [
    ['Cloudflare, by header', { html: text.repeat(9), headers: { 'cf-mitigated': ['challenge'] } }],
    ['Cloudflare, with 404', { status: 404, headers: { 'cf-mitigated': ['challenge'] } }],
    ['Cloudflare, by title', { html: '<title>Just a moment...</title><p>Verifying' }],
    ['Cloudflare, by code', { html: '<title>blog.com</title><script>window._cf_chl_opt={}</script>' }],
    ['Amazon, by header', { status: 202, headers: { 'x-amzn-waf-action': ['challenge'] } }],
    ['SiteGround', { html: '<meta http-equiv="refresh" content="0;/.well-known/sgcaptcha/?r=%2F">' }],
    ['DataDome', { html: '<p>blog.com</p><script src="https://ct.captcha-delivery.com/c.js"></script>' }],
    ['Imperva', { html: '<iframe src="/_Incapsula_Resource?SWUDNSAI=31">Request unsuccessful</iframe>' }],
    ['on another domain', { html: '<title>Human verification</title>', url: 'https://validate.example.net/' }],
  ];
  it.each(walls)('%s is unknown', (_name, page) => {
    expect(judge(page)).toMatchObject({ verdict: 'unknown', evidence: { reasons: ['bot_wall'] } });
  });

  it('is not seen in an article about walls, nor on a page with the link', () => {
    const article = `<title>How to pass _cf_chl_opt</title>${text.repeat(9)}<code>_cf_chl_opt</code>`;
    expect(judge({ html: article }).verdict).toBe('broken');
    expect(judge({ html: `<title>Just a moment</title>${link}` }).verdict).toBe('ok');
  });
});

describe('the evidence', () => {
  it('lists what was found', () => {
    const judged = judge({
      ...inBody('<a rel="nofollow  UGC" href="https://shop.com/shoes"> Red  shoes </a>'),
      robots: 'allowed',
    });
    expect(judged).toEqual({
      verdict: 'changed',
      evidence: {
        status: 200,
        finalUrl: 'https://blog.com/post',
        redirects: [],
        found: true,
        rel: ['nofollow', 'ugc'],
        anchor: 'Red shoes',
        indexable: true,
        reasons: ['rel_changed'],
      },
      textHash: expect.stringMatching(/^[\da-f]{64}$/),
    });
  });

  it('contains no text that PostgreSQL refuses, and no long one', () => {
    const judged = judge(
      inBody(
        `<a rel="${'x'.repeat(99)} ${'y '.repeat(99)}" href="https://shop.com/shoes">\0&#0;&#xD800;${'😀'.repeat(999)}</a>`,
      ),
    );
    expect(judged.evidence.anchor).toMatch(/^\ufffd*(😀)+$/u);
    expect(judged.evidence.anchor?.length).toBeLessThanOrEqual(1_000);
    expect(judged.evidence.rel).toHaveLength(10);
    expect(judged.evidence.rel?.[0]).toHaveLength(50);
  });

  it('says whether the page is in the index, also without the link', () => {
    expect(judge(inHead('<meta name=robots content=noindex>')).evidence.indexable).toBe(false);
    expect(judge({ html: `<meta name=robots content=noindex>${text}` }).evidence.indexable).toBe(false);
    expect(judge({ ...inBody(link), robots: 'disallowed' }).evidence.indexable).toBe(false);
    expect(judge(inBody('')).evidence.indexable).toBe(true);
  });

  it('has the same hash for the same visible text', () => {
    const hash = (html: string) => judge({ html }).textHash;
    expect(hash(`<p>A  text</p><script>1</script>${link}`)).toBe(
      hash(`<div>A text</div><!-- x --><p hidden>y</p>${link}`),
    );
    expect(hash(`<p>A text</p>${link}`)).not.toBe(hash(`<p>Another text</p>${link}`));
  });
});

describe('a failed fetch', () => {
  it.each([
    'refused',
    'dns',
    'connect',
    'tls',
    'timeout',
    'too_large',
    'robots_disallowed',
    'robots_unreachable',
  ] as const)('%s is unknown, with the redirects on the way', (failure) => {
    const redirects = [{ status: 301, from: 'https://blog.com/a', to: 'https://blog.com/b' }];
    const fetched: PageFetch = { ok: false, failure, refusal: null, url: 'https://blog.com/b', redirects };
    expect(judgePage(wanted, fetched, { robots: 'allowed' })).toEqual({
      verdict: 'unknown',
      evidence: {
        status: null,
        finalUrl: 'https://blog.com/b',
        redirects,
        found: false,
        rel: null,
        anchor: null,
        indexable: null,
        reasons: [failure],
      },
      textHash: null,
    });
  });
});
