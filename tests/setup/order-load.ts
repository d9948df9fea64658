import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { count, eq } from 'drizzle-orm';
import { expect } from 'vitest';
import { db } from '@/db/client';
import { orders } from '@/db/schema/orders';
import { getWalletBalance } from '@/lib/ledger/balance';
import { fundWallet } from '@/tests/factories/fund-wallet';
import { makeAccount, testPassword } from '@/tests/factories/make-account';
import { makeProject } from '@/tests/factories/make-project';
import { makeSite } from '@/tests/factories/make-site';
import { expectSoundBooks } from './expect-sound-books';
import { type Answered, signIn } from './installation';

const priceCents = 1_000;
const fundsCents = 100_000_000;

/**
 * Simulates a buyer who orders, reads the catalogue and opens pages continuously. Each order has its own
 * Idempotency-Key and is retried with it until it is confirmed, as in the browser. `settle` checks that every order
 * exists exactly once.
 */
export async function openOrderLoad(appUrl: string) {
  const account = await makeAccount();
  await fundWallet(account.userId, fundsCents);
  const projectId = await makeProject(account);
  const siteId = await makeSite((await makeAccount({ role: 'Seller' })).userId, priceCents);
  const buyer = await signIn(appUrl, 'user', account.email, testPassword);

  const answers = { order: [] as Answered[], catalogue: [] as Answered[], page: [] as Answered[] };
  const keys = new Set<string>();
  const confirmed = new Set<string>();
  let isOn = true;

  const order = async (key: string): Promise<Answered> => {
    keys.add(key);
    const body = { kind: 'custom', projectId, siteIds: [siteId] };
    const answer = await buyer.post('/api/orders', body, { 'idempotency-key': key });
    if (answer.status === 201) confirmed.add(key);
    return answer;
  };
  const during = async (name: keyof typeof answers, call: () => Promise<Answered>) => {
    while (isOn) {
      const answer = await call();
      answers[name].push(answer);
      // Waits before a retry, to leave the machine capacity to recover.
      if (answer.status === 0 || answer.status >= 500) await sleep(100);
    }
  };
  const orderer = () => {
    let key = randomUUID();
    return async () => {
      const answer = await order(key);
      if (answer.status === 201) key = randomUUID();
      return answer;
    };
  };
  const workers = [
    ...Array.from({ length: 4 }, () => during('order', orderer())),
    during('catalogue', () => buyer.get('/api/guest-posts?limit=5')),
    during('page', () => buyer.get('/user/wallet')),
  ];
  return {
    answers,
    confirmed: () => confirmed.size,
    seen: (name: keyof typeof answers, status: number) =>
      answers[name].filter((answer) => answer.status === status).length,
    stop: async () => {
      isOn = false;
      await Promise.all(workers);
    },
    /** Checks that no order is lost or duplicated, and verifies the books. */
    settle: async () => {
      for (const key of keys) if (!confirmed.has(key)) expect((await order(key)).status).toBe(201);
      const [made] = await db().select({ count: count() }).from(orders).where(eq(orders.accountId, account.userId));
      expect(made?.count).toBe(keys.size);
      expect(await getWalletBalance(account.userId)).toBe(fundsCents - keys.size * priceCents);
      await expectSoundBooks();
    },
  };
}
