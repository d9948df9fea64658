import { createSocket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { beforeEach, expect, test, vi } from 'vitest';
import { publishSandboxPage } from '@/lib/links/sandbox-publisher';
import type { RunningGateway } from '@/sandbox/start';
import { startGateway } from '@/sandbox/start';
import { findFreeBlock } from '@/scripts/process/ports';
import { control, openGateway, temporaryFolder, webhookSecret } from './harness';

let gateway: RunningGateway;
let publisher: string;

beforeEach(async () => {
  await open();
});

async function open(stateFile?: string): Promise<void> {
  gateway = await openGateway('http://127.0.0.1:9', stateFile);
  publisher = `http://127.0.0.1:${gateway.ports.publisher}`;
}

type Answer = { status: number; headers: Record<string, unknown>; text: string };

/** Requests a URL as the fetcher does: from the publisher, with the URL's host. */
function visit(address: string, method = 'GET', signal?: AbortSignal): Promise<Answer> {
  const { host, pathname, search } = new URL(address);
  return new Promise((resolve, reject) => {
    const sent = request(
      `${publisher}/`,
      { path: pathname + search, method, headers: { host }, signal },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text: Buffer.concat(chunks).toString(),
          }),
        );
      },
    );
    sent.on('error', reject);
    sent.end();
  });
}

async function send(method: string, path: string, body?: object, headers: Record<string, string> = {}) {
  const response = await fetch(`${publisher}${path}`, { method, headers, body: body && JSON.stringify(body) });
  return { status: response.status, body: await response.json() };
}

const article = 'https://gear-notes.example.com/bikes?page=2';
const html =
  '<html><head><title>Bikes</title></head><body><p>See <a title="a > b" REL=ugc href="https://shop.example.org/">the shop</a>.</p></body></html>';

const change = (name: string, url = article) => control(gateway, '/controls/publisher', { url, change: name });

test('serves a page at its host, path and query only', async () => {
  expect(await visit(article)).toMatchObject({ status: 404 });
  expect(await send('PUT', '/control/pages', { url: `${article}#top`, html })).toMatchObject({ status: 201 });
  expect(await visit(article)).toMatchObject({
    status: 200,
    text: html,
    headers: { 'content-type': 'text/html; charset=utf-8' },
  });
  expect(await visit(article.replace('https:', 'http:').replace('gear', 'GEAR'))).toMatchObject({ status: 200 });
  for (const other of [
    'https://gear-notes.example.com/bikes',
    'https://gear-notes.example.com/Bikes?page=2',
    'https://gear-notes.example.net/bikes?page=2',
    'https://gear-notes.example.com/robots.txt',
    'https://gear-notes.example.com//bikes?page=2',
  ])
    expect(await visit(other), other).toMatchObject({ status: 404, text: 'Not found' });
  expect(await visit(article, 'POST')).toMatchObject({ status: 200 });
  expect(await visit(article, 'PUT')).toMatchObject({ status: 405 });
  expect(await visit(article, 'HEAD')).toMatchObject({ status: 200, text: '' });
});

test('answers with the given status, headers and redirect', async () => {
  const robots = 'http://gear-notes.example.org/robots.txt';
  await send('PUT', '/control/pages', { url: robots, html: 'Disallow: /', headers: { 'Content-Type': 'text/plain' } });
  expect(await visit(robots)).toMatchObject({
    status: 200,
    text: 'Disallow: /',
    headers: { 'content-type': 'text/plain' },
  });
  await send('PUT', '/control/pages', { url: article, redirect: 'http://169.254.169.254/', status: 302 });
  expect(await visit(article)).toMatchObject({ status: 302, headers: { location: 'http://169.254.169.254/' } });
  expect(await send('PUT', '/control/pages', { url: article, status: 503 })).toMatchObject({ status: 200 });
  expect(await visit(article)).toMatchObject({ status: 503, text: '' });
  expect(await send('DELETE', `/control/pages?url=${encodeURIComponent(robots)}`)).toMatchObject({
    body: { deleted: 1 },
  });
  expect(await visit(robots)).toMatchObject({ status: 404 });
  expect(await send('DELETE', '/control/pages')).toMatchObject({ body: { deleted: 1 } });
  expect(await visit(article)).toMatchObject({ status: 404 });
});

