import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isSamePage, normalizeAnchor, normalizePageUrl } from '@/lib/links/compare-urls';

/** Facts of the URL standard: notations of one address. */
describe('two notations of one address are the same page', () => {
  it.each([
    ['http://example.com/', 'HTTP://EXAMPLE.com'],
    ['http://example.com/foo/bar', 'http://example.com/foo/./bar'],
    ['http://example.com/bar', 'http://example.com/foo/../bar'],
    ['http://example.com/bar', 'http://example.com/../../bar'],
    ['http://example.com/foo/', 'http://example.com/foo/bar/..'],
    ['http://example.com/foo', 'http://example.com/foo/%2e'],
    ['http://example.com/', 'http://example.com/foo/%2E%2e'],
    ['http://example.com/foo', 'http:\\\\example.com\\foo'],
    ['http://example.com/foo', '  http://example.com/foo \t'],
    ['http://example.com/foo', 'http://exa\nmple.com/f\too'],
    ['http://example.com/foo', 'http:///example.com/foo'],
    ['http://example.com/foo', 'http:example.com/foo'],
    ['http://example.com:80/', 'http://example.com:080/'],
    ['http://example.com/', 'http://example.com:/'],
    ['http://example.com/', 'https://example.com:443/'],
    ['http://example.com/a%20b', 'http://example.com/a b'],
    ['http://example.com/%C3%BC', 'http://example.com/ü'],
    ['http://example.com/%c3%bc', 'http://example.com/%C3%BC'],
    ['http://example.com/~user', 'http://example.com/%7Euser'],
    ['http://xn--fa-hia.com/', 'http://faß.com/'],
    ['http://xn--6qqa088eba.com/', 'http://你好你好.com/'],
    ['http://example.com/', 'http://ＥＸＡＭＰＬＥ.com/'],
    ['http://example.com/', 'http://%65xample.com/'],
    ['http://192.168.0.1/', 'http://0xc0a80001/'],
    ['http://[::1]/', 'http://[0:0:0:0:0:0:0:1]/'],
    ['http://example.com/?a=1&b=2', 'http://example.com/?b=2&a=1&'],
    ['http://example.com/', 'http://example.com/?'],
    ['http://example.com/', 'http://example.com.#top'],
    ['http://example.com/?a=1', 'http://www.example.com?a=1&utm_medium=x&UTM_Campaign=y&msclkid=z'],
  ])('%s and %s', (one, other) => {
    expect(isSamePage(one, other)).toBe(true);
  });
});

describe('two addresses are different pages', () => {
  it.each([
    ['http://example.com/a', 'http://example.com/A'],
    ['http://example.com/a', 'http://example.com/a/b'],
    ['http://example.com/a/b', 'http://example.com/a%2Fb'],
    ['http://example.com/?a=1', 'http://example.com/?a=2'],
    ['http://example.com/?a', 'http://example.com/'],
    ['http://example.com/', 'http://example.org/'],
    ['http://example.com/', 'http://blog.example.com/'],
    ['http://example.com/', 'http://example.com:8080/'],
    ['http://www.com/', 'http://com/'],
    ['http://example.com/', 'ftp://example.com/'],
    ['mailto:a@example.com', 'mailto:a@example.com'],
    ['', ''],
  ])('%s and %s', (one, other) => {
    expect(isSamePage(one, other)).toBe(false);
  });
});

describe('the comparison', () => {
  it('ignores what trackers and browsers add to any address, and nothing else', () => {
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true }), fc.webFragments(), (url, fragment) => {
        const [plain = ''] = url.split('#');
        const joined = `${plain}${plain.includes('?') ? '&' : '?'}utm_source=x&fbclid=y#${fragment}`;
        expect(isSamePage(url, joined)).toBe(true);
        expect(isSamePage(url, new URL(url).href)).toBe(true);
        expect(isSamePage(url, `${plain}${plain.includes('?') ? '&' : '?'}added=1`)).toBe(false);
      }),
    );
  });

  it('is stable: the normal form is its own normal form', () => {
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), (url) => {
        const normal = normalizePageUrl(url);
        expect(normalizePageUrl(`http://${normal}`)).toBe(normal);
      }),
    );
  });

  it('never fails, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        normalizePageUrl(text);
        normalizePageUrl(`http://example.com/${text}`);
        expect(normalizeAnchor(normalizeAnchor(text))).toBe(normalizeAnchor(text));
      }),
    );
  });
});
