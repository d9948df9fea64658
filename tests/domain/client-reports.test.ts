import { constants, deflateSync, inflateSync } from 'node:zlib';
import { eq } from 'drizzle-orm';
import { NextRequest } from 'next/server';
import { extractText, getDocumentProxy } from 'unpdf';
import { beforeAll, expect, it, vi } from 'vitest';
import { GET as openProof } from '@/app/reports/[token]/proofs/[proofId]/route';
import { GET, POST } from '@/app/reports/[token]/route';
import { POST as stopMail } from '@/app/reports/mail/[token]/route';
import { db } from '@/db/client';
import { clientReportMails, clientReports } from '@/db/schema/client-reports';
import { domainFigures } from '@/db/schema/domain-figures';
import { mails } from '@/db/schema/mails';
import { orders } from '@/db/schema/orders';
import { projects } from '@/db/schema/projects';
import { sites } from '@/db/schema/sites';
import { users } from '@/db/schema/users';
import { issueProof } from '@/lib/links/passport/proofs';
import { openBody } from '@/lib/mail/compose';
import { createReportBody } from '@/lib/orders/client-reports/contract';
import { readReportLogo } from '@/lib/orders/client-reports/logo';
import { mailClientReports, saveReportMail } from '@/lib/orders/client-reports/monthly-mail';
import { createReport, listReports, revokeReport, saveReportNote } from '@/lib/orders/client-reports/reports';
import { actAsBuyer, actAsSeller } from '@/lib/orders/order/authorize';
import { getSellerOrder } from '@/lib/orders/order/seller-queries';
import { acceptOffer } from '@/lib/orders/placements/fulfill';
import { approveDelivery } from '@/lib/orders/placements/review';
import { deleteProject } from '@/lib/projects/projects';
import { defaultBranding } from '@/lib/settings/branding/branding';
import { saveBranding } from '@/lib/settings/branding/save-branding';
import { saveBrandingInput } from '@/lib/settings/branding/schemas';
import { makeLinkCheck } from '@/tests/factories/make-link-check';
import { makeOffer, type Offer } from '@/tests/factories/make-offer';
import { makeProject } from '@/tests/factories/make-project';
import { makeUser } from '@/tests/factories/make-user';
import { deliver } from '@/tests/setup/placement-verbs';

vi.mock('next/headers', async () => (await import('@/tests/setup/request-scope')).nextHeaders);

const today = new Date().toISOString().slice(0, 10);
const brand = { name: 'Fir & Sons', color: '#2563eb' };
/** Of the marketplace, and one that a report refuses. */
const operatorLogo = png(undefined, 1);
const [chargeCents, sellerCents] = [765_431, 432_107];
let story: Offer;
let projectId = '';
let address = '';

beforeAll(async () => {
  story = await makeOffer(chargeCents, { sellerPriceCents: sellerCents });
  const { id, seller } = story;
  await db().update(users).set({ name: 'Sybil Seller' }).where(eq(users.id, seller.userId));
  address = `${(await getSellerOrder(seller, id)).website}/article`;
  await actAsSeller(seller, id, {}, (tx, locked) => acceptOffer(tx, seller, locked, { role: 'seller' }));
  await deliver(story, address);
  const [order] = await db().select({ projectId: orders.projectId }).from(orders).where(eq(orders.id, id));
  projectId = order?.projectId ?? '';
});

const input = (change: object = {}) =>
  createReportBody.parse({ from: '2020-01-01', to: today, prices: 'none', brand, ...change });
const create = async (change: object = {}) => {
  const { id, url } = await createReport(story.buyer, projectId, input(change));
  return { id, token: url.split('/').at(-1) ?? '' };
};
const open = async (token: string, cookie = '') => {
  const request = new NextRequest(`http://localhost:3000/reports/${token}`, { headers: cookie ? { cookie } : {} });
  return GET(request, { params: Promise.resolve({ token }) });
};
const send = (token: string, password: string) => {
  const body = `password=${encodeURIComponent(password)}`;
  const headers = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': String(body.length) };
  const request = new NextRequest(`http://localhost:3000/reports/${token}`, { method: 'POST', body, headers });
  return POST(request, { params: Promise.resolve({ token }) });
};
const textOf = async (response: Response) =>
  `${JSON.stringify([...response.headers])}${Buffer.from(await response.arrayBuffer()).toString('latin1')}`;

