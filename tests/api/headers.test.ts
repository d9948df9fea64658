import { describe, expect, it } from 'vitest';
import { makeAccount } from '../factories/make-account';
import { appUrl, openClient } from '../setup/http-client';
import { sendBody } from '../setup/send-body';

const nonceOf = (policy: string | null) => /'nonce-([^']+)'/.exec(policy ?? '')?.[1] ?? '';

describe('every page', () => {
  it.each(['/user/login', '/register', '/nothing-here', '/logout', '/user/wallet/wechat/a.png'])(
    '%s allows scripts by a nonce of its own, and no inline ones',
    async (path) => {
      const client = openClient('linkmarket.session.0=nobody');
      const [first, second] = [await client.get(path), await client.get(path)];
      const policy = first.headers.get('content-security-policy') ?? '';
      const scripts = /script-src ([^;]+)/.exec(policy)?.[1] ?? '';
      expect(scripts).toContain("'strict-dynamic'");
      expect(scripts).not.toContain("'unsafe-inline'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).toContain("base-uri 'none'");
      expect(policy).toContain('report-uri /api/csp-reports; report-to csp');
      expect(first.headers.get('reporting-endpoints')).toBe('csp="/api/csp-reports"');
      expect(nonceOf(policy)).not.toBe('');
      expect(nonceOf(policy)).not.toBe(nonceOf(second.headers.get('content-security-policy')));
    },
  );

  it('carries the usual headers, and asks for https only where it came by https', async () => {
    const client = openClient();
    const plain = await client.get('/user/login');
    expect(plain.headers.get('x-content-type-options')).toBe('nosniff');
    expect(plain.headers.get('x-frame-options')).toBe('DENY');
    expect(plain.headers.get('referrer-policy')).not.toBeNull();
    expect(plain.headers.get('strict-transport-security')).toBeNull();
    const secure = await client.get('/user/login', { 'x-forwarded-proto': 'https' });
    expect(secure.headers.get('strict-transport-security')).toContain('max-age=');
  });
});

const answerPolicy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox";

describe('every answer of the API', () => {
  it.each([
    ['GET', '/api/health', 200],
    ['GET', '/api/niches-types', 401],
    ['GET', '/api/nothing/here', 404],
    ['DELETE', '/api/health', 405],
    ['POST', '/api/user/auth/login', 400],
    ['GET', '/api/auth/signin', 302],
  ])('%s %s, which answers %i, loads, runs and frames nothing', async (method, path, status) => {
    const answer = await openClient().request(path, { method });
    expect(answer.status).toBe(status);
    expect(answer.headers.get('content-security-policy')).toBe(answerPolicy);
  });

  it('does so where it is too large to be read, and where it is a file', async () => {
    const client = openClient();
    const large = await sendBody(client, '/api/user/auth/login', `{"email":"${'a'.repeat(300_000)}"}`);
    expect(large.status).toBe(413);
    expect(large.headers.get('content-security-policy')).toBe(answerPolicy);
    await client.signIn('admin', (await makeAccount({ role: 'Admin' })).email);
    const upload = await client.post('/dashboard/features/backup/upload');
    expect(upload.headers.get('content-security-policy')).toBe(answerPolicy);
    const file = await client.get('/dashboard/features/guest-posts/template');
    expect(file.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  });

  it('redirects to a sign-in with a policy too', async () => {
    const answer = await openClient().get('/dashboard');
    expect(answer.status).toBe(307);
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
  });
});

describe('POST /api/csp-reports', () => {
  const report = { 'csp-report': { 'document-uri': 'https://links.example/user?a=b', 'blocked-uri': 'inline' } };
  const send = (client: ReturnType<typeof openClient>, body: unknown, type = 'application/csp-report') =>
    sendBody(client, '/api/csp-reports', JSON.stringify(body), { headers: { 'content-type': type } });

  it('takes what browsers send, and answers 204 without a body', async () => {
    const client = openClient();
    expect(await send(client, report)).toMatchObject({ status: 204, body: '' });
    const list = [{ type: 'csp-violation', age: 1, url: 'https://links.example/', body: { blockedURL: 'eval' } }];
    expect((await send(client, list, 'application/reports+json')).status).toBe(204);
  });

  it('takes the reports of people who are signed in, which Chromium sends with cookies and no Origin', async () => {
    const client = openClient();
    await client.signIn('user', (await makeAccount()).email);
    const headers = { 'content-type': 'application/reports+json', cookie: client.cookie() };
    const body = JSON.stringify([{ type: 'csp-violation', age: 1, url: 'https://links.example/', body: {} }]);
    expect((await fetch(`${appUrl}/api/csp-reports`, { method: 'POST', headers, body })).status).toBe(204);
    const foreign = { ...headers, origin: 'https://elsewhere.example' };
    expect((await fetch(`${appUrl}/api/csp-reports`, { method: 'POST', headers: foreign, body })).status).toBe(403);
  });

  it('refuses what is no report, too large, of another type, or from another site', async () => {
    const client = openClient();
    expect((await send(client, { a: 1 })).status).toBe(400);
    expect((await send(client, { ...report, more: 'a'.repeat(17_000) })).status).toBe(413);
    expect((await send(client, report, 'text/plain')).status).toBe(415);
    const elsewhere = { 'content-type': 'application/csp-report', origin: 'https://elsewhere.example' };
    const foreign = await sendBody(client, '/api/csp-reports', JSON.stringify(report), { headers: elsewhere });
    expect(foreign.status).toBe(403);
  });

  it('takes 30 in 15 minutes from one address, and then refuses that address only', async () => {
    const client = openClient();
    const statuses = [];
    for (let sent = 0; sent < 31; sent++) statuses.push((await send(client, report)).status);
    expect(statuses.slice(0, 30)).toEqual(Array(30).fill(204));
    expect(statuses[30]).toBe(429);
    expect((await send(openClient(), report)).status).toBe(204);
  });
});

describe('a sign-out', () => {
  it.each(['/api/user/auth/logout', '/api/auth/logout', '/api/admin/auth/logout', '/api/seller/auth/logout'])(
    '%s clears the cache and storage of the browser that was signed in, never its cookies',
    async (path) => {
      const client = openClient();
      await client.signIn('user', (await makeAccount()).email);
      const answer = await client.post(path);
      expect(answer.headers.get('clear-site-data')).toBe('"cache", "storage"');
      expect(answer.headers.getSetCookie().join()).not.toContain('linkmarket.device');
      // The sign-in page signs out first: what a page holds without a session stays.
      expect((await client.post(path)).headers.get('clear-site-data')).toBeNull();
    },
  );
});
