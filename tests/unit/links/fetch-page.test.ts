import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { createSocket as createDnsServer } from 'node:dgram';
import { getEventListeners, once } from 'node:events';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import {
  type AddressInfo,
  connect,
  createServer as createTcpServer,
  type Socket,
  type Server as TcpServer,
} from 'node:net';
import { Worker } from 'node:worker_threads';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { fetchPage, postToAddress } from '@/lib/links/fetch-page';
import type { Network } from '@/lib/links/page-fetch';
import { selfSignedCertificate } from '@/sandbox/keys/self-signed';

// fetchPage() reads the environment, which requires a database.
process.env.DATABASE_URL = 'postgres://localhost/unused';

const closing: (() => Promise<void>)[] = [];

afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

async function listen(server: Server | TcpServer): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(
    () =>
      new Promise((resolve) => {
        if ('closeAllConnections' in server) server.closeAllConnections();
        server.close(() => resolve());
      }),
  );
  return (server.address() as AddressInfo).port;
}

type Seen = { host: string | undefined; path: string | undefined; headers: Record<string, unknown> };

/**
 * Starts a server that records its requests, and returns a network on which every address leads to it, private ones
 * too: what reaches the server passed the rules. Counts connections, because a refused one must not even be opened.
 */
async function startSite(answer: RequestListener, names: Record<string, string[] | (() => string[])> = {}) {
  const seen: Seen[] = [];
  const dialed: string[] = [];
  const state = { connections: 0, asked: 0 };
  const server = createServer((request, response) => {
    seen.push({ host: request.headers.host, path: request.url, headers: request.headers });
    answer(request, response);
  });
  server.on('connection', () => {
    state.connections += 1;
  });
  const port = await listen(server);
  const network: Network = {
    resolve: async (host) => {
      state.asked += 1;
      const known = names[host] ?? ['93.184.216.34'];
      return typeof known === 'function' ? known() : known;
    },
    route: ({ address }) => {
      dialed.push(address);
      return { address: '127.0.0.1', port, isPlain: true };
    },
  };
  const countOpen = () =>
    new Promise<number>((resolve, reject) =>
      server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
    );
  return { network, seen, dialed, state, port, countOpen };
}

const page = (response: ServerResponse, body: string | Buffer = 'page', headers: Record<string, string> = {}) =>
  response.writeHead(200, { 'content-type': 'text/html', ...headers }).end(body);

describe('a request', () => {
  it('names the installation, and carries no cookie, referrer or credential', async () => {
    const { network, seen } = await startSite((_, response) => page(response, 'page', { 'set-cookie': 'a=b' }));
    await fetchPage('https://site.com/a?b=c#d', { network });
    await fetchPage('https://site.com/e', { network });
    expect(seen).toMatchObject([
      { host: 'site.com', path: '/a?b=c' },
      { host: 'site.com', path: '/e' },
    ]);
    for (const { headers } of seen) {
      expect(headers['user-agent']).toBe('Mozilla/5.0 (compatible; LinkMarketBot/1.0; +http://localhost:3000)');
      expect(Object.keys(headers).sort()).toEqual(['accept', 'accept-encoding', 'connection', 'host', 'user-agent']);
    }
  });

  it('returns status, headers, body and the final address', async () => {
    const { network } = await startSite((_, response) =>
      response.writeHead(404, { 'x-robots-tag': ['noindex', 'otherbot: none'] }).end('gone'),
    );
    const fetched = await fetchPage('http://site.com/a', { network });
    expect(fetched).toMatchObject({ ok: true, status: 404, url: 'http://site.com/a', redirects: [] });
    expect(fetched.ok && fetched.body.toString()).toBe('gone');
    expect(fetched.ok && fetched.headers['x-robots-tag']).toEqual(['noindex', 'otherbot: none']);
  });

  it('leaves no connection open, whatever the answer', async () => {
    const { network, state, countOpen } = await startSite((request, response) => {
      if (request.url === '/redirect') response.writeHead(302, { location: '/page' }).write('a body that never ends');
      else if (request.url === '/drip') response.writeHead(200).write('a');
      else if (request.url === '/large') response.end(Buffer.alloc(4 * megabyte));
      else page(response);
    });
    for (const path of ['page', 'redirect', 'drip', 'large']) {
      await fetchPage(`http://site.com/${path}`, { network, timeoutMs: 500 });
    }
    expect(state.connections).toBe(5);
    await expect.poll(countOpen).toBe(0);
  });

  it('ends with the reason of its caller when the server shuts down', async () => {
    const { network } = await startSite(() => undefined);
    const stop = new AbortController();
    const fetching = fetchPage('http://site.com/', { network, signal: stop.signal });
    setTimeout(() => stop.abort(new Error('shutting down')), 50);
    await expect(fetching).rejects.toThrow('shutting down');
  });
});

