import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { sites } from '@/db/schema/sites';
import { newId } from '@/lib/ids';
import { toWebStream } from '@/lib/platform/http/web-stream';
import { zipOf } from '@/tests/factories/file-of';
import { makeAccount } from '@/tests/factories/make-account';
import { appUrl, openClient } from '@/tests/setup/http-client';

let admin = openClient();
let seller = openClient();
let buyer = openClient();
let sellerId = '';
let adminId = '';

beforeAll(async () => {
  const [an, sell, buy] = await Promise.all([
    makeAccount({ role: 'Admin' }),
    makeAccount({ role: 'Seller' }),
    makeAccount(),
  ]);
  [admin, seller, buyer] = [openClient(), openClient(), openClient()];
  [adminId, sellerId] = [an.userId, sell.userId];
  await Promise.all([
    admin.signIn('admin', an.email),
    seller.signIn('seller', sell.email),
    buyer.signIn('user', buy.email),
  ]);
});

const paths = { staff: '/api/guest-posts/upload', seller: '/api/seller/sites/upload' } as const;

/** Sends a file as a browser's form does. */
async function upload(path: string, client: typeof admin, content: BlobPart, name = 'sites.csv', field = 'file') {
  const response = await send(path, client, content, { name, field });
  return { status: response.status, body: await response.json() };
}
async function send(
  path: string,
  client: typeof admin,
  content: BlobPart,
  { name = 'sites.csv', field = 'file', headers = {} }: { name?: string; field?: string; headers?: HeadersInit } = {},
) {
  const form = new FormData();
  form.append(field, new File([content], name, { type: 'text/csv' }));
  return fetch(`${appUrl}${path}`, {
    method: 'POST',
    headers: { cookie: client.cookie(), origin: new URL(appUrl).origin, ...headers },
    body: form,
  });
}
const sitesOf = (ownerId: string) => db().select().from(sites).where(eq(sites.ownerId, ownerId));