/** Reads all of a PDF: its bytes, its streams, its text and its properties. */
async function readPdf(response: Response): Promise<string> {
  const bytes = Buffer.from(await response.arrayBuffer());
  const raw = bytes.toString('latin1');
  const streams = [...raw.matchAll(/FlateDecode.*?stream\r?\n(.*?)\r?\nendstream/gs)].map(([, data = '']) =>
    // The data may end in the bytes of a line break, which the pattern leaves out.
    inflateSync(Buffer.from(data, 'latin1'), { finishFlush: constants.Z_SYNC_FLUSH }).toString('latin1'),
  );
  const document = await getDocumentProxy(new Uint8Array(bytes));
  const [{ text }, { info }] = await Promise.all([extractText(document, { mergePages: true }), document.getMetadata()]);
  expect(streams.length).toBeGreaterThan(1);
  return [raw, ...streams, text, JSON.stringify(info), JSON.stringify([...response.headers])].join('\n');
}

/** An amount as programs and people write it. */
function writeAmount(cents: number): string[] {
  const plain = (cents / 100).toFixed(2);
  const grouped = (cents / 100).toLocaleString('en-US', { minimumFractionDigits: 2 });
  const swapped = grouped.replace(/[.,]/g, (mark) => (mark === '.' ? ',' : '.'));
  return [String(cents), plain, plain.replace('.', ','), grouped, swapped];
}

/** What no client may read: seller, operator, and the prices of the marketplace. */
const listSecrets = () => [
  ...['Sybil Seller', story.seller.email, story.seller.userId, story.buyer.email, story.buyer.userId, '37%', '1.37'],
  ...['LinkMarket', 'linkmarket', 'Operator Emporium', 'localhost:3000', '/api/branding', operatorLogo],
  ...[chargeCents, sellerCents, chargeCents - sellerCents].flatMap(writeAmount),
];

const openPassport = (token: string, proofId: string) =>
  openProof(new NextRequest(`http://localhost:3000/reports/${token}/proofs/${proofId}`), {
    params: Promise.resolve({ token, proofId }),
  });

it('shows a delivery in review, then a live link with passport and own price, and nothing of seller, operator and price', async () => {
  const { id, buyer, siteId } = story;
  const admin = await makeUser('Admin');
  const branding = saveBrandingInput.parse({ version: 0, ...defaultBranding, siteName: 'Operator Emporium' });
  await saveBranding(admin, { ...branding, logo: new File([Buffer.from(operatorLogo, 'base64')], 'logo.png') });
  const [site] = await db().select({ domain: sites.domain }).from(sites).where(eq(sites.id, siteId));
  const figure = { domain: site?.domain ?? '', metric: 'dr', source: 'ahrefs' } as const;
  const [yesterday, tomorrow] = [-1, 1].map((days) => new Date(Date.now() + days * 86_400_000).toISOString());
  await db()
    .insert(domainFigures)
    .values([
      { ...figure, value: 41, asOf: yesterday?.slice(0, 10) ?? '' },
      { ...figure, value: 77, asOf: tomorrow?.slice(0, 10) ?? '' },
    ]);
  const { token } = await create();
  expect(await textOf(await open(token))).toContain('In review');

  await actAsBuyer(buyer, id, {}, (tx, locked) => approveDelivery(tx, buyer, locked, { role: 'buyer' }));
  const check = await makeLinkCheck(id, { pageUrl: address, anchor: 'garden spade' });
  const proofId = (await db().transaction((tx) => issueProof(tx, check))) ?? '-';
  const note = '漢字 <script>alert(1)</script> **bold**';
  await saveReportNote(buyer, { orderId: id, reference: '=REF-7', note });

  const own = Math.round((chargeCents * 137) / 100);
  const priced = [
    [{}, []],
    [{ prices: 'markup', markupPercent: 37 }, writeAmount(own)],
    [{ prices: 'fixed', fixedCents: 12_345 }, writeAmount(12_345)],
  ] as const;
  for (const [prices, amounts] of priced) {
    const { token: shared } = await create({ ...prices, brand: { ...brand, logo: png() } });
    const page = await textOf(await open(shared));
    const csv = Buffer.from(await (await open(`${shared}.csv`)).arrayBuffer()).toString('utf8');
    const pdf = await readPdf(await open(`${shared}.pdf`));
    const proof = await textOf(await openPassport(shared, proofId));
    for (const fact of [
      address,
      '=REF-7',
      'garden spade',
      'nofollow',
      'Live',
      today,
      proofId,
      'Domain Rating by Ahrefs',
    ]) {
      for (const text of [page, csv, pdf]) expect(text.replace(/\s+/g, ' ')).toContain(fact);
    }
    expect([page, pdf].every((text) => text.includes('Anchors by kind') && text.includes('Partial'))).toBe(true);
    expect(page).toContain('Fir &amp; Sons');
    expect(page).not.toContain('<script');
    expect(csv).toContain("'=REF-7");
    expect(csv).toContain('漢字');
    expect(csv).toContain(',41,');
    expect(pdf).toContain('漢字');
    expect(proof).toContain('its signature is valid');
    const shows = (text: string) => amounts.some((amount) => text.includes(amount));
    expect([page, csv, pdf].map(shows)).toEqual(Array(3).fill(amounts.length > 0));
    for (const secret of listSecrets()) {
      for (const text of [page, csv, pdf, proof]) expect(text).not.toContain(secret);
    }
  }
});

