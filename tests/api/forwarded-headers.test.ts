import { randomInt } from 'node:crypto';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { limits } from '@/lib/platform/rate-limits/limits';
import { makeAccount } from '@/tests/factories/make-account';
import { appUrl, openClient } from '@/tests/setup/http-client';
import { startInstances } from '@/tests/setup/instances';

/** Failed sign-ins of one account with different X-Forwarded-For headers; the last exceeds the limit per address. */
async function statusesOfTries(at: string): Promise<number[]> {
  const { email } = await makeAccount();
  const statuses: number[] = [];
  for (let n = 0; n <= limits.signIn.pair.max; n += 1) {
    const made = `10.${randomInt(256)}.${randomInt(256)}.${n}`;
    const headers = { 'x-forwarded-for': made, 'x-real-ip': made, forwarded: `for=${made}` };
    const body = { email, password: 'wrong password' };
    statuses.push((await openClient('', at).post('/api/user/auth/login', body, headers)).status);
  }
  return statuses;
}

describe('an installation behind a proxy on loopback', () => {
  it('counts by the IP address that the proxy reports', async () => {
    expect(new Set(await statusesOfTries(appUrl))).toEqual(new Set([401]));
  });
});

describe('an installation behind other proxies', () => {
  let direct: Awaited<ReturnType<typeof startInstances>>;
  beforeAll(async () => {
    direct = await startInstances(1, { TRUSTED_PROXIES: '192.0.2.1', SECURITY_CONTACT: 'security@example.com' });
  }, 180_000);
  afterAll(() => direct.stop());

  it("counts by the connection's IP address, whatever the caller claims", async () => {
    const [origin = ''] = direct.origins;
    const statuses = await statusesOfTries(origin);
    expect(statuses.slice(0, -1)).toEqual(Array.from({ length: limits.signIn.pair.max }, () => 401));
    expect(statuses.at(-1)).toBe(429);
  });

  it('serves its security contact publicly', async () => {
    const answer = await openClient('', direct.origins[0]).get('/.well-known/security.txt');
    expect(answer).toMatchObject({
      status: 200,
      body: expect.stringContaining('Contact: mailto:security@example.com\n'),
    });
  });

  it("does not believe a caller's claim of https", async () => {
    const answer = await openClient('', direct.origins[0]).get('/user/login', { 'x-forwarded-proto': 'https' });
    expect(answer.headers.get('strict-transport-security')).toBeNull();
  });
});

describe('the demo, development and tests', () => {
  const others = Object.values(networkInterfaces()).flatMap((all = []) =>
    all.filter(({ internal, scopeid }) => !internal && !scopeid).map(({ address }) => address),
  );
  // Linux accepts all of 127.0.0.0/8, so a server on every interface would respond there too.
  const addresses = [...others, ...(process.platform === 'linux' ? ['127.0.0.2'] : [])];
  const portsOf = (url: string | undefined) => Number(new URL(url ?? '').port);
  const first = portsOf(process.env.TEST_GATEWAY_URL);
  const ports = [portsOf(appUrl), first, first + 1, first + 2, first + 3, first + 4, portsOf(process.env.DATABASE_URL)];

  it("listen only on loopback: the app, the gateway's ports and PostgreSQL", async () => {
    expect(addresses.length).toBeGreaterThan(0);
    for (const port of ports) {
      expect(await isListening('127.0.0.1', port), `127.0.0.1 ${port}`).toBe(true);
      for (const address of addresses) expect(await isListening(address, port), `${address} ${port}`).toBe(false);
    }
  });
});

function isListening(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: 5_000 });
    const answer = (isOpen: boolean) => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.once('connect', () => answer(true));
    socket.once('error', () => answer(false));
    socket.once('timeout', () => answer(false));
  });
}
