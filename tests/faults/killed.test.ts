import { eq, like, sql } from 'drizzle-orm';
import { afterEach, expect, it } from 'vitest';
import { db } from '@/db/client';
import { backups } from '@/db/schema/backups';
import { sites } from '@/db/schema/sites';
import { topups } from '@/db/schema/topups';
import { listBackups } from '@/lib/backup/queries';
import { getWalletBalance } from '@/lib/ledger/balance';
import { makeAccount, testPassword } from '@/tests/factories/make-account';
import { expectSoundBooks } from '@/tests/setup/expect-sound-books';
import { killProcess, openInstallation, signIn } from '@/tests/setup/installation';
import { openOrderLoad } from '@/tests/setup/order-load';

// The app is a real process that gets SIGKILL during its work, and is then started again.

const installation = await openInstallation();
const { appUrl, gatewayUrl } = installation;
// They read the app's URL when they are imported.
const { openClient } = await import('@/tests/setup/http-client');
const { callAction, findAction } = await import('@/tests/setup/server-action');
let app = await installation.startApp();
const startAgain = async () => {
  app = await installation.startApp();
};

// The interrupted requests.
afterEach(() => expectSoundBooks());

it('during orders: each exists once, confirmed or repeated', async () => {
  const load = await openOrderLoad(appUrl);
  await expect.poll(load.confirmed).toBeGreaterThan(15);
  await killProcess(app);
  await expect.poll(() => load.seen('order', 0)).toBeGreaterThan(0);
  await startAgain();
  await load.stop();
  await load.settle();
  expect(new Set(load.answers.order.map(({ status }) => status))).toEqual(new Set([0, 201]));
});

it('during an import: nothing is imported, and a retry imports everything once', { tags: ['full'] }, async () => {
  const admin = await makeAccount({ role: 'Admin' });
  const rows = Array.from({ length: 20_000 }, (_, row) => `https://killedimport${row}.example.com,${row % 90},35`);
  const file = new Blob([`url,dr,price\n${rows.join('\n')}\n`]);
  const inFile = () => db().$count(sites, like(sites.urlKey, 'killedimport%'));
  const send = async () =>
    (await signIn(appUrl, 'admin', admin.email, testPassword)).upload('/api/guest-posts/upload', 'sites.csv', file);

  const sending = send();
  const writing = () =>
    db().execute(sql`select 1 from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and (query ilike '%import_rows%') and state <> 'idle'`);
  await expect.poll(async () => (await writing()).length, { interval: 5 }).toBeGreaterThan(0);
  await killProcess(app);
  expect((await sending).status).toBe(0);
  await expect.poll(async () => (await writing()).length).toBe(0);
  expect(await inFile()).toBe(0);

  await startAgain();
  const [first, second] = [await send(), await send()];
  expect(JSON.parse(first.body)).toMatchObject({ inserted: rows.length, duplicates: 0, skipped: 0 });
  expect(JSON.parse(second.body)).toMatchObject({ inserted: 0, duplicates: rows.length, skipped: 0 });
  expect(await inFile()).toBe(rows.length);
});

it('during payment notifications: each is credited once', async () => {
  const account = await makeAccount();
  const buyer = await signIn(appUrl, 'user', account.email, testPassword);
  const control = async (path: string, body: object = {}) =>
    (
      await fetch(`${gatewayUrl}/controls/stripe${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    ).status;
  await control('', { mode: 'hold' });
  const amounts = [5, 6, 7, 8];
  for (const amount of amounts) {
    const input = { amount, currency: 'USD', returnUrl: '/user/wallet', cancelUrl: '/user/wallet' };
    expect((await buyer.post('/api/user/payments/stripe/checkout', input)).status).toBe(200);
  }
  const own = await db().select().from(topups).where(eq(topups.accountId, account.userId));
  const references = own.map(({ providerReference }) => providerReference ?? '');
  for (const reference of references) expect(await control(`/sessions/${reference}/pay`)).toBe(200);

  const delivering = references.map((reference) => control(`/sessions/${reference}/deliver`));
  await expect.poll(() => getWalletBalance(account.userId), { interval: 2 }).toBeGreaterThan(0);
  await killProcess(app);
  await Promise.all(delivering);
  await startAgain();
  for (const reference of references) {
    await control(`/sessions/${reference}/deliver`);
    await control(`/sessions/${reference}/redeliver`);
  }
  expect(await getWalletBalance(account.userId)).toBe(amounts.reduce((sum, amount) => sum + amount * 100, 0));
});

it('during a backup: it is reported as interrupted, blocks no other, and the next one is complete', {
  tags: ['full'],
}, async () => {
  const account = await makeAccount({ role: 'Admin' });
  const admin = openClient();
  await admin.signIn('admin', account.email);
  const page = '/dashboard/features/backup';
  const id = await findAction(admin, page, 'createBackupAction');
  const began = async () => expect((await callAction(admin, page, id, { withFiles: false })).status).toBe(200);

  // Blocked at one of the tables, so that it cannot finish before the kill.
  await db().transaction(async (tx) => {
    await tx.execute(sql`lock table licenses in access exclusive mode`);
    await began();
    const waiting = () => tx.execute(sql`select 1 from pg_locks where not granted`);
    await expect.poll(async () => (await waiting()).length).toBeGreaterThan(0);
    await killProcess(app);
  });
  await startAgain();
  const [broken] = await listBackups();
  expect(broken).toMatchObject({ status: 'running', isCutOff: false });
  // Two minutes without progress.
  await db()
    .update(backups)
    .set({ updatedAt: sql`now() - interval '3 minutes'` })
    .where(eq(backups.id, broken?.id ?? ''));
  expect(await listBackups()).toMatchObject([{ isCutOff: true }]);
  await began();
  await expect.poll(async () => (await listBackups())[0]?.status).toBe('complete');
});