const forbidden = [
  'http://127.0.0.1/',
  'http://2130706433/',
  'http://0177.0.0.1/',
  'http://0x7f.1/',
  'http://0/',
  'http://10.0.0.1/',
  'http://172.16.0.1/',
  'http://192.168.0.1/',
  'http://100.64.0.1/',
  'http://169.254.169.254/latest/meta-data/',
  'http://168.63.129.16/',
  'http://224.0.0.1/',
  'http://255.255.255.255/',
  'http://[::1]/',
  'http://[::]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::ffff:169.254.169.254]/',
  'http://[64:ff9b::127.0.0.1]/',
  'http://[64:ff9b:1::7f00:1]/',
  'http://[2002:7f00:1::]/',
  'http://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/',
  'http://[fe80::1]/',
  'http://[fc00::1]/',
  'http://[ff02::1]/',
  'http://localhost/',
  'http://admin.localhost/',
  'http://intranet/',
  'http://printer.local/',
  'http://site.com:6379/',
  'http://user:secret@site.com/',
  'file:///etc/passwd',
  'gopher://site.com/',
  'data:text/html,page',
] as const;

describe('server-side request forgery', () => {
  it.each(forbidden)('%s is never connected to', async (url) => {
    const { network, state } = await startSite((_, response) => page(response));
    expect(await fetchPage(url, { network })).toMatchObject({ ok: false, failure: 'refused', url });
    expect(state.connections).toBe(0);
  });

  it.each(forbidden)('a redirect to %s is not followed', async (url) => {
    const { network, state } = await startSite((_, response) => response.writeHead(302, { location: url }).end());
    const fetched = await fetchPage('http://site.com/', { network });
    expect(fetched).toMatchObject({ ok: false, failure: 'refused' });
    expect(fetched.redirects).toHaveLength(1);
    expect(state.connections).toBe(1);
  });

  it.each([
    '127.0.0.1',
    '10.0.0.1',
    '169.254.169.254',
    '0.0.0.0',
    '::1',
    '::ffff:10.0.0.1',
    '64:ff9b::a00:1',
    '2002:a00:1::',
    'fd00::1',
    'fe80::1',
    'fe80::1%eth0',
    '',
    'not an address',
  ])('a name that resolves to %j is refused, alone and beside a public address', async (address) => {
    const { network, state } = await startSite((_, response) => page(response), {
      'private.com': [address],
      'mixed.com': ['93.184.216.34', address],
      'reversed.com': [address, '2606:4700::1111'],
    });
    for (const host of ['private.com', 'mixed.com', 'reversed.com']) {
      expect(await fetchPage(`http://${host}/`, { network })).toMatchObject({
        failure: 'refused',
        refusal: 'private_address',
      });
      expect(await fetchPage(`https://${host}/`, { network })).toMatchObject({ failure: 'refused' });
    }
    expect(state.connections).toBe(0);
  });

  it('connects to the address that was judged, and resolves a name once', async () => {
    const answers = [['93.184.216.34'], ['127.0.0.1']];
    const { network, state, dialed } = await startSite((_, response) => page(response), {
      'rebinding.com': () => answers.shift() ?? ['127.0.0.1'],
    });
    expect(await fetchPage('http://rebinding.com/', { network })).toMatchObject({ ok: true });
    expect(dialed).toEqual(['93.184.216.34']);
    expect(state.asked).toBe(1);
    expect(await fetchPage('http://rebinding.com/', { network })).toMatchObject({ failure: 'refused' });
    expect(state.connections).toBe(1);
  });

  it('judges a name again at each redirect to itself', async () => {
    const answers = [['93.184.216.34'], ['10.0.0.1']];
    const { network, state } = await startSite((_, response) => response.writeHead(302, { location: '/b' }).end(), {
      'rebinding.com': () => answers.shift() ?? [],
    });
    expect(await fetchPage('http://rebinding.com/', { network })).toMatchObject({ failure: 'refused' });
    expect(state.connections).toBe(1);
  });

  it('sends nothing when the connected peer is another one than the judged address', async () => {
    const received: Buffer[] = [];
    const port = await listen(createTcpServer((socket) => socket.on('data', (data) => received.push(data))));
    // Linux connects 0.0.0.0 to the loopback address: the peer differs from the address.
    const network: Network = {
      resolve: async () => ['93.184.216.34'],
      route: () => ({ address: '0.0.0.0', port, isPlain: true }),
    };
    expect(await fetchPage('http://site.com/', { network })).toMatchObject({
      failure: 'refused',
      refusal: 'other_peer',
    });
    expect(received).toEqual([]);
  });
});

