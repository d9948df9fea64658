import { once } from 'node:events';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { eq, sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { db } from '@/db/client';
import { orderContents } from '@/db/schema/orders';
import { fundWallet } from '@/tests/factories/fund-wallet';
import { makeAccount, testPassword } from '@/tests/factories/make-account';
import { makeProject } from '@/tests/factories/make-project';
import { makeSite } from '@/tests/factories/make-site';
import { expectSoundBooks } from '@/tests/setup/expect-sound-books';
import { openInstallation, signIn } from '@/tests/setup/installation';

const installation = await openInstallation();
const { appUrl } = installation;
const app = await installation.startApp();

const account = await makeAccount();
await fundWallet(account.userId, 100_000);
const projectId = await makeProject(account);
const siteId = await makeSite((await makeAccount({ role: 'Seller' })).userId, 1_000);
const input = { kind: 'custom', projectId, siteIds: [siteId] };
const created = z.object({ orders: z.array(z.object({ id: z.number() })) });

it('SIGTERM finishes requests and uploads in flight, accepts no new ones, and exits with 0', async () => {
  const buyer = await signIn(appUrl, 'user', account.email, testPassword);
  const admin = await signIn(appUrl, 'admin', (await makeAccount({ role: 'Admin' })).email, testPassword);
  const [order] = created.parse(JSON.parse((await buyer.post('/api/orders', input)).body)).orders;
  const orderId = order?.id ?? 0;

  // A half received upload.
  const upload = request(`${appUrl}/api/admin/orders/${orderId}/content`, {
    method: 'POST',
    headers: { cookie: admin.cookie, origin: appUrl, 'content-type': 'multipart/form-data; boundary=edge' },
  });
  const uploaded = once(upload, 'response');
  upload.write('--edge\r\ncontent-disposition: form-data; name="file"; filename="late.txt"\r\n\r\nfirst half, ');

  // An order that waits for a table lock of the test.
  let ordering: ReturnType<typeof buyer.post> | undefined;
  await db().transaction(async (tx) => {
    await tx.execute(sql`lock table orders in exclusive mode`);
    ordering = buyer.post('/api/orders', input);
    const waiting = () => tx.execute(sql`select 1 from pg_locks where not granted`);
    await expect.poll(async () => (await waiting()).length).toBeGreaterThan(0);

    process.kill(app.pid, 'SIGTERM');
    await expect
      .poll(() =>
        fetch(`${appUrl}/api/health/live`).then(
          ({ status }) => status,
          () => 0,
        ),
      )
      .toBe(0);
    expect(app.hasExited()).toBe(false);
  });
  expect((await ordering)?.status).toBe(201);

  upload.end('second half\r\n--edge--\r\n');
  const [answer] = await uploaded;
  expect([answer.statusCode, JSON.parse(await text(answer))]).toMatchObject([
    201,
    { content: { fileName: 'late.txt' } },
  ]);
  await app.exited;
  expect(app.exitCode()).toBe(0);

  const [kept] = await db().select().from(orderContents).where(eq(orderContents.orderId, orderId));
  expect(kept).toMatchObject({ fileName: 'late.txt', sizeBytes: 'first half, second half'.length });
  await expectSoundBooks();
});

it('the log has a line for each request with the id of its response, and nothing private', async () => {
  const lines = installation.log();
  const requests = lines.filter(({ msg }) => msg === 'request');
  expect(requests).toContainEqual(
    expect.objectContaining({
      level: 'info',
      requestId: expect.stringMatching(/^[0-9a-z]{26}$/i),
      method: 'POST',
      route: '/api/orders',
      status: 201,
      ms: expect.any(Number),
      actorId: account.userId,
    }),
  );
  expect(requests).toContainEqual(expect.objectContaining({ route: '/api/admin/orders/[id]/content', status: 201 }));
  expect(lines.at(-1)?.msg).toBe('Shut down cleanly.');
  expect(installation.printed()).not.toContain(account.email);
  expect(installation.printed()).not.toContain(testPassword);
  expect(installation.printed()).not.toMatch(/linkmarket\.session[\w.-]*=eyJ/);
});

it('an idle process exits with 0 as well', async () => {
  const idle = await installation.startApp();
  await idle.stop();
  expect(idle.exitCode()).toBe(0);
});
