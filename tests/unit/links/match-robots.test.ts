import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isAllowedByRobots } from '@/lib/links/match-robots';

const bytes = (text: string | Buffer) => Buffer.from(text).toString('latin1');
const ask = (file: string | Buffer, crawler: string, path: string) =>
  isAllowedByRobots(bytes(file), crawler, new URL(path, 'http://foo.bar').href.slice('http://foo.bar'.length));

type Row = [name: string, file: string, yes: string[], no: string[]];

const own = (rules: string) => `user-agent: FooBot\n${rules}`;
const groups = [
  'allow: /before/',
  'user-agent: FooBot\ndisallow: /\nallow: /x/',
  'user-agent: BarBot\ndisallow: /\nallow: /y/\n\n\nallow: /w/',
  'user-agent: BazBot\n',
  'user-agent: FooBot\nallow: /z/\ndisallow: /',
].join('\n');
const cased = (name: string, allow: string, disallow: string) => `${name}: FooBot\n${allow}: /x/\n${disallow}: /`;
/** A path that fills the longest line that Google reads, but for one character. */
const long = (key: string, letter: string) => `/x/${letter.repeat(8 * 2083 - 2 - `${key}: /x/`.length)}`;

/** The cases of the public test suite of Google's parser, as data. Each path is asked for the crawler before the colon. */
const suite: Row[] = [
  ['an empty file', '', ['FooBot:/'], []],
  ['a file for one crawler', own('disallow: /'), ['OtherBot:/'], ['FooBot:/', 'FooBot:/x/y']],
  ['unknown keys', 'foo: FooBot\nbar: /', ['FooBot:/x/y'], []],
  ['a missing colon', 'user-agent FooBot\ndisallow /', [], ['FooBot:/x/y']],
  [
    'several groups, and rules outside of them',
    groups,
    ['FooBot:/x/b', 'FooBot:/z/d', 'BarBot:/y/c', 'BarBot:/w/a', 'BazBot:/z/d'],
    ['FooBot:/y/c', 'BarBot:/z/d', 'FooBot:/before/', 'BarBot:/before/', 'BazBot:/before/'],
  ],
  [
    'a sitemap between two names',
    'User-agent: BarBot\nSitemap: https://foo.bar/sitemap\nUser-agent: *\nDisallow: /',
    [],
    ['FooBot:/', 'BarBot:/'],
  ],
  [
    'an unknown line between two names',
    'User-agent: FooBot\nInvalid-Unknown-Line: unknown\nUser-agent: *\nDisallow: /',
    [],
    ['FooBot:/', 'BarBot:/'],
  ],
  ['keys in upper case', cased('USER-AGENT', 'ALLOW', 'DISALLOW'), ['FooBot:/x/y'], ['FooBot:/a/b']],
  ['keys in lower case', cased('user-agent', 'allow', 'disallow'), ['FooBot:/x/y'], ['FooBot:/a/b']],
  ['keys in mixed case', cased('uSeR-aGeNt', 'AlLoW', 'dIsAlLoW'), ['FooBot:/x/y'], ['FooBot:/a/b']],
  ...['FOO BAR', 'foo bar', 'FoO bAr'].map(
    (name): Row => [
      `the crawler ${name}, in any case, up to the first space`,
      `User-Agent: ${name}\nAllow: /x/\nDisallow: /`,
      ['Foo:/x/y', 'foo:/x/y'],
      ['Foo:/a/b', 'foo:/a/b'],
    ],
  ),
  [
    'a name of two words is a name of one',
    'User-Agent: *\nDisallow: /\nUser-Agent: Foo Bar\nAllow: /x/\nDisallow: /',
    ['Foo:/x/y'],
    ['OtherBot:/x/y'],
  ],
  [
    'every crawler, and one',
    'user-agent: *\nallow: /\nuser-agent: FooBot\ndisallow: /',
    ['BarBot:/x/y'],
    ['FooBot:/x/y'],
  ],
  [
    'named crawlers only',
    'user-agent: FooBot\nallow: /\nuser-agent: BarBot\ndisallow: /\nuser-agent: BazBot\ndisallow: /',
    ['QuxBot:/x/y'],
    ['BarBot:/x/y'],
  ],
  ['a path in lower case', own('disallow: /x/'), ['FooBot:/X/y'], ['FooBot:/x/y']],
  ['a path in upper case', own('disallow: /X/'), ['FooBot:/x/y'], []],
  ['a longer rule against', own('disallow: /x/page.html\nallow: /x/'), [], ['FooBot:/x/page.html']],
  ['a longer rule for', own('allow: /x/page.html\ndisallow: /x/'), ['FooBot:/x/page.html'], ['FooBot:/x/']],
  ['empty rules', own('disallow: \nallow: '), ['FooBot:/x/page.html'], []],
  ['equal rules', own('disallow: /\nallow: /'), ['FooBot:/x/page.html'], []],
  ['a slash more', own('disallow: /x\nallow: /x/'), ['FooBot:/x/'], ['FooBot:/x']],
  ['equal long rules', own('disallow: /x/page.html\nallow: /x/page.html'), ['FooBot:/x/page.html'], []],
  ['a longer pattern', own('allow: /page\ndisallow: /*.html'), ['FooBot:/page'], ['FooBot:/page.html']],
  ['a shorter pattern', own('allow: /x/page.\ndisallow: /*.html'), ['FooBot:/x/page.html'], ['FooBot:/x/y.html']],
  [
    'the own group alone',
    'User-agent: *\nDisallow: /x/\nUser-agent: FooBot\nDisallow: /y/',
    ['FooBot:/x/page'],
    ['FooBot:/y/page', 'BarBot:/x/page'],
  ],
  [
    'reserved characters',
    own('Disallow: /\nAllow: /foo/bar?qux=taz&baz=http://foo.bar?tar&par'),
    ['FooBot:/foo/bar?qux=taz&baz=http://foo.bar?tar&par'],
    [],
  ],
  // A URL without encoding does not occur: the URL parser encodes it.
  ['other letters', own('Disallow: /\nAllow: /foo/bar/ツ'), ['FooBot:/foo/bar/%E3%83%84'], ['FooBot:/foo/bar/']],
  ['encoded letters', own('Disallow: /\nAllow: /foo/bar/%E3%83%84'), ['FooBot:/foo/bar/%E3%83%84'], []],
  ['letters that need no encoding', own('Disallow: /\nAllow: /%62%61%7A'), ['FooBot:/%62%61%7A'], ['FooBot:/baz']],
  [
    'an asterisk',
    own('Disallow: /foo/bar/quz\nAllow: /foo/*/qux'),
    ['FooBot:/foo/quz', 'FooBot:/foo//quz', 'FooBot:/foo/bax/quz'],
    ['FooBot:/foo/bar/quz'],
  ],
  [
    'a dollar sign',
    own('Disallow: /foo/bar$\nAllow: /foo/bar/qux'),
    ['FooBot:/foo/bar/qux', 'FooBot:/foo/bar/', 'FooBot:/foo/bar/baz'],
    ['FooBot:/foo/bar'],
  ],
  [
    'comments',
    own('# Disallow: /\nDisallow: /foo/quz#qux\nAllow: /'),
    ['FooBot:/foo/bar'],
    ['FooBot:/foo/quz', 'FooBot:/foo/quz2'],
  ],
  [
    'index.html as its folder',
    'User-Agent: *\nAllow: /slash/index.html\nDisallow: /',
    ['FooBot:/slash/', 'FooBot:/slash/index.html'],
    ['FooBot:/slash/index.htm', 'FooBot:/other', 'FooBot:/slash/x'],
  ],
  [
    'a rule that allows fish',
    own('disallow: /\nallow: /fish'),
    ['/fish', '/fish.html', '/fish/salmon.html', '/fishheads', '/fishheads/yummy.html', '/fish.html?id=a'].map(
      (path) => `FooBot:${path}`,
    ),
    ['/bar', '/Fish.asp', '/catfish', '/?id=fish'].map((path) => `FooBot:${path}`),
  ],
  [
    'an asterisk at the end',
    own('disallow: /\nallow: /fish*'),
    ['/fish', '/fish.html', '/fish/salmon.html', '/fishheads', '/fish.html?id=a'].map((path) => `FooBot:${path}`),
    ['/bar', '/Fish.bar', '/catfish', '/?id=fish'].map((path) => `FooBot:${path}`),
  ],
  [
    'a folder',
    own('disallow: /\nallow: /fish/'),
    ['/fish/', '/fish/salmon', '/fish/?salmon', '/fish/salmon.html'].map((path) => `FooBot:${path}`),
    ['/bar', '/fish', '/fish.html', '/Fish/Salmon.html'].map((path) => `FooBot:${path}`),
  ],
  [
    'an ending anywhere',
    own('disallow: /\nallow: /*.php'),
    ['/a.php', '/b/a.php', '/a.php?b', '//b/any.php.file.html', '/a.php/', '/index?f=a.php/'].map(
      (path) => `FooBot:http://foo.bar${path}`,
    ),
    ['/bar', '/php/', '/index?php', '/windows.PHP'].map((path) => `FooBot:${path}`),
  ],
  [
    'an ending at the end',
    own('disallow: /\nallow: /*.php$'),
    ['/a.php', '/b/a.php'].map((path) => `FooBot:${path}`),
    ['/bar', '/a.php?b', '/a.php/', '/a.php5', '/php/', '/a?php', '/aphpa', 'http://foo.bar//w.PHP'].map(
      (path) => `FooBot:${path}`,
    ),
  ],
  [
    'an ending after a beginning',
    own('disallow: /\nallow: /fish*.php'),
    ['FooBot:/fish.php', 'FooBot:/fishheads/catfish.php?parameters'],
    ['FooBot:/bar', 'FooBot:/Fish.PHP'],
  ],
  ['the shorter rule against', own('allow: /p\ndisallow: /'), ['FooBot:/page'], []],
  ['a tie', own('allow: /folder\ndisallow: /folder'), ['FooBot:/folder/page'], []],
  ['a longer pattern against', own('allow: /page\ndisallow: /*.htm'), [], ['FooBot:/page.htm']],
  ['the start page alone', own('allow: /$\ndisallow: /'), ['FooBot:/'], ['FooBot:/page.html']],
  // Line ends, and byte order marks at the beginning.
  ...['\n', '\r\n', '\r'].map(
    (end): Row => [
      `line ends as ${JSON.stringify(end)}`,
      ['User-Agent: foo', 'Allow: /some/path', 'User-Agent: bar', '', '', 'Disallow: /', ''].join(end),
      ['foo:/some/path', 'foo:/x'],
      ['bar:/some/path'],
    ],
  ),
  ['mixed line ends', 'User-Agent: foo\nAllow: /x\r\nUser-Agent: bar\n\r\n\nDisallow: /', ['foo:/'], ['bar:/']],
  ['a byte order mark', '\ufeffUser-Agent: foo\nDisallow: /', [], ['foo:/x']],
  ['a byte order mark in the middle', 'User-Agent: foo\n\ufeffDisallow: /', ['foo:/x'], []],
  [
    'a sitemap before and after groups',
    'Sitemap: http://foo.bar/a.xml\nUser-Agent: foo\nDisallow: /a\nUser-Agent: bar\n\nSitemap: http://foo.bar/b.xml',
    ['foo:/b', 'bar:/a'],
    ['foo:/a'],
  ],
];

