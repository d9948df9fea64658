import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { eq, sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { topups } from '@/db/schema/topups';
import { sessions } from '@/db/schema/users';
import { getWalletBalance } from '@/lib/ledger/balance';
import { reconcileTopups } from '@/lib/payments/top-ups/reconcile';
import { makeAccount, testPassword } from '@/tests/factories/make-account';
import { expectSoundBooks } from '@/tests/setup/expect-sound-books';
import { openInstallation, signIn } from '@/tests/setup/installation';

const installation = await openInstallation();
const { appUrl, gatewayUrl } = installation;
// The app's clock is wrong; PostgreSQL's and the provider's are correct.
const preload = `--import ${pathToFileURL(join(import.meta.dirname, '../setup/shifted-clock.mjs')).href}`;
const minute = 60_000;
const startSkewed = (minutes: number) =>
  installation.startApp({ NODE_OPTIONS: preload, CLOCK_SHIFT_MS: String(minutes * minute) });

const control = (path: string, body: object = {}) =>
  fetch(`${gatewayUrl}/controls/stripe${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

describe.each([120, -20])('with a clock that is %i minutes off', (minutes) => {
  const isFast = minutes > 0;
  const tags = isFast ? [] : ['full'];
  it('sessions stay valid, and a payment is credited once', { tags }, async () => {
    const account = await makeAccount();
    const skewed = await startSkewed(minutes);
    const buyer = await signIn(appUrl, 'user', account.email, testPassword);
    expect((await buyer.get('/api/user/auth/me')).status).toBe(200);
    // The database decides by its own clock whether a session is valid.
    const [session] = await db()
      .select({ isRunning: sql<boolean>`expires_at > now() + interval '1 hour'` })
      .from(sessions)
      .where(eq(sessions.userId, account.userId));
    expect(session?.isRunning).toBe(true);

    await control('', { mode: 'hold' });
    const input = { amount: 42, currency: 'USD', returnUrl: '/user/wallet', cancelUrl: '/user/wallet' };
    expect((await buyer.post('/api/user/payments/stripe/checkout', input)).status).toBe(200);
    const [topup] = await db().select().from(topups).where(eq(topups.accountId, account.userId));
    const reference = topup?.providerReference ?? '';
    expect((await control(`/sessions/${reference}/pay`)).status).toBe(200);
    // Signed now. For a fast clock this is too old: rejected, so it credits nothing. Stripe's own check accepts times
    // in the future, so a slow clock accepts it.
    await control(`/sessions/${reference}/deliver`);
    expect(await getWalletBalance(account.userId)).toBe(isFast ? 0 : 4_200);
    // The provider's API is trusted at any time, and credits once.
    await db().update(topups).set({ nextCheckAt: sql`now()` }).where(eq(topups.accountId, account.userId));
    await reconcileTopups();
    expect(await getWalletBalance(account.userId)).toBe(4_200);
    await skewed.stop();

    // The clock is corrected: the session from before is still valid, and the repeated notification adds nothing.
    const right = await installation.startApp();
    expect((await buyer.get('/api/user/auth/me')).status).toBe(200);
    await control(`/sessions/${reference}/redeliver`);
    expect(await getWalletBalance(account.userId)).toBe(4_200);
    await right.stop();
    await expectSoundBooks();
  });
});

const checkouts = {
  stripe: '/api/user/payments/stripe/checkout',
  paypal: '/api/wallet/topup/paypal',
  wechat: '/api/wallet/topup/wechat',
};

it('a slow provider blocks no other requests, and the buyer gets a message', async () => {
  // Two connections: if a waiting call held one, two such calls would block all others.
  await installation.startApp({ DATABASE_POOL_MAX: '2' });
  for (const provider of Object.keys(checkouts)) {
    await fetch(`${gatewayUrl}/controls/${provider}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ slowMs: 60_000 }),
    });
  }
  const accounts = await Promise.all(Object.keys(checkouts).map(() => makeAccount()));
  const buyers = await Promise.all(accounts.map(({ email }) => signIn(appUrl, 'user', email, testPassword)));
  const input = { amount: 10, currency: 'USD', returnUrl: '/user/wallet', cancelUrl: '/user/wallet' };
  let waiting = 0;
  const asking = Object.values(checkouts).flatMap((path) =>
    buyers.map(async (buyer) => {
      waiting += 1;
      const answer = await buyer.post(path, input);
      waiting -= 1;
      return answer;
    }),
  );
  // Each of them has stored its intent and now waits for the provider.
  await expect.poll(() => db().$count(topups, eq(topups.status, 'created'))).toBe(asking.length);
  for (const buyer of buyers) {
    expect((await buyer.get('/api/guest-posts?limit=5')).status).toBe(200);
    expect((await buyer.get('/api/wallet')).status).toBe(200);
  }
  expect(waiting).toBe(asking.length);

  for (const answer of await Promise.all(asking)) {
    expect(answer.status).toBe(502);
    expect(JSON.parse(answer.body)).toMatchObject({
      error: 'The payment provider could not be reached. Please try again.',
    });
  }
  await expectSoundBooks();
});