test.each([
  { url: 'https://example.com.evil.test/' },
  { url: 'https://notexample.com/' },
  { url: 'ftp://gear.example.com/' },
  { url: article, status: 99 },
  { url: article, headers: { 'x-test': 'a\r\nb' } },
  { url: article, headers: { 'bad name': 'a' } },
  { url: article, redirect: 'https://gear.example.com/\n' },
  { url: article, delay: 5 },
])('rejects the page %o', async (page) => {
  expect(await send('PUT', '/control/pages', page)).toMatchObject({ status: 400 });
  expect(await send('GET', '/control/pages')).toMatchObject({ body: [] });
});

test('keeps an existing page from a PUT with If-None-Match', async () => {
  await send('PUT', '/control/pages', { url: article, html });
  const again = await send('PUT', '/control/pages', { url: article, html: 'new' }, { 'if-none-match': '*' });
  expect(again.status).toBe(412);
  expect(await visit(article)).toMatchObject({ text: html });
});

test('has its controls at the address of the port, never on a website', async () => {
  await send('PUT', '/control/pages', { url: article, html });
  expect(await visit('https://gear-notes.example.com/control/pages')).toMatchObject({ status: 404 });
  expect(await visit('https://gear-notes.example.com/control/pages', 'DELETE')).toMatchObject({ status: 405 });
  expect(await visit('https://rebound.test/control/pages')).toMatchObject({ status: 421 });
  expect(await visit(article)).toMatchObject({ status: 200 });
});

test('holds a response back, and never answers while the page hangs', async () => {
  const other = 'https://gear-notes.example.com/fast';
  await send('PUT', '/control/pages', { url: article, html, delayMs: 300 });
  await send('PUT', '/control/pages', { url: other });
  const order: string[] = [];
  const slow = visit(article).then(({ text }) => order.push(text));
  await visit(other).then(() => order.push('fast'));
  await slow;
  expect(order).toEqual(['fast', html]);

  await change('hanging');
  const abort = new AbortController();
  const hanging = visit(article, 'GET', abort.signal);
  await expect(Promise.race([hanging, visit(other)])).resolves.toMatchObject({ text: '' });
  abort.abort();
  await expect(hanging).rejects.toThrow();
  // Closing the gateway after the test ends a request that still hangs.
  visit(article).catch(() => undefined);
});

test('records requests of a host, oldest first', async () => {
  await visit('http://a.example.com/one');
  await visit('http://b.example.com/', 'POST');
  await visit('http://a.example.com/two?x=1');
  const { body } = await send('GET', '/control/requests?host=a.example.com');
  expect(body).toMatchObject([
    { method: 'GET', url: 'http://a.example.com/one' },
    { url: 'http://a.example.com/two?x=1' },
  ]);
  expect(body[0]).toHaveProperty('at');
  expect((await send('GET', '/control/requests')).body).toHaveLength(3);
  await send('DELETE', '/control/requests');
  expect((await send('GET', '/control/requests')).body).toEqual([]);
});