/** The same kinds in other files: what publishers write. */
const others: Row[] = [
  ...['Crawl-delay: 10', 'Host: blog.com', 'Clean-param: ref /', 'Noindex: /', 'Request-rate: 1/5', '# text', ''].map(
    (line): Row => [
      `${JSON.stringify(line)} between two names`,
      `User-agent: *\n${line}\n\nUser-agent: badbot\nDisallow: /\n\nUser-agent: *\nDisallow:`,
      [],
      ['Googlebot:/post', 'LinkMarketBot:/post'],
    ],
  ),
  [
    'a rule between two names',
    'User-agent: *\nDisallow:\nCrawl-delay: 10\nUser-agent: badbot\nDisallow: /',
    ['Googlebot:/post'],
    ['badbot:/post'],
  ],
  ...[
    'dissallow',
    'dissalow',
    'disalow',
    'diasllow',
    'disallaw',
    'DisAllow',
    'Disallow ',
    'disallow\t',
    ' disallow',
  ].map(
    (key): Row => [`the key ${JSON.stringify(key)}`, `user-agent: *\n${key}: /a`, ['Googlebot:/b'], ['Googlebot:/a']],
  ),
  ...['useragent', 'user agent', 'User-Agent', 'USERAGENT', 'user-agents'].map(
    (key): Row => [`the key ${key}`, `${key}: googlebot\ndisallow: /`, ['Otherbot:/a'], ['Googlebot:/a']],
  ),
  ...['desallow', 'dis-allow', 'no-allow', 'alow', 'block', 'user_agent', 'agent', 'bot'].map(
    (key): Row => [
      `the unknown key ${key}`,
      key.endsWith('allow') || key === 'alow' || key === 'block'
        ? `user-agent: *\n${key}: /`
        : `${key}: googlebot\ndisallow: /`,
      ['Googlebot:/a'],
      [],
    ],
  ),
  ['a tab instead of the colon', 'user-agent\t*\ndisallow\t/a', ['Googlebot:/b'], ['Googlebot:/a']],
  ['three words without a colon', 'user-agent *\ndisallow /a /b', ['Googlebot:/a'], []],
  ['a comment behind a missing colon', 'user-agent * # all\ndisallow /a # not this', [], ['Googlebot:/a']],
  ['a name alone', 'user-agent: *\ndisallow', ['Googlebot:/a'], []],
  ['the longest name of a family', 'user-agent: googlebot-news\ndisallow: /', ['Googlebot:/a'], []],
  ['the name of another family', 'user-agent: googlebot\ndisallow: /', ['Googlebot-News:/a'], ['googlebot:/a']],
  ...['Googlebot/2.1', 'googlebot*', 'Googlebot (all)', 'GOOGLEBOT, bingbot'].map(
    (name): Row => [`the name ${name}`, `user-agent: ${name}\ndisallow: /`, ['Bingbot:/a'], ['Googlebot:/a']],
  ),
  ...['Mozilla/5.0 (compatible; Googlebot/2.1)', 'MyGooglebot', '"Googlebot"', 'Google'].map(
    (name): Row => [`the other name ${name}`, `user-agent: ${name}\ndisallow: /`, ['Googlebot:/a'], []],
  ),
  ['an asterisk with text', 'user-agent: * all crawlers\ndisallow: /', [], ['Googlebot:/a']],
  ['an asterisk in a name', 'user-agent: *bot\ndisallow: /', ['Googlebot:/a'], []],
  ['an own group without rules', 'user-agent: googlebot\nallow:\n\nuser-agent: *\ndisallow: /', ['Googlebot:/a'], []],
  [
    'an own group that an empty rule opens',
    'user-agent: *\ndisallow: /\nuser-agent: googlebot\ndisallow:',
    ['Googlebot:/a'],
    ['Bingbot:/a'],
  ],
  [
    'a list of names with an asterisk',
    'user-agent: googlebot\nuser-agent: *\ndisallow: /a\nuser-agent: *\ndisallow: /b',
    ['Googlebot:/b'],
    ['Googlebot:/a', 'Bingbot:/a', 'Bingbot:/b'],
  ],
  ['index.htm as its folder', own('allow: /x/index.htm\ndisallow: /'), ['FooBot:/x/'], ['FooBot:/x/a']],
  ['the index of the site', own('allow: /index.html\ndisallow: /'), ['FooBot:/'], ['FooBot:/a', 'FooBot:/?a']],
  ['index.html against', own('disallow: /x/index.html'), ['FooBot:/x/'], ['FooBot:/x/index.html']],
  ['index.php', own('allow: /x/index.php\ndisallow: /'), ['FooBot:/x/index.php'], ['FooBot:/x/']],
  ['a path without a slash', own('disallow: private'), ['FooBot:/private', 'FooBot:/a/private'], []],
  ['an asterisk without a slash', own('disallow: *private'), ['FooBot:/public'], ['FooBot:/a/private/b']],
  ['a whole address', own('disallow: https://foo.bar/a'), ['FooBot:/a'], []],
  ['any query', own('disallow: /*?'), ['FooBot:/a'], ['FooBot:/a?b=c', 'FooBot:/?b']],
  ['one parameter', own('disallow: /*?*replytocom='), ['FooBot:/a?b=1'], ['FooBot:/a?b=1&replytocom=5']],
  ['a colon in a path', own('disallow: /a:b'), ['FooBot:/a'], ['FooBot:/a:b/c']],
  ['asterisks in a row', own('disallow: /***/b'), ['FooBot:/b'], ['FooBot:/a/b', 'FooBot:http://foo.bar//b']],
  ['an asterisk before the end', own('disallow: /a*$'), ['FooBot:/b'], ['FooBot:/a', 'FooBot:/ab/c?d']],
  ['overlapping parts', own('disallow: /ab*ba$'), ['FooBot:/aba'], ['FooBot:/abba', 'FooBot:/ab/x/ba']],
  ['a repeated ending', own('disallow: /*.php$'), ['FooBot:/a.php.html'], ['FooBot:/a.php.php']],
  ['a dollar sign inside', own('disallow: /a$b'), ['FooBot:/a'], ['FooBot:/a$b/c']],
  ['a dollar sign alone', own('disallow: $'), ['FooBot:/', 'FooBot:/a'], []],
  ['an asterisk alone', own('disallow: *'), [], ['FooBot:/', 'FooBot:/a']],
  [
    'lower-case encoding',
    own('disallow: /caf%c3%a9'),
    ['FooBot:/cafe'],
    ['FooBot:/caf%C3%A9', 'FooBot:/café', 'FooBot:/caf%c3%a9'],
  ],
  ['a letter whose encoding ends as a space', own('disallow: /à'), ['FooBot:/a'], ['FooBot:/à', 'FooBot:/%C3%A0']],
  [
    'a web page',
    '<!doctype html>\n<html lang="en"><head><title>Not found</title>\n<p>user-agent: *\n<p>disallow: /',
    ['Googlebot:/a'],
    [],
  ],
  ['a web page around rules', '<pre>\nUser-agent: *\nDisallow: /a\n</pre>', ['Googlebot:/b'], ['Googlebot:/a']],
];