it('answers a forged, revoked or expired report, and one of a project or buyer that is gone, in the same way', async () => {
  const [{ id, token }, expired, kept] = [await create(), await create(), await create()];
  await db()
    .update(clientReports)
    .set({ expiresAt: new Date(0) })
    .where(eq(clientReports.id, expired.id));
  await expect(revokeReport(await makeUser(), projectId, id)).rejects.toThrow('This project no longer exists.');
  expect((await open(token)).status).toBe(200);
  await revokeReport(story.buyer, projectId, id);
  const forged = `${kept.token.slice(0, -1)}${kept.token.endsWith('A') ? 'B' : 'A'}`;
  const gone = [token, expired.token, forged, kept.id, 'nothing', `${token}.pdf`];
  const answers = await Promise.all(
    gone.map(async (one) => {
      const response = await open(one);
      return `${response.status} ${await response.text()}`;
    }),
  );
  expect(new Set(answers).size).toBe(1);
  expect(answers[0]).toMatch(/^404 /);
  const [isProject, isBuyer] = [eq(projects.id, projectId), eq(users.id, story.buyer.userId)];
  await db().update(projects).set({ deletedAt: new Date() }).where(isProject);
  expect((await open(kept.token)).status).toBe(404);
  await db().update(projects).set({ deletedAt: null }).where(isProject);
  await db().update(users).set({ status: 'Suspended' }).where(isBuyer);
  expect((await open(kept.token)).status).toBe(404);
  await db().update(users).set({ status: 'Active' }).where(isBuyer);
  expect((await listReports(story.buyer, projectId)).map(({ state }) => state)).toEqual(
    expect.arrayContaining(['open', 'revoked', 'expired']),
  );
});

it('opens a report with a password to readers who sent it, and limits attempts', async () => {
  const { token, id } = await create({ password: 'spring links' });
  for (const format of ['', '.csv', '.pdf']) {
    const closed = await open(`${token}${format}`);
    expect([closed.status, (await closed.text()).includes(address)]).toEqual([403, false]);
  }
  const opened = await send(token, 'spring links');
  expect(opened.status).toBe(303);
  const [cookie = ''] = (opened.headers.getSetCookie()[0] ?? '').split(';');
  expect(opened.headers.getSetCookie().map((line) => /Path=([^;]+)/.exec(line)?.[1])).toEqual(
    ['', '.csv', '.pdf'].map((format) => `/reports/${token}${format}`),
  );
  expect((await open(token, cookie)).status).toBe(200);
  expect((await open((await create({ password: 'other links' })).token, cookie)).status).toBe(403);
  await db().update(clientReports).set({ passwordHash: 'x' }).where(eq(clientReports.id, id));
  expect((await open(token, cookie)).status).toBe(403);
  const { token: other } = await create({ password: 'autumn links' });
  const statuses = [];
  for (let attempt = 0; attempt < 101; attempt += 1) {
    const { status } = await send(other, 'wrong');
    statuses.push(status);
    if (status === 429) break;
  }
  expect(statuses.at(-1)).toBe(429);
});

it.each([
  [{ from: '2026-02-02', to: '2026-02-01' }],
  [{ from: '2026-02-30' }],
  [{ prices: 'markup' }],
  [{ prices: 'markup', markupPercent: 0 }],
  [{ prices: 'fixed', fixedCents: 1.5 }],
  [{ prices: 'none', fixedCents: 100 }],
  [{ brand: { ...brand, color: 'blue' } }],
  [{ brand: { ...brand, color: '#ffff00' } }],
  [{ brand: { ...brand, name: '\u200b' } }],
  [{ expiresAt: '2020-01-01T00:00:00Z' }],
  [{ expiresAt: '2020-01-01' }],
  [{ expiresAt: '2036-02-30' }],
  [{ password: 'short' }],
])('refuses %j', (change) => {
  expect(createReportBody.safeParse({ from: '2020-01-01', to: today, prices: 'none', brand, ...change }).success).toBe(
    false,
  );
});

it('ends a report at the end of a day, or at a time', () => {
  const day = `${new Date().getUTCFullYear() + 1}-12-31`;
  const endOf = (expiresAt: string) =>
    createReportBody.parse({ from: '2020-01-01', to: today, prices: 'none', brand, expiresAt }).expiresAt;
  expect([day, `${day}T08:00:00+02:00`].map(endOf)).toEqual([`${day}T23:59:59Z`, `${day}T08:00:00+02:00`]);
});