test('resolves its names, also over DNS, to the configured addresses', async () => {
  const dns = new Resolver({ timeout: 2_000, tries: 1 });
  dns.setServers([`127.0.0.1:${gateway.ports.publisher}`]);
  const resolve = async (name: string) => (await send('GET', `/control/resolve?name=${name}`)).body.addresses;
  expect(await resolve('gear.example.net')).toEqual(['93.184.216.34']);
  expect(await dns.resolve4('gear.example.net')).toEqual(['93.184.216.34']);
  await expect(dns.resolve6('gear.example.net')).rejects.toThrow('ENODATA');

  const addresses = ['10.0.0.1', '::1', '8.8.8.8', '::ffff:127.0.0.1', '2001:db8::1:0:0:1'];
  expect(await send('PUT', '/control/names', { name: 'Gear.example.net', addresses })).toMatchObject({ status: 200 });
  expect(await resolve('gear.example.net')).toEqual(addresses);
  expect(await dns.resolve4('gear.example.net')).toEqual(['10.0.0.1', '8.8.8.8']);
  expect(await dns.resolve6('gear.example.net')).toEqual(['::1', '::ffff:127.0.0.1', '2001:db8::1:0:0:1']);
  expect(await dns.resolve4('other.example.net')).toEqual(['93.184.216.34']);

  await send('PUT', '/control/names', { name: 'gear.example.net', addresses: [] });
  await expect(dns.resolve4('gear.example.net')).rejects.toThrow('ENODATA');
  await send('DELETE', '/control/names?name=gear.example.net');
  expect(await dns.resolve4('gear.example.net')).toEqual(['93.184.216.34']);
  await expect(dns.resolve4('linkmarket.test')).rejects.toThrow('EREFUSED');
  expect(await send('GET', '/control/resolve?name=linkmarket.test')).toMatchObject({ status: 404 });
  for (const wrong of [
    { name: 'a.test', addresses: [] },
    { name: 'a.example.com', addresses: ['fe80::1%eth0'] },
  ])
    expect(await send('PUT', '/control/names', wrong)).toMatchObject({ status: 400 });
});

test('changes a page in each way, and restores it', async () => {
  await send('PUT', '/control/pages', { url: article, html });
  await change('lost');
  expect((await visit(article)).text).toContain('<p>See the shop.</p>');
  await change('nofollow');
  expect((await visit(article)).text).toContain(
    '<a rel="nofollow" title="a > b" href="https://shop.example.org/">the shop</a>',
  );
  await change('noindex');
  expect((await visit(article)).text).toContain('<meta name="robots" content="noindex"></head>');
  await change('redirected');
  const { headers } = await visit(article);
  expect(headers.location).toBe('https://domain-for-sale.example.net/');
  expect(await visit(String(headers.location))).toMatchObject({ status: 200 });
  await change('forbidden');
  expect(await visit(article)).toMatchObject({ status: 403 });
  await change('none');
  expect(await visit(article)).toMatchObject({ status: 200, text: html });
  expect(await change('lost', 'https://unknown.example.com/')).toMatchObject({ status: 404 });
  expect(await change('deleted')).toMatchObject({ status: 400 });
});

test('lists its pages with forms, without scripts and with everything escaped', async () => {
  const page = (path: string) => fetch(`${gateway.url}${path}`, { headers: { accept: 'text/html' } });
  expect(await (await page('/publisher')).text()).toContain('No pages have been published yet.');
  const hostile = `https://x.example.com/"'><script>alert(1)</script>`;
  await send('PUT', '/control/pages', {
    url: hostile,
    html: '<script>alert(2)</script>"\'',
    headers: { 'x-note': '<img src=x>' },
  });
  const requester = { host: 'x.example.com', 'user-agent': '<script>alert(3)</script>' };
  const { pathname } = new URL(hostile);
  await new Promise((resolve) => request(publisher, { path: pathname, headers: requester }, resolve).end());
  const raw = [{ url: hostile }];
  expect(await (await fetch(`${gateway.url}/publisher`)).json()).toMatchObject(raw);
  const list = await (await page(`/publisher?search=${encodeURIComponent('"><script>')}`)).text();
  const all = await (await page('/publisher')).text();
  const detail = await page(`/publisher/page?url=${encodeURIComponent(hostile)}`);
  expect(detail.status).toBe(200);
  const about = await detail.text();
  for (const text of [list, all, about]) {
    expect(text).not.toContain('<script');
    expect(text).not.toContain('<img');
    expect(text).not.toMatch(/\son\w+=/);
  }
  expect(all).toContain('<button class="button" type="submit" name="change" value="lost">Lose the link</button>');
  expect(about).toContain('sandbox srcdoc="&lt;script&gt;alert(2)&lt;/script&gt;&quot;&#39;"');
  expect(about).toContain('&lt;script&gt;alert(3)&lt;/script&gt;');
  expect((await page('/publisher/page?url=nothing')).status).toBe(404);

  const pressed = await fetch(`${gateway.url}/controls/publisher`, {
    method: 'POST',
    headers: { accept: 'text/html' },
    body: new URLSearchParams({ url: hostile, change: 'forbidden' }),
    redirect: 'manual',
  });
  expect(pressed.status).toBe(303);
  expect(await (await page(pressed.headers.get('location') ?? '')).text()).toContain('value="none">Restore</button>');
  expect(await visit(hostile)).toMatchObject({ status: 403 });
});