describe('a robots.txt with', () => {
  it.each([...suite, ...others])('%s', (_name, file, yes, no) => {
    const answers = (list: string[]) =>
      list.map((item) => ask(file, item.slice(0, item.indexOf(':')), item.slice(item.indexOf(':') + 1)));
    expect(answers(yes)).toEqual(yes.map(() => true));
    expect(answers(no)).toEqual(no.map(() => false));
  });

  it('a part of a byte order mark, or a broken one', () => {
    const rules = Buffer.from('User-Agent: foo\nDisallow: /');
    expect(ask(Buffer.concat([Buffer.from([0xef, 0xbb]), rules]), 'foo', '/x')).toBe(false);
    expect(ask(Buffer.concat([Buffer.from([0xef]), rules]), 'foo', '/x')).toBe(false);
    expect(ask(Buffer.concat([Buffer.from([0xef, 0x11, 0xbf]), rules]), 'foo', '/x')).toBe(true);
  });

  it('letters of another encoding than UTF-8', () => {
    const file = Buffer.from('user-agent: *\ndisallow: /caf\xe9', 'latin1');
    expect(ask(file, 'Googlebot', '/caf%E9')).toBe(false);
    expect(ask(file, 'Googlebot', '/caf%C3%A9')).toBe(true);
  });

  it('a line that is longer than Google reads', () => {
    const a = long('disallow', 'a');
    const file = own(`disallow: ${a}/qux`);
    expect(['/fux', `${a}/fux`].map((path) => ask(file, 'FooBot', path))).toEqual([true, false]);
    const [b, c] = [long('allow', 'b'), long('allow', 'c')];
    const open = own(`disallow: /\nallow: ${b}/qux\nallow: ${c}/qux`);
    expect(['/', `${b}/qux`, `${c}/fux`].map((path) => ask(open, 'FooBot', path))).toEqual([false, true, true]);
  });
});

