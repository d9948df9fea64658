import { setTimeout as sleep } from 'node:timers/promises';
import { and, eq } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { db } from '@/db/client';
import { connect } from '@/db/open-pool';
import { topups } from '@/db/schema/topups';
import { proveAuditLog } from '@/lib/audit/prove-chain';
import { getWalletBalance } from '@/lib/ledger/balance';
import { makeAccount, testPassword } from '@/tests/factories/make-account';
import { freezeCluster, killCluster, openInstallation, signIn } from '@/tests/setup/installation';
import { openOrderLoad } from '@/tests/setup/order-load';
import { addStandby } from '@/tests/setup/standby';

// Two PostgreSQL servers with synchronous replication. `npm run drill:failover` does the same with Patroni and more faults.

const delivered = z.object({ deliveries: z.array(z.object({ state: z.string() })) });

const installation = await openInstallation();
const { appUrl, gatewayUrl } = installation;
const cluster = await addStandby(installation);
const app = await installation.startApp(cluster.settings);

it('a commit whose wait for the standby is canceled is not reported as successful', async () => {
  const sql = connect(cluster.primary.url, { max: 1 });
  const other = connect(cluster.primary.url, { max: 1 });
  const [own] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
  // The jobs of the app wait for the standby too.
  const cancel = () =>
    other`select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep' and pid = ${own?.pid ?? 0}`;
  const thaw = freezeCluster(cluster.standby.cluster);
  try {
    const change = sql.begin((tx) => tx.unsafe('create table unconfirmed (id int)')).catch((thrown: unknown) => thrown);
    await expect.poll(async () => (await cancel()).length).toBe(1);
    expect(await change).toMatchObject({ code: '08007' });
  } finally {
    thaw();
  }
  // PostgreSQL had committed it, and the standby receives it when it continues.
  await sql.unsafe('drop table unconfirmed');
  await Promise.all([sql.end(), other.end()]);
});

it('the primary is killed under load: the app continues on the standby, nothing confirmed is lost or doubled', async () => {
  const load = await openOrderLoad(appUrl);
  const account = await makeAccount();
  const buyer = await signIn(appUrl, 'user', account.email, testPassword);
  const control = async (path: string, body: object = {}) => {
    const headers = { 'content-type': 'application/json' };
    return fetch(`${gatewayUrl}/controls/stripe${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  };
  await control('', { mode: 'hold' });
  const amounts = [5, 6, 7, 8, 9, 10];
  for (const amount of amounts) {
    const input = { amount, currency: 'USD', returnUrl: '/user/wallet', cancelUrl: '/user/wallet' };
    expect((await buyer.post('/api/user/payments/stripe/checkout', input)).status).toBe(200);
  }
  const own = await db().select().from(topups).where(eq(topups.accountId, account.userId));
  const references = own.map(({ providerReference }) => providerReference ?? '');
  for (const reference of references) await control(`/sessions/${reference}/pay`);
  await control(`/sessions/${references[0]}/deliver`);
  await expect.poll(load.confirmed).toBeGreaterThan(20);

  const answered = new Set([references[0]]);
  const delivering = references.slice(1).map(async (reference, index) => {
    await sleep(index * 20);
    const { deliveries } = delivered.parse(await (await control(`/sessions/${reference}/deliver`)).json());
    if (deliveries.some(({ state }) => state === 'delivered')) answered.add(reference);
  });
  killCluster(cluster.primary.cluster);
  await expect.poll(() => load.seen('order', 503)).toBeGreaterThan(5);
  const before = load.confirmed();
  await cluster.promote();
  const promoted = performance.now();
  await expect.poll(load.confirmed).toBeGreaterThan(before);
  expect(performance.now() - promoted).toBeLessThan(5_000);
  await expect.poll(load.confirmed).toBeGreaterThan(before + 20);
  await Promise.all(delivering);
  // Before the repeated delivery, which would credit a payment that was lost.
  const paid = await db()
    .select()
    .from(topups)
    .where(and(eq(topups.accountId, account.userId), eq(topups.status, 'paid')));
  const credited = paid.map(({ providerReference }) => providerReference ?? '');
  expect(credited).toEqual(expect.arrayContaining([...answered]));
  for (const reference of references) await control(`/sessions/${reference}/redeliver`);
  await load.stop();
  // Every order exists once, and the books balance.
  await load.settle();

  expect(app.hasExited()).toBe(false);
  expect(new Set(load.answers.order.map(({ status }) => status))).toEqual(new Set([201, 503]));
  expect(await getWalletBalance(account.userId)).toBe(amounts.reduce((sum, amount) => sum + amount * 100, 0));
  expect((await proveAuditLog({ isWhole: true })).report).toMatchObject({ isSound: true, faults: [] });
});

it('an old primary that returns and accepts writes is not used', async () => {
  await installation.startPostgres();
  const old = connect(cluster.primary.url, { max: 1 });
  const both = connect(cluster.settings.DATABASE_URL, { max: 1 });
  expect(await old`select pg_is_in_recovery() as standby`).toEqual([{ standby: false }]);
  const [row] = await both<{ port: number }[]>`select inet_server_port() as port`;
  expect(row?.port).toBe(Number(new URL(cluster.standby.url).port));
  await Promise.all([old.end(), both.end()]);
});
