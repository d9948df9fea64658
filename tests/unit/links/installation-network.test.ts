import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Network } from '@/lib/links/page-fetch';
import { openNameServer } from '@/sandbox/publisher/name-server';
import { createTempFolder } from '@/scripts/testing/temp-folder';

const folder = createTempFolder('linkmarket-links-');
const [keyFile, certificateFile] = [join(folder, 'site.key'), join(folder, 'site.crt')];
let tls: { key: string; cert: string };
const closing: (() => void)[] = [];

beforeAll(() => {
  const names = 'subjectAltName=DNS:site.com,DNS:*.blog.com,IP:93.184.216.34';
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  const options = ['-keyout', keyFile, '-out', certificateFile, '-subj', '/CN=site.com', '-addext', names];
  execFileSync('openssl', ['req', ...kind, ...options], { stdio: 'pipe' });
  tls = { key: readFileSync(keyFile, 'utf8'), cert: readFileSync(certificateFile, 'utf8') };
});

beforeEach(() => {
  vi.stubEnv('DATABASE_URL', 'postgres://localhost/unused');
});

afterEach(() => {
  vi.unstubAllEnvs();
  vi.resetModules();
  for (const close of closing.splice(0)) close();
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** Fetches with the environment of this test: env() reads it once. */
async function fetchPage(url: string, options: { network?: Network; timeoutMs?: number } = {}) {
  const module = await import('@/lib/links/fetch-page');
  return module.fetchPage(url, options);
}

const ok: RequestListener = (request, response) => response.end(`${request.headers.host}${request.url}`);

describe('TLS', () => {
  async function startSite() {
    const serverNames: unknown[] = [];
    const server = createTlsServer(tls, (request, response) => {
      serverNames.push((request.socket as TLSSocket & { servername?: unknown }).servername);
      ok(request, response);
    });
    const port = await listen(server);
    const networkWith = (ca?: string): Network => ({
      resolve: async () => ['93.184.216.34'],
      route: () => ({ address: '127.0.0.1', port, ca }),
    });
    return { serverNames, trusting: networkWith(tls.cert), strict: networkWith() };
  }

  it('checks the certificate against the name, which the server learns', async () => {
    const { trusting, serverNames } = await startSite();
    for (const host of ['site.com', 'www.blog.com', '93.184.216.34', 'site.com.']) {
      const fetched = await fetchPage(`https://${host}/a`, { network: trusting });
      expect(fetched.ok && fetched.body.toString(), host).toBe(`${host}/a`);
    }
    expect(serverNames).toEqual(['site.com', 'www.blog.com', false, 'site.com']);
  });

  it('leaves no connection open, neither after an answer nor after a failure', async () => {
    const server = createTlsServer(tls, ok);
    const port = await listen(server);
    const networkWith = (ca?: string): Network => ({
      resolve: async () => ['93.184.216.34'],
      route: () => ({ address: '127.0.0.1', port, ca }),
    });
    for (const ca of [tls.cert, undefined]) await fetchPage('https://site.com/', { network: networkWith(ca) });
    const countOpen = () => new Promise((resolve) => server.getConnections((_, count) => resolve(count)));
    await expect.poll(countOpen).toBe(0);
  });

  it.each(['https://other.com/', 'https://a.b.blog.com/', 'https://93.184.216.35/'])(
    'refuses the certificate for %s',
    async (url) => {
      const { trusting, serverNames } = await startSite();
      expect(await fetchPage(url, { network: trusting })).toMatchObject({ failure: 'tls' });
      expect(serverNames).toEqual([]);
    },
  );

  it('refuses a certificate that no known authority signed, and a server without TLS', async () => {
    const { strict } = await startSite();
    expect(await fetchPage('https://site.com/', { network: strict })).toMatchObject({ failure: 'tls' });
    const port = await listen(createServer(ok));
    const plain: Network = { resolve: strict.resolve, route: () => ({ address: '127.0.0.1', port }) };
    expect(await fetchPage('https://site.com/', { network: plain })).toMatchObject({ failure: 'tls' });
  });

  it('ends at the deadline when the handshake hangs', async () => {
    const { createServer: createTcpServer } = await import('node:net');
    const server = createTcpServer(() => undefined);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closing.push(() => server.close());
    const { port } = server.address() as AddressInfo;
    const network: Network = { resolve: async () => ['1.1.1.1'], route: () => ({ address: '127.0.0.1', port }) };
    expect(await fetchPage('https://site.com/', { network, timeoutMs: 200 })).toMatchObject({ failure: 'timeout' });
  });
});

describe('the proxy', () => {
  /** A proxy whose tunnels all lead to the port. @returns what it was asked for */
  async function startProxy(targetPort: number, status = 200) {
    const asked: { path: string | undefined; authorization: string | undefined; host: string | undefined }[] = [];
    const tunnels = new Set<Duplex>();
    const server = createServer((_, response) => response.writeHead(400).end());
    server.on('connect', (request: IncomingMessage, socket: Duplex) => {
      const { host, 'proxy-authorization': authorization } = request.headers;
      asked.push({ path: request.url, authorization, host });
      socket.on('error', () => socket.destroy());
      tunnels.add(socket);
      socket.on('close', () => tunnels.delete(socket));
      socket.write(`HTTP/1.1 ${status} Tunnel\r\n\r\n`);
      if (status !== 200) return socket.end();
      const target = connect(targetPort, '127.0.0.1');
      target.on('error', () => socket.destroy());
      target.pipe(socket).pipe(target);
    });
    return { asked, tunnels, port: await listen(server) };
  }
  const resolve = async (host: string) => [host === 'private.com' ? '10.0.0.1' : '93.184.216.34'];

  it('receives judged addresses, never names, and carries TLS from end to end', async () => {
    const site = await startProxy(await listen(createServer(ok)));
    const network = { resolve, proxy: new URL(`http://us%40er:secret@127.0.0.1:${site.port}`) };
    const fetched = await fetchPage('http://site.com/a', { network });
    expect(fetched.ok && fetched.body.toString()).toBe('site.com/a');
    const authorization = `Basic ${Buffer.from('us@er:secret').toString('base64')}`;
    expect(site.asked).toEqual([{ path: '93.184.216.34:80', host: '93.184.216.34:80', authorization }]);

    const secure = await startProxy(await listen(createTlsServer(tls, ok)));
    const proxy = new URL(`http://127.0.0.1:${secure.port}`);
    // The certificate of the test is unknown to the client: the failure shows that the tunnel carried the handshake.
    expect(await fetchPage('https://site.com/', { network: { resolve, proxy } })).toMatchObject({ failure: 'tls' });
    expect(await fetchPage('https://[2606:4700::1111]/', { network: { resolve, proxy } })).toMatchObject({
      failure: 'tls',
    });
    expect(secure.asked.map(({ path }) => path)).toEqual(['93.184.216.34:443', '[2606:4700::1111]:443']);
    await expect.poll(() => site.tunnels.size + secure.tunnels.size).toBe(0);
  });

  it('is not asked for private addresses', async () => {
    const { asked, port } = await startProxy(await listen(createServer(ok)));
    const network = { resolve, proxy: new URL(`http://127.0.0.1:${port}`) };
    for (const url of ['http://private.com/', 'http://127.0.0.1/', 'http://[::1]/', 'http://localhost/']) {
      expect(await fetchPage(url, { network })).toMatchObject({ failure: 'refused' });
    }
    expect(asked).toEqual([]);
  });

  it.each([
    [407, 'proxy'],
    [403, 'proxy'],
    [502, 'connect'],
    [504, 'connect'],
  ])('that answers %s fails the fetch with %s', async (status, failure) => {
    const { port } = await startProxy(0, status);
    const network = { resolve, proxy: new URL(`http://127.0.0.1:${port}`) };
    expect(await fetchPage('http://site.com/', { network })).toMatchObject({ failure });
  });

  it('that is away fails the fetch, and one that hangs ends at the deadline', async () => {
    const away = { resolve, proxy: new URL('http://127.0.0.1:9') };
    expect(await fetchPage('http://site.com/', { network: away })).toMatchObject({ failure: 'proxy' });
    const server = createServer();
    server.on('connect', () => undefined);
    const hanging = { resolve, proxy: new URL(`http://127.0.0.1:${await listen(server)}`) };
    expect(await fetchPage('http://site.com/', { network: hanging, timeoutMs: 200 })).toMatchObject({
      failure: 'timeout',
    });
  });

  it('comes from EGRESS_PROXY_URL', async () => {
    const { asked, port } = await startProxy(await listen(createServer(ok)));
    vi.stubEnv('EGRESS_PROXY_URL', `http://127.0.0.1:${port}`);
    expect(await fetchPage('http://93.184.216.34/')).toMatchObject({ ok: true });
    expect(asked).toMatchObject([{ path: '93.184.216.34:80' }]);
  });
});

describe('the publisher of the sandbox', () => {
  async function startPublisher() {
    const requested: string[] = [];
    const asked: string[] = [];
    const port = await listen(
      createServer((request, response) => {
        requested.push(`${request.headers.host}${request.url}`);
        ok(request, response);
      }),
    );
    const nameServer = await openNameServer(port);
    nameServer.serve((name) => {
      asked.push(name);
      const known: Record<string, string[]> = {
        'private.example.com': ['10.0.0.1'],
        'mixed.example.net': ['93.184.216.34', '::1'],
        'six.example.org': ['2606:4700::1111'],
      };
      const addresses = known[name] ?? ['93.184.216.34', '2606:4700::1111'];
      return name === 'missing.example.com' ? null : { addresses, texts: [] };
    });
    closing.push(() => void nameServer.close());
    vi.stubEnv('PUBLISHER_BASE_URL', `http://127.0.0.1:${port}`);
    return { requested, asked };
  }

  it('answers for every name below the three example domains, with http and https', async () => {
    const { requested, asked } = await startPublisher();
    const urls = ['http://example.com/a', 'https://blog.example.net/b?c', 'https://six.example.org/'];
    for (const url of urls) expect(await fetchPage(url)).toMatchObject({ ok: true, status: 200, url });
    expect(requested).toEqual(['example.com/a', 'blog.example.net/b?c', 'six.example.org/']);
    expect(new Set(asked)).toEqual(new Set(['example.com', 'blog.example.net', 'six.example.org']));
  });

  it('is not reached for names that its name server resolves to private addresses, or does not know', async () => {
    const { requested } = await startPublisher();
    for (const host of ['private.example.com', 'mixed.example.net']) {
      expect(await fetchPage(`https://${host}/`)).toMatchObject({ failure: 'refused', refusal: 'private_address' });
    }
    expect(await fetchPage('https://missing.example.com/')).toMatchObject({ failure: 'dns' });
    expect(requested).toEqual([]);
  });

  it('is not reached for other names, nor for addresses', async () => {
    const { requested, asked } = await startPublisher();
    await fetchPage('http://notexample.com/', { timeoutMs: 500 });
    await fetchPage('http://example.com.evil.test/', { timeoutMs: 500 });
    expect(await fetchPage('http://127.0.0.1/')).toMatchObject({ failure: 'refused' });
    expect([requested, asked]).toEqual([[], []]);
  });
});