describe('the matching of a rule', () => {
  /** The published algorithm: all places in the path that a beginning of the rule can reach. */
  function reaches(rule: string, path: string): boolean {
    let places = new Set([0]);
    for (const [at, character] of [...rule].entries()) {
      if (character === '$' && at === rule.length - 1) return places.has(path.length);
      const next = new Set<number>();
      for (const place of places) {
        if (character === '*') for (let end = place; end <= path.length; end += 1) next.add(end);
        else if (path[place] === character) next.add(place + 1);
      }
      places = next;
    }
    return places.size > 0;
  }

  it('agrees with the published algorithm', () => {
    const texts = (letters: string, maxLength: number) =>
      fc.string({ unit: fc.constantFrom(...letters), maxLength }).map((text) => `/${text}`);
    fc.assert(
      fc.property(texts('ab*$/', 8), texts('ab$/', 10), (rule, path) => {
        expect(isAllowedByRobots(`user-agent: *\ndisallow: ${rule}`, 'Googlebot', path)).toBe(!reaches(rule, path));
      }),
      { numRuns: 2_000 },
    );
  });

  it('ends for a file that would occupy the server, which then allows nothing', () => {
    const file = `user-agent: *\n${'allow: /*ab\n'.repeat(40_000)}`;
    expect(ask(file, 'Googlebot', '/a')).toBe(true);
    expect(ask(file, 'Googlebot', `/${'a'.repeat(2_000)}`)).toBe(false);
    expect(ask(file.replace('*', 'other'), 'Googlebot', `/${'a'.repeat(2_000)}`)).toBe(true);
  });

  it('never fails, whatever the file', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.string(), (file, path) => {
        isAllowedByRobots(Buffer.from(file).toString('latin1'), 'Googlebot', `/${path}`);
        expect(isAllowedByRobots('', 'Googlebot', `/${path}`)).toBe(true);
      }),
    );
  });
});
