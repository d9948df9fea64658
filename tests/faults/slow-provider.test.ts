import { eq } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { db } from '@/db/client';
import { topups } from '@/db/schema/topups';
import { makeAccount, testPassword } from '../factories/make-account';
import { expectSoundBooks } from '../setup/expect-sound-books';
import { openInstallation, signIn } from '../setup/installation';

const installation = await openInstallation();
const { appUrl, gatewayUrl } = installation;
// Two connections: if a waiting call held one, two such calls would block all others.
await installation.startApp({ DATABASE_POOL_MAX: '2' });

const checkouts = {
  stripe: '/api/user/payments/stripe/checkout',
  paypal: '/api/wallet/topup/paypal',
  wechat: '/api/wallet/topup/wechat',
};

it('a slow provider blocks no other requests, and the buyer gets a message', async () => {
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
