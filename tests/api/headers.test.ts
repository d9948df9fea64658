import { describe, expect, it } from 'vitest';
import { makeAccount } from '@/tests/factories/make-account';
import { makeUser } from '@/tests/factories/make-user';
import { appUrl, openClient } from '@/tests/setup/http-client';
import { openSession } from '@/tests/setup/open-session';
import { sendBody } from '@/tests/setup/send-body';

const nonceOf = (policy: string | null) => /'nonce-([^']+)'/.exec(policy ?? '')?.[1] ?? '';

describe('every page', () => {
  it.each(['/user/login', '/register', '/nothing-here', '/logout', '/user/wallet/wechat/a.png'])(
    '%s allows scripts by its own nonce, and no inline scripts',
    async (path) => {
      const client = path.startsWith('/user/wallet') ? await openSession((await makeUser()).userId) : openClient();
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

  it('has the security headers, and HSTS only for https', async () => {
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

describe('every API response', () => {
  it.each([
    ['GET', '/api/health', 200],
    ['GET', '/api/niches-types', 401],
    ['GET', '/api/nothing/here', 404],
    ['DELETE', '/api/health', 405],
    ['POST', '/api/user/auth/login', 400],
    ['GET', '/api/auth/signin', 302],
  ])('%s %s with status %i has a policy that loads, runs and frames nothing', async (method, path, status) => {
    const answer = await openClient().request(path, { method });
    expect(answer.status).toBe(status);
    expect(answer.headers.get('content-security-policy')).toBe(answerPolicy);
  });

  it('has the policy for rejected bodies and for files', async () => {
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

  it('has a policy on redirects to the sign-in page too', async () => {
    const answer = await openClient().get('/dashboard');
    expect(answer.status).toBe(307);
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
  });
});

describe('POST /api/csp-reports', () => {
  const report = { 'csp-report': { 'document-uri': 'https://links.example/user?a=b', 'blocked-uri': 'inline' } };
  const send = (client: ReturnType<typeof openClient>, body: unknown, type = 'application/csp-report') =>
    sendBody(client, '/api/csp-reports', JSON.stringify(body), { headers: { 'content-type': type } });

  it("accepts browsers' reports, and returns 204 without a body", async () => {
    const client = openClient();
    expect(await send(client, report)).toMatchObject({ status: 204, body: '' });
    const list = [{ type: 'csp-violation', age: 1, url: 'https://links.example/', body: { blockedURL: 'eval' } }];
    expect((await send(client, list, 'application/reports+json')).status).toBe(204);
  });

  it('accepts reports with cookies and without Origin, as Chromium sends them', async () => {
    const client = openClient();
    await client.signIn('user', (await makeAccount()).email);
    const headers = { 'content-type': 'application/reports+json', cookie: client.cookie() };
    const body = JSON.stringify([{ type: 'csp-violation', age: 1, url: 'https://links.example/', body: {} }]);
    expect((await fetch(`${appUrl}/api/csp-reports`, { method: 'POST', headers, body })).status).toBe(204);
    const foreign = { ...headers, origin: 'https://elsewhere.example' };
    expect((await fetch(`${appUrl}/api/csp-reports`, { method: 'POST', headers: foreign, body })).status).toBe(403);
  });

  it('rejects other content, excess size, other types and other sites', async () => {
    const client = openClient();
    expect((await send(client, { a: 1 })).status).toBe(400);
    expect((await send(client, { ...report, more: 'a'.repeat(17_000) })).status).toBe(413);
    expect((await send(client, report, 'text/plain')).status).toBe(415);
    const elsewhere = { 'content-type': 'application/csp-report', origin: 'https://elsewhere.example' };
    const foreign = await sendBody(client, '/api/csp-reports', JSON.stringify(report), { headers: elsewhere });
    expect(foreign.status).toBe(403);
  });

  it('accepts 30 in 15 minutes per IP address', async () => {
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
    "%s clears the browser's cache and storage of the session, never its cookies",
    async (path) => {
      const client = openClient();
      await client.signIn('user', (await makeAccount()).email);
      const answer = await client.post(path);
      expect(answer.headers.get('clear-site-data')).toBe('"cache", "storage"');
      expect(answer.headers.getSetCookie().join()).not.toContain('linkmarket.device');
      // The sign-in page signs out first; without a session the page's storage stays.
      expect((await client.post(path)).headers.get('clear-site-data')).toBeNull();
    },
  );
});
