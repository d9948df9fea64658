import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '@/scripts/testing/tier';
import { verdictOn } from '@/tests/factories/judge-html';

const text = `<p>${'A page that asks its visitors for something. '.repeat(9)}</p>`;

/** @param way the addresses from the ordered one to the one that answers */
function judge(way: string[], { html = text, status = 200, type = 'text/html', headers = {} } = {}) {
  const redirects = way.slice(1).map((to, at) => ({ status: 302, from: way[at] ?? '', to }));
  const sent = { ...(type && { 'content-type': [type] }), ...headers };
  return verdictOn(html, { response: { status, redirects, url: way.at(-1) ?? '', headers: sent } });
}

const post = 'https://blog.example/post';
const base64 = (value: string) => Buffer.from(value).toString('base64');
const base64url = (value: string) => Buffer.from(value).toString('base64url');
const once = encodeURIComponent;
const twice = (value: string) => once(once(value));
const json = JSON.stringify({ returnTo: post, nonce: 'x' });

const gates: [name: string, url: string][] = [
  ['consent', `https://consent.example.net/?return=${once(post)}`],
  ['encoded twice', `https://consent.example.net/?return=${twice(post)}`],
  ['not encoded', `https://consent.example.net/?return=${post}`],
  ['without the scheme', 'https://consent.example.net/?return=blog.example%2Fpost'],
  ['relative to the scheme', 'https://consent.example.net/?return=//blog.example/post'],
  ['with http', 'https://consent.example.net/?u=http%3A%2F%2Fblog.example%2Fpost'],
  ['with www', 'https://consent.example.net/?u=https%3A%2F%2Fwww.blog.example%2Fpost%2F'],
  ['with www in a plain parameter', 'https://consent.example.net/?u=https%3A%2F%2Fwww.blog.example%2Fpost'],
  ['with parameters', `https://consent.example.net/?done=${once(`${post}?consent=1`)}&x=1`],
  ['in base64', `https://consent.example.net/?r=${once(base64(post))}`],
  ['in base64url', `https://consent.example.net/?r=${base64url(post)}`],
  ['as hex digits', `https://consent.example.net/?r=${Buffer.from(post).toString('hex')}`],
  ['as path in base64 beside the host', `https://login.example.net/?site=blog.example&r=${once(base64('/post'))}`],
  ['in JSON in base64', `https://id.example.net/authorize?client_id=1&state=${base64url(json)}`],
  ['in a token', `https://id.example.net/login?meta=${base64url('{"alg":"x"}')}.${base64url(json)}.c2lnbmF0dXJl`],
  ['in the path', `https://consent.example.net/gate/${once(post)}`],
  ['in the path, as it is', 'https://consent.example.net/gate/https://blog.example/post'],
  ['in the path, in base64', `https://consent.example.net/gate/${base64url(post)}/x`],
  ['in the fragment', `https://consent.example.net/#return=${once(post)}`],
  ['in the fragment of an app', `https://consent.example.net/#/login?next=${once(post)}`],
  ['as path beside the host', 'https://login.example.net/?host=blog.example&next=%2Fpost'],
  ['as path beside the host in the path', 'https://team.access.example.net/login/blog.example?redirect_url=%2Fpost'],
  [
    'inside an address of the site',
    `https://privacy.example.net/consent?callbackUrl=${once(`https://www.blog.example/privacy-gate/accept?redirectUri=${once('/post')}`)}`,
  ],
  [
    'a sign-in with a callback',
    'https://id.example.net/auth?client_id=1&redirect_uri=https%3A%2F%2Fblog.example%2Fcallback&state=x',
  ],
  ['Queue-it', `https://customer.queue-it.net/?c=customer&e=event&t=${once(post)}&cid=en-US`],
  ['Radware', `https://validate.perfdrive.com/?ssa=1&ssb=2&ssc=${once(post)}&ssi=3`],
  ['SAML', `https://idp.example.net/sso?SAMLRequest=fZFNT8MwDIbv&RelayState=${once(post)}`],
  ['in capitals', 'https://consent.example.net/?return=HTTPS%3a%2f%2fBLOG.example%2fpost'],
  ['with the port', 'https://consent.example.net/?return=https%3A%2F%2Fblog.example%3A443%2Fpost'],
  ['Yahoo', `https://guce.example.net/consent?brandType=nonEu&gcrumb=x&done=${once(post)}`],
];

const moves: [name: string, url: string][] = [
  ['the same path', 'https://new.example/post'],
  ['the front page', 'https://new.example/'],
  ['with tracking', 'https://new.example/post?utm_source=blog.example&utm_medium=redirect&utm_campaign=%2Fpost'],
  ['with the host as referrer', 'https://new.example/post?ref=blog.example'],
  ['with the address as referrer', `https://new.example/?ref=${once(post)}`],
  ['with the site as origin', 'https://new.example/post?from=blog.example'],
  ['for sale', 'https://www.sale.example/domain_profile.cfm?d=blog.example'],
  ['for sale, with a campaign', 'https://sale.example/forsale/blog.example?utm_source=TDFS&traffic_id=1'],
  ['parked', 'https://parking.example/?domain=blog.example&subid=123'],
  ['parked, with the scheme', 'https://parking.example/?domain=http%3A%2F%2Fblog.example'],
  ['parked, in base64', `https://parking.example/?d=${base64('blog.example')}`],
  ['another page of the site', 'https://new.example/?u=https%3A%2F%2Fblog.example%2Fpost-2'],
  ['another site', 'https://consent.example.net/?return=https%3A%2F%2Fnotblog.example%2Fpost'],
  ['another site that begins alike', 'https://consent.example.net/?return=https%3A%2F%2Fblog.example.org%2Fpost'],
  ['a path of the new site', 'https://new.example/login?next=%2Fpost'],
  ['a return to the new site', 'https://new.example/login?return=https%3A%2F%2Fnew.example%2Fpost'],
  ['malformed percent signs', 'https://new.example/?return=%E0%A4%A'],
  ['a long address', `https://new.example/?a=${'x'.repeat(40_000)}`],
];