test('keeps pages and names over a restart; a wipe deletes them', async () => {
  const file = join(await temporaryFolder(), 'gateway.json');
  await open(file);
  await send('PUT', '/control/pages', { url: article, html });
  await send('PUT', '/control/names', { name: 'a.example.com', addresses: ['10.0.0.1'] });
  await change('forbidden');
  await gateway.close();
  await open(file);
  expect(await visit(article)).toMatchObject({ status: 403 });
  await change('none');
  expect(await visit(article)).toMatchObject({ status: 200, text: html });
  expect(await send('GET', '/control/resolve?name=a.example.com')).toMatchObject({ body: { addresses: ['10.0.0.1'] } });
  await control(gateway, '/controls/reset', { wipe: true });
  expect(await visit(article)).toMatchObject({ status: 404 });
});

test('names a port that is in use over UDP, and leaves none open', async () => {
  const port = await findFreeBlock(21_000, 5);
  const other = createSocket('udp4');
  await new Promise<void>((resolve) => other.bind({ port: port + 4, address: '127.0.0.1' }, resolve));
  const started = startGateway({ port, appUrl: 'http://127.0.0.1:9', stripeWebhookSecret: webhookSecret });
  await expect(started).rejects.toThrow(`Port ${port + 4} is in use over UDP`);
  await expect(fetch(`http://127.0.0.1:${port}/sessions`)).rejects.toThrow();
  await new Promise<void>((resolve) => other.close(resolve));
});

test('a delivery of the demo creates its page once, with the link of the brief', async () => {
  const delivery = {
    pageUrl: 'https://gear-notes.example.com/touring-bikes',
    targetUrl: 'https://carter.example.com/?a=1&b="2"',
    anchor: 'touring <bikes>',
    rel: 'sponsored',
  } as const;
  const app = {
    APP_ENV: 'test',
    DATABASE_URL: 'postgres://127.0.0.1/x',
    NEXTAUTH_SECRET: 'x'.repeat(32),
    SECRET_KEYS: `k1:${'A'.repeat(43)}=`,
    PUBLISHER_BASE_URL: publisher,
    LOG_LEVEL: 'silent',
  };
  for (const [name, value] of Object.entries(app)) vi.stubEnv(name, value);
  await publishSandboxPage(delivery);
  const { text } = await visit(delivery.pageUrl);
  expect(text).toContain('<h1>Touring bikes</h1>');
  expect(text).toContain(
    '<a href="https://carter.example.com/?a=1&amp;b=&quot;2&quot;" rel="sponsored">touring &lt;bikes&gt;</a>',
  );
  await change('lost', delivery.pageUrl);
  await publishSandboxPage({ ...delivery, anchor: 'other' });
  expect((await visit(delivery.pageUrl)).text).toContain('available from touring &lt;bikes&gt;.');
  await publishSandboxPage({ ...delivery, pageUrl: 'https://gear-notes.test/' });
  expect((await send('GET', '/control/pages')).body).toHaveLength(1);
  await gateway.close();
  await publishSandboxPage({ ...delivery, pageUrl: 'https://gear-notes.example.com/later' });
});