/** Answers a question for IPv4 addresses with one, and every other with none. */
function answerName(query: Buffer): Buffer {
  const isIpv4 = query.readUInt16BE(query.length - 4) === 1;
  const head = Buffer.from(query.subarray(0, 12));
  head.writeUInt16BE(0x8180, 2);
  head.writeUInt16BE(isIpv4 ? 1 : 0, 6);
  head.writeUInt32BE(0, 8);
  const address = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 93, 184, 216, 34]);
  return Buffer.concat([head, query.subarray(12), ...(isIpv4 ? [address] : [])]);
}

describe('redirects', () => {
  it('are followed ten times, and listed', async () => {
    const { network, seen } = await startSite((request, response) => {
      const step = Number(request.url?.slice(1));
      if (step < 10) response.writeHead(301 + (step % 2), { location: `/${step + 1}` }).end('ignored');
      else page(response);
    });
    const fetched = await fetchPage('https://site.com/0', { network });
    expect(fetched).toMatchObject({ ok: true, url: 'https://site.com/10' });
    expect(fetched.redirects).toHaveLength(10);
    expect(fetched.redirects[0]).toEqual({ status: 301, from: 'https://site.com/0', to: 'https://site.com/1' });
    expect(seen).toHaveLength(11);
  });

  it('end after the tenth, or an earlier one', async () => {
    const { network, seen } = await startSite((_, response) => response.writeHead(307, { location: '/' }).end());
    expect(await fetchPage('http://site.com/', { network })).toMatchObject({ failure: 'too_many_redirects' });
    expect(seen).toHaveLength(11);
    const limited = await fetchPage('http://site.com/', { network, maxRedirects: 2 });
    expect(limited).toMatchObject({ failure: 'too_many_redirects', redirects: { length: 2 } });
  });

  it('leave no listener behind', async () => {
    const warnings: Error[] = [];
    const note = (warning: Error) => void warnings.push(warning);
    process.on('warning', note);
    const names = createDnsServer('udp4');
    await new Promise<void>((resolve) => names.bind(0, '127.0.0.1', resolve));
    names.on('message', (query, { port, address }) => names.send(answerName(query), port, address));
    const { network, port } = await startSite((request, response) => {
      const step = Number(request.url?.slice(1));
      response.writeHead(302, { location: `/${step + 1}` }).end();
    });
    const nameServer = () => `127.0.0.1:${names.address().port}`;
    const proxy = createServer();
    proxy.on('connect', (_request, socket: Socket) => {
      const site = connect(port, '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        site.pipe(socket).pipe(site);
      });
      socket.on('error', () => site.destroy());
      site.on('error', () => socket.destroy());
    });
    const proxyUrl = new URL(`http://127.0.0.1:${await listen(proxy)}`);
    const { signal } = new AbortController();
    const networks: Network[] = [
      network,
      { nameServer, route: network.route },
      { resolve: network.resolve, proxy: proxyUrl },
    ];
    for (const one of networks) {
      const fetched = await fetchPage('http://site.com/0', { network: one, signal });
      expect(fetched).toMatchObject({ failure: 'too_many_redirects', redirects: { length: 10 } });
    }
    await new Promise(setImmediate);
    process.off('warning', note);
    names.close();
    expect(warnings).toEqual([]);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it.each([
    ['//other.com/a', 'https://other.com/a'],
    ['../c', 'https://site.com/c'],
    ['?q=1', 'https://site.com/a/b?q=1'],
    ['http://other.com', 'http://other.com/'],
    ['https://xn--mnchen-3ya.de/', 'https://xn--mnchen-3ya.de/'],
    [Buffer.from('/seite-ü').toString('latin1'), 'https://site.com/seite-%C3%BC'],
  ])('to %s lead to %s', async (location, url) => {
    const { network } = await startSite((request, response) => {
      if (request.url === '/a/b' && request.headers.host === 'site.com') response.writeHead(308, { location }).end();
      else page(response);
    });
    expect(await fetchPage('https://site.com/a/b', { network })).toMatchObject({ ok: true, url });
  });

  it.each([
    [302, {}],
    [300, { location: '/b' }],
    [304, { location: '/b' }],
    [201, { location: '/b' }],
  ])('of status %s with %j are the answer', async (status, headers) => {
    const { network, seen } = await startSite((_, response) => response.writeHead(status, headers).end());
    expect(await fetchPage('http://site.com/', { network })).toMatchObject({ ok: true, status, redirects: [] });
    expect(seen).toHaveLength(1);
  });
});

const megabyte = 1024 * 1024;

describe('limits', () => {
  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['deflate', deflateRawSync],
    ['br', brotliCompressSync],
  ] as const)('a body with the coding %s is decompressed up to the limit', async (coding, compress) => {
    const bodies: Record<string, Buffer> = {
      '/': compress(Buffer.alloc(2 * megabyte, 'a')),
      '/bomb': compress(Buffer.alloc(100 * megabyte, 'a')),
    };
    const { network } = await startSite((request, response) =>
      page(response, bodies[request.url ?? ''], { 'content-encoding': coding }),
    );
    const fetched = await fetchPage('http://site.com/', { network });
    expect(fetched.ok && fetched.body.length).toBe(2 * megabyte);
    const before = process.memoryUsage().rss;
    expect(await fetchPage('http://site.com/bomb', { network })).toMatchObject({ failure: 'too_large' });
    expect(process.memoryUsage().rss - before).toBeLessThan(30 * megabyte);
  });

  it.each([
    ['damaged data', 'gzip', Buffer.from('no gzip')],
    ['plain text', 'gzip', Buffer.from('<html>page</html>')],
    ['plain text', 'br', Buffer.from('<html>page</html>')],
    ['plain text', 'deflate', Buffer.from('<html>page</html>')],
    ['one coding instead of two', 'gzip, gzip', gzipSync('page')],
    ['the other coding', 'br', gzipSync('page')],
    ['half of the data', 'br', brotliCompressSync(Buffer.alloc(9_999, 'abc')).subarray(0, 10)],
    ['half of the data', 'deflate', deflateSync(Buffer.alloc(9_999, 'abc')).subarray(0, 20)],
    ['a coding that was not asked for', 'zstd', Buffer.from('page')],
    ['a coding that was not asked for', 'compress', Buffer.from('page')],
    ['many codings', 'gzip, gzip, gzip, gzip', Buffer.from('page')],
  ])('%s with the coding %s is not read as a page', async (_name, coding, body) => {
    const { network } = await startSite((_, response) => page(response, body, { 'content-encoding': coding }));
    expect(await fetchPage('http://site.com/', { network })).toMatchObject({ failure: 'encoding' });
  });

  it.each([
    ['gzip, gzip', gzipSync(gzipSync('page'))],
    ['deflate, br', brotliCompressSync(deflateSync('page'))],
    ['GZIP', gzipSync('page')],
    ['x-gzip', gzipSync('page')],
    [' gzip , identity', gzipSync('page')],
    ['gzip, utf-8', gzipSync('page')],
    ['utf-8', Buffer.from('page')],
    ['none', Buffer.from('page')],
    ['identity', Buffer.from('page')],
    ['binary', Buffer.from('page')],
    ['text/html', Buffer.from('page')],
    ['', Buffer.from('page')],
    [',', Buffer.from('page')],
    ['constructor', Buffer.from('page')],
  ])('the coding %j is undone as browsers do', async (coding, body) => {
    const { network } = await startSite((_, response) => page(response, body, { 'content-encoding': coding }));
    expect(await fetchPage('http://site.com/', { network })).toMatchObject({
      body: Buffer.from('page'),
      isPartial: false,
    });
  });

  it('a gzip body without its end is read up to there, and is partial', async () => {
    const text = Array.from({ length: 2_000 }, (_, at) => `line ${at}`).join('\n');
    const whole = gzipSync(text);
    for (const missing of [1, 4, 8, 9, 500, whole.length - 1]) {
      const body = whole.subarray(0, -missing);
      const { network } = await startSite((_, response) => page(response, body, { 'content-encoding': 'gzip' }));
      const fetched = await fetchPage('http://site.com/', { network });
      expect(fetched).toMatchObject({ ok: true, isPartial: true });
      expect(fetched.ok && text.startsWith(fetched.body.toString())).toBe(true);
      if (missing <= 8) expect(fetched.ok && fetched.body.toString()).toBe(text);
    }
  });

  it('a bomb inside of another coding ends at the limit, too', async () => {
    // A file of gzip may have several members (RFC 1952, 2.2): 1,000 MB.
    const member = gzipSync(Buffer.alloc(10 * megabyte, 'a'));
    const bomb = gzipSync(Buffer.concat(Array.from({ length: 100 }, () => member)));
    const outer = gzipSync(Buffer.alloc(100 * megabyte, 0));
    const { network } = await startSite((_, response) => page(response, bomb, { 'content-encoding': 'gzip, gzip' }));
    const before = process.memoryUsage().rss;
    expect(await fetchPage('http://site.com/', { network })).toMatchObject({ failure: 'too_large' });
    const { network: other } = await startSite((_, response) =>
      page(response, outer, { 'content-encoding': 'br, gzip' }),
    );
    expect(await fetchPage('http://site.com/', { network: other })).toMatchObject({ ok: false });
    expect(process.memoryUsage().rss - before).toBeLessThan(60 * megabyte);
  });

  it('several headers of one name are kept, and codings in several headers are undone', async () => {
    const { network } = await startSite((_, response) =>
      response
        .writeHead(200, [
          ...['Content-Type', 'text/plain', 'Content-Type', 'text/html; charset=utf-8'],
          ...['Content-Encoding', 'gzip', 'Content-Encoding', 'gzip'],
        ])
        .end(gzipSync(gzipSync('page'))),
    );
    const fetched = await fetchPage('http://site.com/', { network });
    expect(fetched).toMatchObject({ headers: { 'content-type': ['text/plain', 'text/html; charset=utf-8'] } });
    expect(fetched.ok && fetched.body.toString()).toBe('page');
  });

  it('an empty body with a coding is empty', async () => {
    for (const coding of ['gzip', 'deflate', 'br', 'gzip, gzip', 'utf-8']) {
      const { network } = await startSite((_, response) => page(response, '', { 'content-encoding': coding }));
      expect(await fetchPage('http://site.com/', { network })).toMatchObject({ ok: true, body: Buffer.alloc(0) });
    }
  });

  it('an endless body ends at the limit', async () => {
    const { network } = await startSite((_, response) => {
      const write = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536, 'a')));
      };
      response.on('drain', write);
      write();
    });
    expect(await fetchPage('http://site.com/', { network })).toMatchObject({ failure: 'too_large' });
    const cut = await fetchPage('http://site.com/', { network, maxBytes: 1_000, whenLonger: 'cut' });
    expect(cut.ok && cut.body.length).toBe(1_000);
  });

  it.each([
    ['a body that drips', (response: ServerResponse) => setInterval(() => response.write('a'), 20)],
    ['headers that never end', (response: ServerResponse) => response.socket?.write('HTTP/1.1 200 OK\r\nx: ')],
    ['no answer', () => undefined],
  ])('%s ends at the deadline', async (_name, answer) => {
    const timers: unknown[] = [];
    const { network } = await startSite((_, response) => void timers.push(answer(response)));
    const started = Date.now();
    expect(await fetchPage('http://site.com/', { network, timeoutMs: 300 })).toMatchObject({ failure: 'timeout' });
    expect(Date.now() - started).toBeLessThan(3_000);
    for (const timer of timers) if (typeof timer === 'object') clearInterval(timer as NodeJS.Timeout);
  });

  it('one deadline covers all redirects', async () => {
    const { network } = await startSite((_, response) =>
      setTimeout(() => response.writeHead(302, { location: '/' }).end(), 150),
    );
    expect(await fetchPage('http://site.com/', { network, timeoutMs: 400 })).toMatchObject({ failure: 'timeout' });
  });

  it('name servers and addresses that do not answer end at the deadline, as a name or a server that is not there', async () => {
    const silent: Network = { resolve: () => new Promise(() => undefined) };
    expect(await fetchPage('http://site.com/', { network: silent, timeoutMs: 100 })).toMatchObject({ failure: 'dns' });
    const { port, end } = await listenWithoutAccepting();
    const away: Network = { resolve: async () => ['1.1.1.1'], route: () => ({ address: '127.0.0.1', port }) };
    const fetched = await fetchPage('http://site.com/', { network: away, timeoutMs: 300 });
    await end();
    expect(fetched).toMatchObject({ failure: 'connect' });
  });
});

