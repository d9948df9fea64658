import { expect, it, vi } from 'vitest';
import { GET as nextAuth } from '@/app/api/auth/[...nextauth]/route';
import { GET as getUserAuth, POST as postUserAuth } from '@/app/api/user/auth/[operation]/route';
import { makeAccount, testPassword } from '@/tests/factories/make-account';
import { callHandler } from '@/tests/setup/request-scope';

vi.mock('next/headers', async () => (await import('@/tests/setup/request-scope')).nextHeaders);

// A production configuration; parsed when the first test reads it.
const appUrl = 'https://links.example.com';
Object.assign(process.env, { APP_ENV: 'production', APP_URL: appUrl, NEXTAUTH_URL: appUrl });

const post = { method: 'POST', headers: { origin: appUrl, 'content-type': 'application/json' } };

async function signIn(remember = false) {
  const { email } = await makeAccount();
  const body = { email, password: testPassword, remember };
  const { status, setCookies } = await callHandler(postUserAuth, `${appUrl}/api/user/auth/login`, { ...post, body });
  expect(status).toBe(200);
  const [line = '', ...more] = setCookies.filter((one) => !one.includes('linkmarket.device='));
  expect(more).toEqual([]);
  return { email, line, cookie: line.split(';')[0] ?? '' };
}

const attributesOf = (line: string) =>
  line
    .split('; ')
    .slice(1)
    .map((part) => part.toLowerCase());

it('binds the session cookie to host and https, hidden from scripts and other sites', async () => {
  const { email, line, cookie } = await signIn();
  expect(line).toMatch(/^__Host-linkmarket\.session=[\w-]+\.[\w.-]+;/);
  // No Domain and no Max-Age: required by __Host-, and a session cookie.
  expect(attributesOf(line).sort()).toEqual(['httponly', 'path=/', 'samesite=lax', 'secure']);
  const answer = await callHandler(getUserAuth, `${appUrl}/api/user/auth/me`, { headers: { cookie } });
  expect(answer).toMatchObject({ status: 200, body: { email } });
});

it('does so for a remembered session and at sign-out', async () => {
  const { line, cookie } = await signIn(true);
  expect(attributesOf(line)).toEqual(expect.arrayContaining(['secure', 'httponly', 'path=/', 'max-age=2592000']));
  const { setCookies } = await callHandler(postUserAuth, `${appUrl}/api/user/auth/logout`, {
    ...post,
    headers: { ...post.headers, cookie },
  });
  expect(setCookies).toHaveLength(1);
  expect(setCookies[0]).toMatch(/^__Host-linkmarket\.session=;/);
  expect(attributesOf(setCookies[0] ?? '')).toEqual(
    expect.arrayContaining(['secure', 'httponly', 'path=/', 'samesite=lax', 'max-age=0']),
  );
  expect((await callHandler(getUserAuth, `${appUrl}/api/user/auth/me`, { headers: { cookie } })).status).toBe(401);
});

it('ignores a session cookie with the name used on plain http', async () => {
  const { cookie } = await signIn();
  const value = cookie.split('=')[1] ?? '';
  for (const name of [
    'linkmarket.session',
    'linkmarket.session.80',
    'linkmarket.session.443',
    '__Secure-linkmarket.session',
  ]) {
    const answer = await callHandler(getUserAuth, `${appUrl}/api/user/auth/me`, {
      headers: { cookie: `${name}=${value}` },
    });
    expect(answer.status, name).toBe(401);
  }
});

it('refuses a change from a page on plain http', async () => {
  const { cookie } = await signIn();
  for (const origin of ['http://links.example.com', 'https://links.example.com:8443', 'https://example.com']) {
    const { status } = await callHandler(postUserAuth, `${appUrl}/api/user/auth/logout`, {
      method: 'POST',
      headers: { origin, cookie },
    });
    expect(status, origin).toBe(403);
  }
  expect((await callHandler(getUserAuth, `${appUrl}/api/user/auth/me`, { headers: { cookie } })).status).toBe(200);
});

it("protects next-auth's own cookies the same way", async () => {
  const { status, setCookies } = await callHandler(nextAuth, `${appUrl}/api/auth/csrf`, {
    params: { nextauth: ['csrf'] },
  });
  expect(status).toBe(200);
  expect(setCookies.map((line) => line.split('=')[0]).sort()).toEqual([
    '__Host-next-auth.csrf-token',
    '__Secure-next-auth.callback-url',
  ]);
  for (const line of setCookies) {
    expect(attributesOf(line)).toEqual(expect.arrayContaining(['secure', 'httponly', 'path=/', 'samesite=lax']));
    expect(line).not.toMatch(/domain=/i);
  }
});