describe('a redirect to another website', () => {
  it.each(gates)('is unknown when it carries the address of the page: %s', (_name, url) => {
    expect(judge([post, url])).toEqual(['unknown', 'leads_on']);
    expect(judge([post, url, 'https://consent.example.net/choose'])).toEqual(['unknown', 'leads_on']);
    expect(judge(['http://blog.example/post', post, url])).toEqual(['unknown', 'leads_on']);
    for (const other of [{ status: 404 }, { status: 403 }, { type: 'application/pdf' }])
      expect(judge([post, url], other)).toEqual(['unknown', 'leads_on']);
    const refresh = `<meta http-equiv="refresh" content="0; url=${url}">${text}`;
    expect(judge([post], { html: refresh })).toEqual(['unknown', 'leads_on']);
    expect(judge([post], { headers: { refresh: [`0; url=${url}`] } })).toEqual(['unknown', 'leads_on']);
  });

  it.each(moves)('is broken without the way back: %s', (_name, url) => {
    expect(judge([post, url])).toEqual(['broken', 'other_domain']);
    expect(judge([post], { html: `<meta http-equiv="refresh" content="0; url=${url}">${text}` })).toEqual([
      'broken',
      'other_domain',
    ]);
  });

  it('is told by the whole address, however it is written', () => {
    const segment = fc.string({ unit: fc.constantFrom(...'abcXYZ019-_~ üß/'), minLength: 4, maxLength: 20 });
    const writers: ((value: string) => string)[] = [
      (value) => `?done=${once(value)}`,
      (value) => `?x=1&u=${twice(value)}#top`,
      (value) => `?r=${base64url(value)}`,
      (value) => `?r=${once(base64(value))}`,
      (value) => `#/gate?to=${once(value)}`,
      (value) => `gate/${once(value)}`,
      (value) => `?state=${base64url(JSON.stringify({ to: value }))}`,
    ];
    fc.assert(
      fc.property(segment, fc.constantFrom(...writers), (path, write) => {
        const page = new URL(`https://blog.example/p${path}`).href;
        const other = page.replace('blog.example', 'other.example');
        expect(judge([page, `https://gate.example.net/${write(page)}`])[0]).toBe('unknown');
        expect(judge([page, `https://gate.example.net/${write(other)}`])[0]).toBe('broken');
      }),
      { numRuns: propertyRuns(300) },
    );
  });

  it('is judged without an error, whatever its address is', () => {
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), fc.string(), (address, value) => {
        judge([post, address]);
        judge([post, new URL(`https://gate.example.net/?next=${value}#${value}`).href]);
      }),
    );
  });

  it('carries the address of a front page with its scheme, and its parameters', () => {
    const front = 'https://blog.example/';
    expect(judge([front, `https://consent.example.net/?return=${once(front)}`])[0]).toBe('unknown');
    expect(judge([front, 'https://consent.example.net/?return=https%3A%2F%2Fblog.example'])[0]).toBe('unknown');
    expect(judge([front, 'https://team.access.example.net/login/blog.example?redirect_url=%2F'])[0]).toBe('unknown');
    expect(judge([front, 'https://parking.example/?domain=blog.example'])[0]).toBe('broken');
    expect(judge([front, 'https://sale.example/forsale/blog.example'])[0]).toBe('broken');
    const article = `${front}?p=123`;
    expect(judge([article, `https://consent.example.net/?u=${once(article)}`])[0]).toBe('unknown');
    expect(judge([article, `https://new.example/?u=${once(`${front}?p=1234`)}`])[0]).toBe('broken');
  });

  it('carries addresses with other letters in any form', () => {
    const page = 'https://xn--mnchen-3ya.example/caf%C3%A9';
    const wanted = { siteDomain: 'xn--mnchen-3ya.example' };
    for (const value of [page, 'https://münchen.example/café', 'münchen.example/caf%C3%A9']) {
      const url = `https://consent.example.net/?return=${once(value)}`;
      const response = { url, redirects: [{ status: 302, from: page, to: url }] };
      expect(verdictOn(text, { wanted, response })[0]).toBe('unknown');
    }
  });
});

describe('a redirect within the website', () => {
  it.each([
    'https://blog.example/login?redirect_to=https%3A%2F%2Fblog.example%2Fpost&reauth=1',
    'https://blog.example/zustimmung?url=https%3A%2F%2Fblog.example%2Fpost&return=%2Fpost',
    'https://consent.blog.example/?next=%2Fpost',
    'https://account.blog.example/signin#returnUrl=%2Fpost',
  ])('to %s is unknown', (url) => {
    expect(judge([post, url])).toEqual(['unknown', 'leads_on']);
  });

  it.each([
    'https://blog.example/error?aspxerrorpath=/post',
    'https://blog.example/404',
    'https://www.blog.example/post',
    'https://blog.example/post/?return=%2Fpost',
    'https://blog.example/?s=post',
    'https://blog.example/new-post?ref=%2Fpost',
  ])('to %s is judged as the page', (url) => {
    expect(judge([post, url])).toEqual(['broken', 'link_missing']);
  });

  it('leads back to a page that is judged', () => {
    const way = [post, `https://consent.example.net/?return=${once(post)}`, `${post}?consent=1`];
    expect(judge(way, { html: `${text}<a href="https://buyer.example/shoes">shoes</a>` })[0]).toBe('ok');
    expect(judge(way)).toEqual(['broken', 'link_missing']);
  });
});