/** Listens in a thread that accepts no connection, with a full queue: another connection is not established. */
async function listenWithoutAccepting(): Promise<{ port: number; end: () => Promise<unknown> }> {
  const thread = new Worker(
    `const server = require('node:net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
      require('node:worker_threads').parentPort.postMessage(server.address().port);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    });`,
    { eval: true },
  );
  const [port]: number[] = await once(thread, 'message');
  if (port === undefined) throw new Error('The thread sent no port.');
  const queued = [1, 2, 3, 4].map(() => connect({ port, host: '127.0.0.1' }).on('error', () => undefined));
  await Promise.race(queued.map((socket) => once(socket, 'connect')));
  const end = () => {
    for (const socket of queued) socket.destroy();
    return thread.terminate();
  };
  return { port, end };
}

/** A server that sends these bytes as its answer, and closes. */
async function startRaw(answer: string): Promise<Network> {
  const port = await listen(
    createTcpServer((socket) => {
      socket.on('error', () => socket.destroy());
      socket.once('data', () => socket.end(answer));
    }),
  );
  return { resolve: async () => ['93.184.216.34'], route: () => ({ address: '127.0.0.1', port, isPlain: true }) };
}

describe('a server that breaks the protocol', () => {
  it.each([
    ['no HTTP', 'SSH-2.0-OpenSSH\r\n', 'malformed'],
    ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab', 'malformed'],
    ['a line without a name', 'HTTP/1.1 200 OK\r\n: x\r\n\r\n', 'malformed'],
    ['a closed connection', '', 'interrupted'],
    ['a body shorter than its length', 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc', 'interrupted'],
    ['chunks without their end', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n', 'interrupted'],
    [
      'a switch of protocols',
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n',
      'malformed',
    ],
    ['large headers', `HTTP/1.1 200 OK\r\nx: ${'a'.repeat(40_000)}\r\n\r\n`, 'headers_too_large'],
    ['many headers', `HTTP/1.1 200 OK\r\n${'x: y\r\n'.repeat(20_000)}\r\n`, 'headers_too_large'],
  ])('%s', async (_name, answer, failure) => {
    expect(await fetchPage('http://site.com/', { network: await startRaw(answer) })).toMatchObject({ failure });
  });
});

describe('a site that is away', () => {
  it('fails with dns for a name without addresses', async () => {
    const missing: Network = { resolve: () => Promise.reject(new Error('ENOTFOUND')) };
    expect(await fetchPage('http://site.com/', { network: missing })).toMatchObject({ failure: 'dns' });
    expect(await fetchPage('http://site.com/', { network: { resolve: async () => [] } })).toMatchObject({
      failure: 'dns',
    });
  });

  it('tries the next address of a name when one refuses the connection', async () => {
    const { network, port, dialed } = await startSite((_, response) => page(response), {
      'site.com': ['2606:4700::1111', '93.184.216.34', '93.184.216.35'],
    });
    const closed = createTcpServer();
    const closedPort = await listen(closed);
    await closing.pop()?.();
    const route: Network['route'] = ({ address }) => {
      dialed.push(address);
      return { address: '127.0.0.1', port: address.endsWith('.34') ? closedPort : port, isPlain: true };
    };
    expect(await fetchPage('http://site.com/', { network: { ...network, route } })).toMatchObject({ ok: true });
    expect(dialed).toEqual(['93.184.216.34', '93.184.216.35']);
    const allClosed: Network = { ...network, route: () => ({ address: '127.0.0.1', port: closedPort }) };
    expect(await fetchPage('http://site.com/', { network: allClosed })).toMatchObject({ failure: 'connect' });
  });
});

describe('a server with TLS', () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const certify = (name: string) =>
    selfSignedCertificate(privateKey, Buffer.concat([Buffer.from([1]), randomBytes(8)]), name);
  /** @param name the name in its certificate */
  async function startTlsSite(name: string) {
    const received: string[] = [];
    const cert = certify(name);
    const key = privateKey.export({ type: 'pkcs8', format: 'pem' });
    const server = createTlsServer({ key, cert }, async (request, response) => {
      let body = '';
      for await (const part of request) body += String(part);
      received.push(body);
      response.end('ok');
    });
    const port = await listen(server);
    const network = (ca?: string): Network => ({
      resolve: async () => ['93.184.216.34'],
      route: () => ({ address: '127.0.0.1', port, ...(ca !== undefined && { ca }) }),
    });
    return { received, cert, network };
  }
  const message = { headers: { 'content-type': 'application/json' }, body: '{}' };
  const post = (network: Network) => postToAddress('https://site.com/hook', message, { network });

  it('receives a message when its certificate is trusted and names the host', async () => {
    const { received, cert, network } = await startTlsSite('site.com');
    expect(await post(network(cert))).toMatchObject({ ok: true, status: 200 });
    expect(received).toEqual(['{}']);
  });

  it('receives nothing with a certificate of an unknown authority, of another one, or of another name', async () => {
    const [own, other] = [await startTlsSite('site.com'), await startTlsSite('other.com')];
    for (const network of [own.network(), own.network(certify('site.com')), other.network(other.cert)])
      expect(await post(network)).toMatchObject({ ok: false, failure: 'tls' });
    expect([...own.received, ...other.received]).toEqual([]);
  });

  it('receives no message without TLS, and one that never answers ends by time', async () => {
    const { network, seen, state } = await startSite(() => undefined);
    expect(await postToAddress('http://site.com/hook', message, { network })).toMatchObject({
      ...{ ok: false, failure: 'refused', refusal: 'scheme' },
    });
    expect(state.connections).toBe(0);
    const silent = await postToAddress('https://site.com/hook', message, { network, timeoutMs: 200 });
    expect(silent).toMatchObject({ ok: false, failure: 'timeout' });
    expect(seen).toHaveLength(1);
  });
});
