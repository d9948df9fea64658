import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { checkPage } from '@/lib/links/check-page';
import type { Network } from '@/lib/links/page-fetch';
import { createRobotsFiles } from '@/lib/links/robots';
import { expectLinearTime } from '@/tests/setup/expect-linear-time';

// fetchPage() reads the environment, which requires a database.
process.env.DATABASE_URL = 'postgres://localhost/unused';

const closing: (() => void)[] = [];

afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** Starts a web server for every host. @returns its network, and the addresses that were requested */
async function startSites(answer: (path: string, response: ServerResponse, host: string) => void) {
  const requested: string[] = [];
  const server = createServer((request, response) => {
    requested.push(`${request.headers.host}${request.url}`);
    answer(request.url ?? '', response, request.headers.host ?? '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => server.close());
  const { port } = server.address() as AddressInfo;
  const network: Network = {
    resolve: async (host) => [host === 'private.com' ? '10.0.0.1' : '93.184.216.34'],
    route: () => ({ address: '127.0.0.1', port, isPlain: true }),
  };
  return { network, requested };
}

/** What robots.txt with this content says about a path of blog.com. */
async function ask(text: string, path: string, agent: 'ask' | 'askForGoogle' = 'askForGoogle') {
  const { network } = await startSites((_, response) => response.end(text));
  return createRobotsFiles({ network })[agent](new URL(path, 'https://blog.com'));
}

/** The facts of Google's documentation "How Google interprets the robots.txt specification", in own words. */
describe('the rules of robots.txt, as Google documents them', () => {
  const allow = 'allowed';
  const refuse = 'disallowed';
  it.each([
    // A rule matches paths that begin with it.
    ['/', '/any/page', refuse],
    ['/*', '/any/page', refuse],
    ['/fish', '/fish', refuse],
    ['/fish', '/fish.html', refuse],
    ['/fish', '/fishheads/yummy.html', refuse],
    ['/fish', '/fish.php?id=anything', refuse],
    ['/fish', '/Fish.asp', allow],
    ['/fish', '/catfish', allow],
    ['/fish', '/?id=fish', allow],
    ['/fish', '/desert/fish', allow],
    ['/fish*', '/fishheads', refuse],
    ['/fish*', '/Fish.asp', allow],
    ['/fish/', '/fish/', refuse],
    ['/fish/', '/fish/salmon.htm', refuse],
    ['/fish/', '/fish', allow],
    ['/fish/', '/animals/fish/', allow],
    // An asterisk stands for any characters, a dollar sign at the end for the end of the path.
    ['/*.php', '/index.php', refuse],
    ['/*.php', '/folder/any.php.file.html', refuse],
    ['/*.php', '/filename.php/', refuse],
    ['/*.php', '/windows.PHP', allow],
    ['/*.php', '/', allow],
    ['/*.php$', '/filename.php', refuse],
    ['/*.php$', '/folder/filename.php', refuse],
    ['/*.php$', '/filename.php?parameters', allow],
    ['/*.php$', '/filename.php/', allow],
    ['/*.php$', '/filename.php5', allow],
    ['/fish*.php', '/fishheads/catfish.php?parameters', refuse],
    ['/fish*.php', '/Fish.PHP', allow],
    // Encoded and other letters are equal.
    ['/foo/bar/ツ', '/foo/bar/%E3%83%84', refuse],
    ['/foo/bar/%E3%83%84', '/foo/bar/ツ', refuse],
    ['/foo/%aa', '/foo/%AA', refuse],
    ['', '/any/page', allow],
  ])('Disallow: %s for %s', async (rule, path, expected) => {
    expect(await ask(`user-agent: *\ndisallow: ${rule}\n`, path)).toBe(expected);
  });

  it.each([
    // The longest rule counts; with equal lengths the one that allows.
    ['allow: /p\ndisallow: /', '/page', allow],
    ['allow: /folder\ndisallow: /folder', '/folder/page', allow],
    ['allow: /page\ndisallow: /*.htm', '/page.htm', refuse],
    ['allow: /page\ndisallow: /*.ph', '/page.php5', allow],
    ['allow: /$\ndisallow: /', '/', allow],
    ['allow: /$\ndisallow: /', '/page.htm', refuse],
  ])('%j for %s', async (rules, path, expected) => {
    expect(await ask(`user-agent: *\n${rules}\n`, path)).toBe(expected);
  });

  it.each([
    // Only the group that names the crawler counts, and all groups with its name together.
    ['user-agent: *\ndisallow: /\n\nuser-agent: googlebot\ndisallow: /x', '/page', allow],
    [
      'user-agent: googlebot\ndisallow: /a\nuser-agent: bing\ndisallow: /b\nuser-agent: GoogleBot\ndisallow: /c',
      '/c',
      refuse,
    ],
    [
      'user-agent: googlebot\ndisallow: /a\nuser-agent: bing\ndisallow: /b\nuser-agent: GoogleBot\ndisallow: /c',
      '/b',
      allow,
    ],
    ['user-agent: bing\nuser-agent: googlebot\ndisallow: /d', '/d', refuse],
    ['user-agent: googlebot-news\ndisallow: /', '/page', allow],
    ['user-agent: googlebot/1.2\ndisallow: /', '/page', refuse],
    ['\ufeffuser-agent: *\r\ndisallow: / # all', '/page', refuse],
    ['USER-AGENT: *\rDISALLOW: /', '/page', refuse],
    ['disallow: /\nuser-agent: *', '/page', allow],
    ['<!doctype html><title>Not found</title>', '/page', allow],
  ])('%j for %s', async (text, path, expected) => {
    expect(await ask(text, path)).toBe(expected);
  });

  it('has own groups for this crawler', async () => {
    const text = 'user-agent: LinkMarketBot\ndisallow: /a\nuser-agent: *\ndisallow: /b';
    expect(await ask(text, '/a', 'ask')).toBe('disallowed');
    expect(await ask(text, '/b', 'ask')).toBe('allowed');
    expect(await ask(text, '/a')).toBe('allowed');
  });

  it('ends after 500 KiB', async () => {
    const filler = '# a comment\n'.repeat(60_000);
    expect(await ask(`user-agent: *\ndisallow: /a\n${filler}disallow: /b`, '/a')).toBe('disallowed');
    expect(await ask(`user-agent: *\ndisallow: /a\n${filler}disallow: /b`, '/b')).toBe('allowed');
  });

  it('is read in linear time, whatever it contains', () =>
    expectLinearTime(500_000, (size) =>
      ask(`user-agent: *\ndisallow: /${'*a'.repeat(size / 2)}b`, `/${'a'.repeat(2_000)}`),
    ));
});

describe('the file robots.txt (RFC 9309)', () => {
  it.each([
    [200, 'disallowed'],
    [400, 'allowed'],
    [401, 'allowed'],
    [403, 'allowed'],
    [404, 'allowed'],
    [410, 'allowed'],
    [429, 'unreachable'],
    [204, 'unreachable'],
    [500, 'unreachable'],
    [503, 'unreachable'],
  ])('with the status %s: %s', async (status, expected) => {
    const { network } = await startSites((_, response) =>
      response.writeHead(status).end(status === 204 ? undefined : 'user-agent: *\ndisallow: /'),
    );
    expect(await createRobotsFiles({ network }).ask(new URL('https://blog.com/a'))).toBe(expected);
  });

  it('follows five redirects, and counts as absent after more', async () => {
    const { network } = await startSites((path, response, host) => {
      const step = Number(/\d+/.exec(path)?.[0] ?? 0);
      if (step === 5 && host === 'five.com') response.end('user-agent: *\ndisallow: /');
      else response.writeHead(302, { location: `/${step + 1}` }).end();
    });
    const robots = createRobotsFiles({ network });
    expect(await robots.ask(new URL('http://five.com/a'))).toBe('disallowed');
    expect(await robots.ask(new URL('http://six.com/a'))).toBe('allowed');
  });

  it('is unreachable behind a redirect to a private address', async () => {
    const { network, requested } = await startSites((_, response) =>
      response.writeHead(302, { location: 'http://private.com/robots.txt' }).end(),
    );
    expect(await createRobotsFiles({ network }).ask(new URL('http://blog.com/a'))).toBe('unreachable');
    expect(requested).toEqual(['blog.com/robots.txt']);
  });

  it('is remembered by scheme, host and port for an hour, and an unreachable one for ten minutes', async () => {
    let time = 0;
    const { network, requested } = await startSites((_, response, host) =>
      response.writeHead(host.startsWith('down') ? 503 : 200).end('user-agent: *\ndisallow: /'),
    );
    const robots = createRobotsFiles({ network, now: () => time });
    const askAt = async (minutes: number, url: string) => {
      time = minutes * 60_000;
      await robots.ask(new URL(url));
      return requested.length;
    };
    expect(await askAt(0, 'https://blog.com/a')).toBe(1);
    expect(await askAt(59, 'https://blog.com/b')).toBe(1);
    expect(await askAt(59, 'http://blog.com/b')).toBe(2);
    expect(await askAt(61, 'https://blog.com/b')).toBe(3);
    expect(await askAt(61, 'https://down.com/')).toBe(4);
    expect(await askAt(70, 'https://down.com/')).toBe(4);
    expect(await askAt(72, 'https://down.com/')).toBe(5);
  });

  it('is requested once for several checks at the same time', async () => {
    const { network, requested } = await startSites((_, response) => response.end(''));
    const robots = createRobotsFiles({ network });
    await Promise.all(['/a', '/b', '/c'].map((path) => robots.ask(new URL(path, 'https://blog.com'))));
    expect(requested).toEqual(['blog.com/robots.txt']);
  });

  it('is forgotten when the files together are too large', async () => {
    const { network, requested } = await startSites((_, response) => response.end('#'.repeat(500 * 1024)));
    const robots = createRobotsFiles({ network });
    for (let index = 0; index < 40; index += 1) await robots.ask(new URL(`https://blog${index}.com`));
    await robots.ask(new URL('https://blog39.com'));
    expect(requested).toHaveLength(40);
    await robots.ask(new URL('https://blog0.com'));
    expect(requested).toHaveLength(41);
  });
});

describe('a check of a page', () => {
  const wanted = { siteDomain: 'blog.com', targetUrl: 'https://shop.com/', rel: 'any', anchor: '' } as const;
  const html = '<p>Article <a href="https://shop.com">shop</a>';

  it('finds the link', async () => {
    const { network, requested } = await startSites((path, response) => {
      if (path === '/robots.txt') response.writeHead(404).end();
      else response.writeHead(200, { 'content-type': 'text/html' }).end(html);
    });
    const robots = createRobotsFiles({ network });
    expect(await checkPage('https://blog.com/post', wanted, { robots, network })).toMatchObject({
      verdict: 'ok',
      evidence: { status: 200, found: true, rel: [], anchor: 'shop', indexable: true },
    });
    expect(requested).toEqual(['blog.com/robots.txt', 'blog.com/post']);
  });

  it('requests nothing that robots.txt forbids, on the way of redirects neither', async () => {
    const { network, requested } = await startSites((path, response, host) => {
      if (path === '/robots.txt') response.end(host === 'www.blog.com' ? 'user-agent: *\ndisallow: /' : '');
      else response.writeHead(301, { location: 'https://www.blog.com/post' }).end();
    });
    const robots = createRobotsFiles({ network });
    expect(await checkPage('https://blog.com/post', wanted, { robots, network })).toMatchObject({
      verdict: 'unknown',
      evidence: { finalUrl: 'https://www.blog.com/post', reasons: ['robots_disallowed'] },
    });
    expect(requested).toEqual(['blog.com/robots.txt', 'blog.com/post', 'www.blog.com/robots.txt']);
  });

  it('is unknown while robots.txt cannot be read', async () => {
    const { network, requested } = await startSites((_, response) => response.writeHead(503).end());
    const robots = createRobotsFiles({ network });
    expect(await checkPage('https://blog.com/post', wanted, { robots, network })).toMatchObject({
      verdict: 'unknown',
      evidence: { reasons: ['robots_unreachable'] },
    });
    expect(requested).toEqual(['blog.com/robots.txt']);
  });

  it('names why the server of robots.txt has no answer, and asks it again soon', async () => {
    let time = 0;
    const { network, requested } = await startSites((_, response) => response.end(''));
    const failing: [string, Network][] = [
      ['dns', { ...network, resolve: async () => [] }],
      // Port 1 of the machine has no server.
      ['connect', { ...network, route: () => ({ address: '127.0.0.1', port: 1, isPlain: true }) }],
      [
        'tls',
        { ...network, route: (at) => ({ port: 1, ...network.route?.(at), address: '127.0.0.1', isPlain: false }) },
      ],
    ];
    for (const [failure, broken] of failing) {
      const robots = createRobotsFiles({ network: broken, now: () => time });
      const check = () => checkPage('https://blog.com/post', wanted, { robots, network });
      expect(await check(), failure).toMatchObject({ verdict: 'unknown', evidence: { reasons: [failure] } });
      time += 16_000;
      expect(await check(), failure).toMatchObject({ evidence: { reasons: [failure] } });
    }
    expect(requested).toEqual([]);
  });

  it('sees that robots.txt hides the page from Google', async () => {
    const { network } = await startSites((path, response) => {
      if (path === '/robots.txt') response.end('user-agent: googlebot\ndisallow: /post');
      else response.writeHead(200, { 'content-type': 'text/html' }).end(html);
    });
    const robots = createRobotsFiles({ network });
    expect(await checkPage('https://blog.com/post', wanted, { robots, network })).toMatchObject({
      verdict: 'changed',
      evidence: { indexable: false, reasons: ['blocked_for_google'] },
    });
  });
});
