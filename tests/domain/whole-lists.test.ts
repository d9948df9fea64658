import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { eq, sql } from 'drizzle-orm';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { db } from '@/db/client';
import { sites } from '@/db/schema/sites';
import { openSnapshot, type Reader, type RowQuery, type Snapshot } from '@/db/snapshot';
import type { Actor } from '@/lib/access/actor';
import { exportAuditLogs } from '@/lib/audit/export';
import { selectOwnOrders } from '@/lib/orders/order/queries';
import { csvResponse } from '@/lib/platform/csv';
import { jsonArray } from '@/lib/platform/http/list-response';
import { streamResponse } from '@/lib/platform/http/stream-response';
import { unpaginatedLists } from '@/lib/platform/rate-limits/limits';
import { getCatalogueVersion } from '@/lib/sites/catalogue/catalogue-version';
import { selectAllListed } from '@/lib/sites/catalogue/listed-sites';
import {
  listAllSites,
  respondWithCatalogue,
  respondWithStaffList,
  selectAllSites,
} from '@/lib/sites/catalogue/respond-with-catalogue';
import { selectSellerSites } from '@/lib/sites/seller-queries';
import { adminSiteView } from '@/lib/sites/views';
import { selectPeople } from '@/lib/users/queries';
import { makeOrder } from '@/tests/factories/make-order';
import { makeSite, typedSources } from '@/tests/factories/make-site';
import { makeUser } from '@/tests/factories/make-user';

const count = 20_000;
let staff: Actor;
let seller: Actor;
let buyer: Actor;

beforeAll(async () => {
  [staff, seller] = await Promise.all([makeUser('Admin'), makeUser('Seller')]);
  ({ buyer } = await makeOrder(3_000));
  await makeSite(seller.userId, 1_000, { dr: 71.5, traffic: 2 ** 39, publicCurrency: 'EUR' });
  await db().execute(sql`
    insert into sites (owner_id, name, url, url_key, domain, niche, country, status, seller_price_cents, public_price_cents,
      public_price_usd_cents, traffic, dr, figure_sources)
    select ${seller.userId}, 'site ' || n, 'https://site-' || n || '.example.com/' || repeat('x', 200),
      'site-' || n, 'site-' || n || '.example.com', 'Tech', 'Germany', 'Approved', n, 2 * n, 2 * n, n, n % 100, ${typedSources}::text::jsonb
    from generate_series(1, ${count}) n`);
});

/** Connections that read a list. */
async function openLists(): Promise<number> {
  const rows = await db().execute(sql`
    select count(*)::int as open from pg_stat_activity
    where datname = current_database() and state = 'idle in transaction' and query like 'fetch forward%'`);
  return z.array(z.object({ open: z.number() })).parse([...rows])[0]?.open ?? -1;
}
const expectReleased = () => expect.poll(openLists).toBe(0);
afterEach(expectReleased);

function readerOf(answer: Response) {
  const reader = answer.body?.getReader();
  if (!reader) throw new Error('The answer has no body.');
  return reader;
}