describe('CSV upload', () => {
  it('by a seller returns the counts and submits the rows for review', async () => {
    const host = `${newId()}.example`;
    const file = `Website,DR,Price,Status,Notes\nhttps://${host},40,$25,Approved,x\n${host}/,41,$26,,\nnowhere,1,2,,\n`;
    expect(await upload(paths.seller, seller, file)).toEqual({
      status: 200,
      body: {
        inserted: 1,
        duplicates: 1,
        skipped: 1,
        errors: [{ row: 4, column: 'Website', reason: expect.stringContaining('Enter a web address') }],
        unknownHeaders: ['Status', 'Notes'],
      },
    });
    expect(await sitesOf(sellerId)).toMatchObject([{ urlKey: host, status: 'Pending', sellerPriceCents: 2_500 }]);
    expect((await seller.get('/api/seller/sites')).body).toMatchObject([{ url: `https://${host}`, price: 25 }]);
  });

  it('by staff applies the status and prices of the file', async () => {
    const host = `${newId()}.example`;
    const answer = await upload(
      paths.staff,
      admin,
      `URL;Base Price;Public Price;Status\n${host};10,5;20,50;approved\n`,
    );
    expect(answer).toMatchObject({ status: 200, body: { inserted: 1, duplicates: 0, skipped: 0 } });
    expect(await sitesOf(adminId)).toMatchObject([
      { urlKey: host, status: 'Approved', sellerPriceCents: 1_050, publicPriceUsdCents: 2_050 },
    ]);
  });

  it('can be previewed with a column mapping, without changes', async () => {
    const host = `${newId()}.example`;
    const file = `Blog,DR,Asking\nhttps://${host},40,$25\nnowhere,1,2\n`;
    for (const [path, client, owner] of [
      [paths.seller, seller, sellerId],
      [paths.staff, admin, adminId],
    ] as const) {
      const before = (await sitesOf(owner)).length;
      expect(await upload(`${path}?mode=check`, client, file)).toMatchObject({
        status: 200,
        body: { rows: 2, ready: 0, columns: [{ header: 'Blog', field: null, sample: `https://${host}` }, {}, {}] },
      });
      const mapped = `${path}?mode=check&columns=0:url,2:sellerPrice`;
      expect(await upload(mapped, client, file)).toMatchObject({ status: 200, body: { ready: 1, skipped: 1 } });
      expect(await sitesOf(owner)).toHaveLength(before);
      expect(await upload(`${path}?columns=0:url,2:sellerPrice`, client, file)).toMatchObject({
        status: 200,
        body: { inserted: 1, duplicates: 0, skipped: 1 },
      });
      expect(await upload(`${path}?columns=0:nothing`, client, file)).toMatchObject({ status: 400 });
      expect(await upload(`${path}?mode=perhaps`, client, file)).toMatchObject({ status: 400 });
    }
  });

  it('returns its rejected rows as a CSV download', async () => {
    const response = await send(`${paths.seller}?mode=rejected`, seller, 'URL,Name\nnowhere,=1+1\n', {
      name: 'C:\\lists\\my "sites".csv',
    });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="rejected-my _sites_\.csv"/);
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(await response.text()).toContain("nowhere,'=1+1,2,URL,");
    expect((await send(`${paths.seller}?mode=rejected`, seller, 'Name\na\n')).status).toBe(400);
    expect((await send(`${paths.seller}?mode=rejected`, buyer, 'URL\na\n')).status).toBe(403);
  });

  it.each(['seller', 'staff'] as const)('runs once per Idempotency-Key, sent by %s', async (who) => {
    const file = `URL\n${newId()}.example\n`;
    const headers = { 'Idempotency-Key': newId() };
    const once = async (content: string) => {
      const response = await send(paths[who], who === 'staff' ? admin : seller, content, { headers });
      return { status: response.status, body: await response.json() };
    };
    const answers = await Promise.all([once(file), once(file), once(file)]);
    for (const answer of answers) expect(answer).toMatchObject({ status: 200, body: { inserted: 1, duplicates: 0 } });
    expect(await once(`${file}b.example\n`)).toMatchObject({ status: 409 });
  });

  it('has a template for each portal, which can be imported unchanged', async () => {
    for (const [page, path, client, other] of [
      ['/seller/my-sites/template', paths.seller, seller, buyer],
      ['/dashboard/features/guest-posts/template', paths.staff, admin, seller],
    ] as const) {
      const template = await client.get(page);
      expect(template).toMatchObject({ status: 200, body: expect.stringContaining('Website URL,Name,DR,DA') });
      expect(await upload(`${path}?mode=check`, client, String(template.body))).toMatchObject({
        body: { rows: 1, skipped: 0, unknownHeaders: [] },
      });
      expect((await other.get(page)).status).toBe(403);
      expect((await openClient().get(page)).status).not.toBe(200);
    }
  });

  it('is refused to others', async () => {
    const file = 'URL\na.example\n';
    const statusOf = async (path: string, client: typeof admin) => (await upload(path, client, file)).status;
    expect(await statusOf(paths.staff, openClient())).toBe(401);
    expect(await statusOf(paths.staff, buyer)).toBe(403);
    expect(await statusOf(paths.staff, seller)).toBe(403);
    expect(await statusOf(paths.seller, openClient())).toBe(401);
    expect(await statusOf(paths.seller, buyer)).toBe(403);
  });

  it.each([
    [
      'a zip renamed .csv',
      zipOf([{ name: 'a.csv', content: Buffer.from('URL\na.example\n') }]),
      'sites.csv',
      400,
      'ZIP',
    ],
    ['another kind of file', 'URL\na.example\n', 'sites.txt', 400, '.csv'],
    ['an empty file', '', 'sites.csv', 400, 'empty'],
    ['a file without a URL column', 'Name\na\n', 'sites.csv', 400, 'no usable header'],
    ['more than 50 MB', Buffer.alloc(51_000_000, 'a.example\n'), 'sites.csv', 413, '50 MB'],
  ])('rejects %s', async (_, content, name, status, message) => {
    for (const [path, client] of [
      [paths.staff, admin],
      [paths.seller, seller],
    ] as const) {
      const answer = await upload(path, client, new Uint8Array(Buffer.from(content)), name);
      expect(answer).toMatchObject({ status, body: { error: expect.stringContaining(message) } });
    }
  });

  it('requires a file in the form', async () => {
    expect(await upload(paths.seller, seller, 'URL\na.example\n', 'sites.csv', 'other')).toMatchObject({
      status: 400,
      body: { error: 'Choose a file to upload.' },
    });
  });

  it('leaves nothing when the browser cancels the upload', async () => {
    const gone = new AbortController();
    async function* body() {
      yield Buffer.from(
        '--cut\r\nContent-Disposition: form-data; name="file"; filename="sites.csv"\r\n\r\nURL\ncancelled.example\n',
      );
      // The sent part arrives before the connection is closed.
      await pause(200);
      gone.abort();
      await pause(200);
      yield Buffer.from('late.example\n');
    }
    const before = (await sitesOf(sellerId)).length;
    const init: RequestInit & { duplex: 'half' } = {
      method: 'POST',
      headers: {
        cookie: seller.cookie(),
        origin: new URL(appUrl).origin,
        'content-type': 'multipart/form-data; boundary=cut',
      },
      body: toWebStream(Readable.from(body(), { objectMode: false })),
      signal: gone.signal,
      duplex: 'half',
    };
    await expect(fetch(`${appUrl}${paths.seller}`, init)).rejects.toThrow();
    await pause(500);
    expect(await sitesOf(sellerId)).toHaveLength(before);
  });
});