function pngChunk(type: string, data: Buffer, claimed = data.length): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(claimed);
  return Buffer.concat([length, Buffer.from(type), data, Buffer.alloc(4)]);
}

/** Builds an RGBA PNG of 16 × 16 pixels. @param more chunks after the pixels */
function png(pixels = Buffer.alloc(16 * 65), interlace = 0, more: Buffer = Buffer.alloc(0)): string {
  const header = Buffer.from([0, 0, 0, 16, 0, 0, 0, 16, 8, 6, 0, 0, interlace]);
  const [start, end] = ['89504e470d0a1a0a', '0000000049454e44ae426082'].map((hex) => Buffer.from(hex, 'hex'));
  const parts = [start, pngChunk('IHDR', header), pngChunk('IDAT', deflateSync(pixels)), more, end];
  return Buffer.concat(parts.filter((part) => part !== undefined)).toString('base64');
}

it('takes a logo that a PDF can contain, and refuses others', async () => {
  expect(await readReportLogo(png())).toMatchObject({ mediaType: 'image/png', width: 16 });
  const { token } = await create({ brand: { ...brand, logo: png() } });
  expect(await textOf(await open(token))).toContain('data:image/png;base64,');
  expect(await textOf(await open(`${token}.pdf`))).toContain('/Subtype /Image');
  // A length that leads the decoder back, and a second header with more pixels than fit into memory.
  const back = pngChunk('abcd', Buffer.alloc(0), 2 ** 32 - 12);
  const huge = pngChunk('IHDR', Buffer.from([0, 1, 0, 0, 0, 1, 0, 0, 8, 6, 0, 0, 0]));
  const broken = [
    ...[png(Buffer.alloc(10)), png(Buffer.alloc(16 * 65, 9)), png(undefined, 1), 'PHN2Zz48L3N2Zz4=', ''],
    ...[back, huge].map((chunk) => png(undefined, 0, chunk)),
  ];
  for (const logo of broken) await expect(readReportLogo(logo)).rejects.toThrow(/The logo/);
});

it('mails the report of last month once, from the agency, until the recipient turns it off', async () => {
  const to = 'client@example.org';
  const mail = { projectId, recipients: [to], prices: 'none' as const, brand };
  await saveReportMail(story.buyer, { ...mail, brand: { ...brand, logo: null } });
  await create({ brand: { ...brand, logo: png() } });
  await saveReportMail(story.buyer, mail);
  expect((await db().select().from(clientReportMails))[0]?.brandLogoId).toBeNull();
  await db()
    .update(clientReportMails)
    .set({ dueAt: new Date(0) });
  const runs = await Promise.all([mailClientReports(), mailClientReports()]);
  expect(runs.reduce((sum, { mailed }) => sum + mailed, 0)).toBe(1);
  const sent = await db().select().from(mails).where(eq(mails.recipient, to));
  expect(sent).toHaveLength(1);
  const body = openBody(sent[0]?.id ?? '', sent[0]?.sealedBody ?? '');
  expect(body.sender).toEqual({ name: brand.name, replyTo: story.buyer.email, stopUrl: expect.any(String) });
  // The address of a report is one of the marketplace.
  const known = ['localhost:3000', story.buyer.email];
  for (const text of [body.html, body.text, sent[0]?.subject]) {
    for (const secret of listSecrets().filter((one) => !known.includes(one))) expect(text).not.toContain(secret);
  }
  const token = /reports\/([\w-]{48})/.exec(body.text)?.[1] ?? '';
  expect((await open(token)).status).toBe(200);

  const stop = /reports\/mail\/([0-9a-z]{26}\.[\w-]{22})$/.exec(body.sender?.stopUrl ?? '')?.[1] ?? '';
  expect(body.text).toContain(stop);
  const other = { ...mail, projectId: await makeProject(story.buyer), recipients: [to, 'second@example.org'] };
  await saveReportMail(story.buyer, other);
  const post = (one = stop) =>
    stopMail(new NextRequest(`http://localhost:3000/reports/mail/${one}`, { method: 'POST' }), {
      params: Promise.resolve({ token: one }),
    });
  expect([(await post()).status, (await post()).status, (await post(`${stop.slice(0, -1)}.`)).status]).toEqual([
    ...[200, 200, 404],
  ]);
  await expect(saveReportMail(story.buyer, other)).rejects.toThrow('turned this mail off');
  const listMails = () => db().select().from(clientReportMails).orderBy(clientReportMails.createdAt);
  expect(await listMails()).toMatchObject([
    { recipients: [], stopped: [to], dueAt: null },
    { recipients: ['second@example.org'], stopped: [to] },
  ]);
  await deleteProject(story.buyer, other.projectId);
  expect((await listMails())[1]).toMatchObject({ recipients: [], stopped: [to], dueAt: null });
});