describe('a list without limit', () => {
  it('equals its pages concatenated, decoded alike', async () => {
    const paged: unknown[] = [];
    for (let offset = 0; offset <= count; offset += 10_000) {
      const { rows } = await listAllSites({ limit: 10_000, offset, sort: 'traffic', order: 'desc', total: 'none' });
      paged.push(...rows.map(adminSiteView));
    }
    const answer = await respondWithStaffList(staff, { sort: 'traffic', order: 'desc' });
    expect(answer.headers.get('content-type')).toBe('application/json');
    const body: unknown = await answer.json();
    expect(body).toEqual(JSON.parse(JSON.stringify(paged)));
    expect(paged).toHaveLength(count + 2);
  });

  it.each<[string, (on: Reader) => RowQuery<unknown> & PromiseLike<unknown[]>]>([
    ['staff’s sites', (on) => selectAllSites({ minDr: 71 })(on)],
    ['the catalogue', (on) => selectAllListed({ maxPrice: 500_000, offset: 3 })(on)],
    ['a seller’s sites', (on) => selectSellerSites(seller.userId, { q: 'site 19', offset: 2 })(on)],
    ['a buyer’s orders', (on) => selectOwnOrders(buyer, { offset: 0 })(on)],
    ['people', (on) => selectPeople({ offset: 1 })(on)],
  ])('contains the rows of %s that a query returns', async (_, build) => {
    const snapshot = await openSnapshot();
    const read: unknown[] = [];
    for await (const batch of snapshot.read(build)) read.push(...batch);
    await snapshot.close();
    const whole = await build(db());
    expect(whole.length).toBeGreaterThan(0);
    expect(read).toEqual(whole);
  });

  it('uses constant memory for any length', async () => {
    setFlagsFromString('--expose_gc');
    const collectGarbage = z.function({ input: [], output: z.void() }).implement(runInNewContext('gc'));
    const reader = readerOf(await respondWithStaffList(staff, {}));
    const used: number[] = [];
    let [bytes, pieces] = [0, 0];
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      bytes += piece.value.length;
      pieces += 1;
      // A collection takes longer than a piece.
      if (pieces % 4 !== 1) continue;
      collectGarbage();
      const { heapUsed, external } = process.memoryUsage();
      used.push(heapUsed + external);
    }
    expect(bytes).toBeGreaterThan(12_000_000);
    expect(used.length).toBeGreaterThan(30);
    expect(Math.max(...used) - (used[0] ?? 0)).toBeLessThan(6_000_000);
  });

  it('is a snapshot of one moment', async () => {
    const reader = readerOf(await respondWithStaffList(staff, { sort: 'price', order: 'asc' }));
    const first = await reader.read();
    await db()
      .update(sites)
      .set({ name: 'changed meanwhile' })
      .where(eq(sites.urlKey, `site-${count}`));
    let text = new TextDecoder().decode(first.value);
    for (let piece = await reader.read(); !piece.done; piece = await reader.read())
      text += new TextDecoder().decode(piece.value);
    expect(text).not.toContain('changed meanwhile');
    expect(text).toContain(`"site ${count}"`);
  });

  it('ends with an error after a failure, not as a shorter list', async () => {
    const reader = readerOf(await respondWithStaffList(staff, {}));
    await reader.read();
    await db().execute(sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and query like 'fetch forward%'`);
    const rest = async () => {
      for (let piece = await reader.read(); !piece.done; piece = await reader.read());
    };
    await expect(rest()).rejects.toThrow();
  });

  it('releases its connection when the caller disconnects', async () => {
    const reader = readerOf(await respondWithStaffList(staff, {}));
    await reader.read();
    expect(await openLists()).toBe(1);
    await reader.cancel();
    await expectReleased();
  });

  it.each([
    ['reads nothing for too long', { stallSeconds: 0.05, maxSeconds: 60 }],
    ['does not finish in time', { stallSeconds: 60, maxSeconds: 0.05 }],
  ])('is aborted for a caller who %s', async (_, patience) => {
    const make = async ({ read }: Snapshot) => ({
      headers: {},
      pieces: jsonArray(read(selectAllSites({})), adminSiteView),
    });
    const reader = readerOf(await streamResponse(staff, make, patience));
    await expectReleased();
    await expect(reader.read()).rejects.toThrow('too slow');
  });

  it('is sent twice concurrently per user, and to others meanwhile', async () => {
    const open = await Promise.all([respondWithStaffList(staff, {}), respondWithStaffList(staff, {})]);
    await expect(respondWithStaffList(staff, {})).rejects.toMatchObject({
      code: 'rate_limited',
      details: { retryAfterSeconds: unpaginatedLists.retryAfterSeconds },
    });
    open.push(await csvResponse(seller, 'audit-log', (on) => exportAuditLogs({}, on)));
    for (const answer of open) await answer.body?.cancel();
    await (await respondWithStaffList(staff, {})).body?.cancel();
  });

  it('is sent four times concurrently per installation', async () => {
    const people = await Promise.all(Array.from({ length: 12 }, () => makeUser('Admin')));
    const outcomes = await Promise.allSettled(people.map((person) => respondWithStaffList(person, {})));
    const sent = outcomes.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    const refused = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    expect(sent).toHaveLength(unpaginatedLists.perInstallation);
    expect(refused.map(({ code }) => code)).toEqual(Array(8).fill('rate_limited'));
    for (const answer of sent) await answer.body?.cancel();
  });

  it('counts the lists of other instances', async () => {
    const others = await Promise.all(Array.from({ length: 4 }, () => openSnapshot()));
    const { advisoryLock } = await import('@/db/advisory-locks');
    for (const [index, { on }] of others.entries())
      await on.execute(sql`select pg_advisory_xact_lock(${advisoryLock('list')}::int, ${index + 1}::int)`);
    await expect(respondWithStaffList(staff, {})).rejects.toMatchObject({ code: 'rate_limited' });
    await Promise.all(others.map(({ close }) => close()));
    await (await respondWithStaffList(staff, {})).body?.cancel();
  });

  it('is sent when it is short while long ones are in progress', async () => {
    const open = await Promise.all([respondWithStaffList(staff, {}), respondWithStaffList(staff, {})]);
    expect(await (await respondWithStaffList(staff, { q: '"nothing"' })).json()).toEqual([]);
    expect(await (await respondWithStaffList(staff, { limit: 3 })).json()).toHaveLength(3);
    for (const answer of open) await answer.body?.cancel();
  });
});

it('of the whole catalogue has an ETag of its version, and a match reads no rows', async () => {
  const ask = async (tag = '') =>
    respondWithCatalogue(buyer, {}, new Headers({ 'if-none-match': tag }), {
      version: await getCatalogueVersion(),
      hasBlocks: false,
    });
  const first = await ask();
  const rows: unknown[] = await first.json();
  expect(rows).toHaveLength(count + 2);
  const tag = first.headers.get('etag') ?? '';
  const open = await Promise.all([ask(), ask()]);
  expect((await ask(tag)).status).toBe(304);
  await expect(ask()).rejects.toMatchObject({ code: 'rate_limited' });
  for (const answer of open) await answer.body?.cancel();
  await makeSite(seller.userId, 1_000);
  const changed = await ask(tag);
  expect(changed.status).toBe(200);
  expect(changed.headers.get('etag')).not.toBe(tag);
  await changed.body?.cancel();
});
