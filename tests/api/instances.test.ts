import { isDeepStrictEqual } from 'node:util';
import { chromium } from '@playwright/test';
import { and, eq, isNotNull, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { db } from '@/db/client';
import { auditLogs, auditSeals } from '@/db/schema/audit';
import { mails } from '@/db/schema/mails';
import { orders } from '@/db/schema/orders';
import type { Actor } from '@/lib/access/actor';
import { verifyAuditChain } from '@/lib/audit/verify-chain';
import { newId } from '@/lib/ids';
import { jobs } from '@/lib/jobs/jobs';
import { getWalletBalance } from '@/lib/ledger/balance';
import { sealBody } from '@/lib/mail/compose';
import { limits } from '@/lib/platform/rate-limits/limits';
import { uploadFormResponse } from '@/lib/platform/storage/direct-uploads';
import { defaultBranding } from '@/lib/settings/branding/branding';
import { saveBranding } from '@/lib/settings/branding/save-branding';
import { saveBrandingInput } from '@/lib/settings/branding/schemas';
import { flags, setFlag } from '@/lib/settings/feature-flags';
import { fundWallet } from '@/tests/factories/fund-wallet';
import { makeAccount } from '@/tests/factories/make-account';
import { makeOrder } from '@/tests/factories/make-order';
import { makeProject } from '@/tests/factories/make-project';
import { makeSite } from '@/tests/factories/make-site';
import { makeUser } from '@/tests/factories/make-user';
import { browserLaunchOptions } from '@/tests/setup/browser';
import { expectSoundBooks } from '@/tests/setup/expect-sound-books';
import { appUrl, openClient } from '@/tests/setup/http-client';
import { cronSecret, startInstances } from '@/tests/setup/instances';
import { startBucket } from '@/tests/setup/s3-bucket';

let instances: Awaited<ReturnType<typeof startInstances>>;
const bucket = await startBucket();

beforeAll(async () => {
  instances = await startInstances(3, {
    S3_ENDPOINT: bucket.endpoint,
    S3_BUCKET: 'content',
    S3_ACCESS_KEY_ID: 'AKIDEXAMPLE',
    S3_SECRET_ACCESS_KEY: 'secret-of-the-test',
    S3_DIRECT_UPLOADS: 'on',
  });
}, 180_000);

afterAll(async () => {
  await instances.stop();
  bucket.close();
});

/** A user with the same cookie at each instance, as behind a load balancer. */
async function signInEverywhere(person: Actor, portal: 'user' | 'admin' | 'seller' = 'user') {
  const [first = '', ...others] = instances.origins;
  const client = openClient('', first);
  expect((await client.signIn(portal, person.email)).status).toBe(200);
  return [client, ...others.map((origin) => openClient(client.cookie(), origin))] as const;
}

type Client = ReturnType<typeof openClient>;
const each = <T>(work: (client: Client) => Promise<T>, clients: readonly Client[]) => Promise.all(clients.map(work));
const statusOf = (path: string) => async (client: Client) => (await client.get(path)).status;

describe('several instances on one database', () => {
  it('share the start and end of a session', async () => {
    const clients = await signInEverywhere(await makeAccount());
    expect(await each(statusOf('/api/wallet'), clients)).toEqual([200, 200, 200]);
    expect((await clients[1]?.post('/api/auth/logout'))?.status).toBe(200);
    expect(await each(statusOf('/api/wallet'), clients)).toEqual([401, 401, 401]);
  });

  it('send a file that another instance stored in the bucket', async () => {
    const { id } = await makeOrder(5_000);
    const [first, second] = await signInEverywhere(await makeAccount({ role: 'Admin' }), 'admin');
    const form = new FormData();
    form.append('file', new File(['delivered words'], 'article.txt'));
    const path = `/api/admin/orders/${id}/content`;
    const headers = { cookie: first.cookie(), origin: new URL(appUrl).origin };
    const stored = await fetch(`${instances.origins[0]}${path}`, { method: 'POST', headers, body: form });
    expect(stored.status).toBe(201);
    expect((await second?.get(`${path}/download`))?.body).toBe('delivered words');
    expect(bucket.objects.size).toBe(1);
  });

  it('accept a file that a browser sent to the bucket, once', async () => {
    const { id } = await makeOrder(5_000);
    const clients = await signInEverywhere(await makeAccount({ role: 'Admin' }), 'admin');
    const content = 'delivered words '.repeat(300_000);
    const created = await clients[0].post('/api/uploads', { size_bytes: content.length });
    expect(created.status).toBe(201);
    const { id: upload, url, fields } = uploadFormResponse.parse(created.body);
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    form.append('file', new File([content], 'article.txt'));
    expect((await fetch(url, { method: 'POST', body: form })).status).toBe(204);
    const path = `/api/admin/orders/${id}/content`;
    const answers = await each((client) => client.post(path, { upload, name: 'article.txt' }), clients);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 404, 404]);
    expect((await clients[1]?.get(`${path}/download`))?.body).toBe(content);
    expect([...bucket.objects.keys()].filter((key) => key.includes('/uploads/'))).toEqual([]);
    const page = await fetch(`${instances.origins[0]}/user/login`);
    expect(page.headers.get('content-security-policy')).toContain(
      `connect-src 'self' ${new URL(bucket.endpoint).origin};`,
    );
    expect(await page.text()).toContain('<meta name="direct-uploads" content="on"/>');
  });

  it('accept a file that a page sent to the bucket, or as a form where the bucket refuses it', async () => {
    const [client] = await signInEverywhere(await makeAccount({ role: 'Admin' }), 'admin');
    const [name = '', value = ''] = client.cookie().split('=');
    const [origin = ''] = instances.origins;
    const content = 'delivered words '.repeat(300_000);
    const isForm = ({ headers }: { headers: { 'content-type'?: string | undefined } }) =>
      headers['content-type']?.startsWith('multipart/form-data') ?? false;
    const browser = await chromium.launch(browserLaunchOptions());
    try {
      const context = await browser.newContext();
      await context.addCookies([{ name, value, url: origin }]);
      const page = await context.newPage();
      const blocked: string[] = [];
      page.on('console', (message) => {
        if (message.text().includes('Content Security Policy')) blocked.push(message.text());
      });
      for (const isRefused of [false, true]) {
        bucket.trouble.refuses = (request) => isRefused && isForm(request);
        const before = bucket.requests.length;
        const { id } = await makeOrder(5_000);
        await page.goto(`${origin}/dashboard/features/orders?order=${id}`);
        const file = { name: 'article.txt', mimeType: 'text/plain', buffer: Buffer.from(content) };
        await page.getByLabel('Content file').setInputFiles(file);
        await page.getByRole('button', { name: 'Upload content' }).click();
        await page.getByText('Content uploaded.').waitFor();
        expect(bucket.requests.slice(before).filter(isForm)).toHaveLength(1);
        expect((await client.get(`/api/admin/orders/${id}/content/download`)).body).toBe(content);
      }
      expect(blocked).toEqual([]);
    } finally {
      bucket.trouble.refuses = () => false;
      await browser.close();
    }
  }, 60_000);

  it('list a site as another instance changed it, although each caches the list', async () => {
    const siteId = await makeSite((await makeUser('Seller')).userId, 5_000);
    const buyers = await signInEverywhere(await makeAccount());
    const [, desk] = await signInEverywhere(await makeAccount({ role: 'Admin' }), 'admin');
    const listed = async () =>
      each(async (client) => {
        const { body, headers } = await client.get('/api/guest-posts?limit=5&sort=price&order=asc');
        const rows = z.array(z.object({ id: z.number(), price: z.number() })).parse(body);
        return { price: rows.find(({ id }) => id === siteId)?.price, tag: headers.get('etag') };
      }, buyers);
    const before = await listed();
    expect(before.map(({ price }) => price)).toEqual([50, 50, 50]);
    for (let cents = 5_100; cents < 5_600; cents += 100) {
      const answer = await desk?.request(`/api/guest-posts/${siteId}`, {
        method: 'PUT',
        body: { publicPrice: cents / 100 },
      });
      expect(answer?.status).toBe(200);
      const now = await listed();
      expect(now.map(({ price }) => price)).toEqual([cents / 100, cents / 100, cents / 100]);
      // Byte for byte the same response from every instance.
      expect(new Set(now.map(({ tag }) => tag)).size).toBe(1);
    }
  });

  it('apply a feature flag and branding as soon as another instance changed them', async () => {
    const admin = await makeUser('Admin');
    const buyers = await signInEverywhere(await makeAccount());
    const statuses = () => each(statusOf('/api/guest-posts?limit=1'), buyers);
    expect(await statuses()).toEqual([200, 200, 200]);
    await setFlag(admin, { name: 'marketplace', isOn: false, version: 0 });
    const closed = { status: 503, body: { error: flags.marketplace.off } };
    expect(await each((buyer) => buyer.get('/api/guest-posts?limit=1'), buyers)).toMatchObject([
      closed,
      closed,
      closed,
    ]);
    await setFlag(admin, { name: 'marketplace', isOn: true, version: 1 });
    expect(await statuses()).toEqual([200, 200, 200]);
  });

  it('show a changed setting in the next response of each, to users and to visitors', async () => {
    const admin = await makeUser('Admin');
    const buyers = await signInEverywhere(await makeAccount());
    const visitors = instances.origins.map((origin) => openClient('', origin));
    const show = async (words: string, isShown = true) => {
      for (const [clients, path] of [
        [buyers, '/user/wallet'],
        [visitors, '/user/login'],
      ] as const) {
        const pages = await each(async (client) => String((await client.get(path)).body), clients);
        expect(
          pages.map((page) => page.includes(words)),
          `${words} at ${path}`,
        ).toEqual(pages.map(() => isShown));
      }
    };
    const { logo: _none, ...shipped } = defaultBranding;
    // Each instance has the settings in memory from its last response.
    for (const [version, siteName] of ['Harbour Links', 'Quay Links', 'Pier Links'].entries()) {
      await saveBranding(admin, saveBrandingInput.parse({ ...shipped, version, siteName }));
      await show(siteName);
    }
    const rename = (siteName: string) => sql`update settings
      set value = jsonb_set(value, '{siteName}', to_jsonb(${siteName}::text)) where key = 'branding'`;
    await db().execute(rename('Dock Links'));
    await show('Dock Links');
    await db().transaction(async (tx) => {
      await tx.execute(rename('Lock Links'));
      await show('Lock Links', false);
    });
    await show('Lock Links');

    const menus = async () => each(async (client) => String((await client.get('/user/billing')).body), buyers);
    const offers = (page: string) => page.includes('href="/user/marketplace"');
    for (const isOn of [false, true]) {
      await setFlag(admin, { name: 'marketplace', isOn, version: isOn ? 3 : 2 });
      expect((await menus()).map(offers)).toEqual([isOn, isOn, isOn]);
    }
  });

  it('return 404 for security.txt without SECURITY_CONTACT and support address', async () => {
    const statuses = await each(
      statusOf('/.well-known/security.txt'),
      instances.origins.map((origin) => openClient('', origin)),
    );
    expect(statuses).toEqual([404, 404, 404]);
  });

  it('count failed sign-ins together', async () => {
    const { email } = await makeAccount();
    const address = openClient('').address;
    const tries = limits.signIn.pair.max;
    const statuses: number[] = [];
    for (let n = 0; n <= tries; n += 1) {
      const at = instances.origins[n % instances.origins.length];
      const body = { email, password: 'wrong password' };
      const answer = await openClient('', at).post('/api/user/auth/login', body, { 'x-forwarded-for': address });
      statuses.push(answer.status);
    }
    expect(statuses.slice(0, tries)).toEqual(Array.from({ length: tries }, () => 401));
    expect(statuses[tries]).toBe(429);
  });

  it('together sell what one wallet can pay, and one basket sent to all of them once', async () => {
    const buyer = await makeAccount();
    await fundWallet(buyer.userId, 10_000);
    const body = {
      kind: 'custom',
      projectId: await makeProject(buyer),
      siteIds: [await makeSite((await makeUser('Seller')).userId, 2_000)],
    };
    const clients = await signInEverywhere(buyer);
    const baskets = Array.from({ length: 10 }, () => newId());
    const answers = await Promise.all(
      baskets.flatMap((key) => clients.map((client) => client.post('/api/orders', body, { 'idempotency-key': key }))),
    );
    const made = answers.filter(({ status }) => status === 201);
    expect(answers.filter(({ status }) => status !== 201).every(({ status }) => status === 402)).toBe(true);
    // The stored response is jsonb, which does not keep the order of fields.
    const different = made.filter(
      ({ body: answer }, index) => made.findIndex((other) => isDeepStrictEqual(other.body, answer)) === index,
    );
    expect(different).toHaveLength(5);
    expect(made).toHaveLength(5 * clients.length);
    expect(await db().select().from(orders).where(eq(orders.accountId, buyer.userId))).toHaveLength(5);
    expect(await getWalletBalance(buyer.userId)).toBe(0);
    await expectSoundBooks();
  });

  it('run jobs by either method with the cron secret, and not without it', async () => {
    const cron = openClient('', instances.origins[0]);
    for (const method of ['GET', 'POST']) {
      const run = (secret: string) =>
        cron.request('/api/jobs/run', { method, headers: { authorization: `Bearer ${secret}` } });
      const { status, body } = await run(cronSecret);
      expect(status).toBe(200);
      const ran = z.object({ jobs: z.array(z.object({ name: z.string(), ok: z.boolean() })) }).parse(body).jobs;
      expect(ran).toEqual(jobs.map(({ name }) => ({ name, ok: true })));
      expect((await run(`${cronSecret}x`)).status).toBe(401);
      expect((await cron.request('/api/jobs/run', { method })).status).toBe(401);
    }
  });

  it('run each job once: every mail is sent once, and every audit line sealed once', async () => {
    const recipients = Array.from({ length: 30 }, () => `${newId()}@example.com`);
    await db()
      .insert(mails)
      .values(
        recipients.map((recipient) => {
          const id = newId();
          const sealedBody = sealBody(id, { html: '<p>Once</p>', text: 'Once' });
          return { id, kind: 'test', recipient, subject: 'Once', sealedBody };
        }),
      );
    const authorization = `Bearer ${cronSecret}`;
    const runs = () =>
      Promise.all(
        instances.origins.flatMap((origin) =>
          [1, 2].map(() => openClient('', origin).post('/api/jobs/run', undefined, { authorization })),
        ),
      );
    expect((await runs()).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
    // An instance that found the sealing lock taken skipped it; the holder may have read before the last line was
    // written.
    await runs();
    // Another instance may still be sending the last ones.
    const isSent = and(eq(mails.kind, 'test'), isNotNull(mails.sentAt));
    await expect.poll(() => db().$count(mails, isSent), { timeout: 20_000 }).toBe(recipients.length);
    // The provider would ignore a second attempt of the same mail; there was none.
    const tried = await db().select({ attempts: mails.attempts }).from(mails).where(eq(mails.kind, 'test'));
    expect(new Set(tried.map(({ attempts }) => attempts))).toEqual(new Set([1]));
    const chain = await verifyAuditChain();
    expect(chain).toMatchObject({ isSound: true, waiting: 0 });
    expect(await db().$count(auditSeals)).toBe(await db().$count(auditLogs));
  });
});
