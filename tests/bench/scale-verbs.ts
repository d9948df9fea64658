import { eq } from 'drizzle-orm';
import type postgres from 'postgres';
import { db } from '@/db/client';
import { projects } from '@/db/schema/projects';
import { recordRollup } from '@/db/schema/records';
import { sites } from '@/db/schema/sites';
import { users } from '@/db/schema/users';
import type { Actor } from '@/lib/access/actor';
import { permissions } from '@/lib/access/permissions';
import { setExchangeRate } from '@/lib/approvals/set-exchange-rate';
import { listSellerRecords, sellerRecordsQuery } from '@/lib/dashboard/seller-records';
import { newId } from '@/lib/ids';
import { recalculateWallet } from '@/lib/ledger/balance';
import { createOrder } from '@/lib/orders/order/create';
import { updateOrder } from '@/lib/orders/order/update';
import { searchPalette } from '@/lib/search/palette';
import { getListingRecord, getSellerRecord } from '@/lib/sites/record/read';
import { refreshRecords } from '@/lib/sites/record/refresh';
import { makeUser } from '@/tests/factories/make-user';
import { runOnPool } from '@/tests/setup/run-on-pool';
import { median } from './median';
import type { ScalePeople } from './seed-scale';

export type VerbTimes = { verb: string; ms: number };

const rounds = 7;

/** Measures operations of an installation that are not GET requests. @returns median times in milliseconds */
export async function measureVerbs(pool: postgres.Sql, people: ScalePeople): Promise<VerbTimes[]> {
  return runOnPool(pool, async () => {
    const admin = { ...(await makeUser('Admin')), permissions };
    const buyer = await actorOf(people.buyerId);
    const [project] = await db().select().from(projects).where(eq(projects.id, people.projectId));
    const [site] = await db().select().from(sites).where(eq(sites.status, 'Approved')).orderBy(sites.id).limit(1);
    if (!project || !site) throw new Error('The installation has no project or site.');
    const placed: number[] = [];
    const verbs: Record<string, (round: number) => Promise<unknown>> = {
      'order placed by the large buyer': async () => {
        const { orders } = await createOrder(
          buyer,
          { kind: 'custom', projectId: project.id, siteIds: [site.id] },
          newId(),
        );
        placed.push(...orders.map(({ id }) => id));
      },
      'its refund': (round) => updateOrder(admin, placed[round] ?? 0, { status: 'Refunded' }),
      'wallet of the large buyer recalculated': () => recalculateWallet(admin, buyer.userId),
      'exchange rate set': (round) => setExchangeRate(admin, { currency: 'EUR', rate: 1_100_000 + 10_000 * round }),
      'record of the large seller': () => getSellerRecord(people.sellerId),
      'record of an ordinary seller': () => getSellerRecord(people.ordinarySellerId),
      'record of a listing': () => getListingRecord(site.id),
      'sellers by reliability': () =>
        listSellerRecords(sellerRecordsQuery.parse({ sort: 'reliability', order: 'desc' })),
      'changed records computed': () => refreshRecords(),
      'command palette: a frequent word': () => searchPalette(admin, { q: 'garden' }),
      'command palette: no such word': () => searchPalette(admin, { q: 'nosuchword' }),
      'command palette: an order’s number': () => searchPalette(admin, { q: '#77' }),
    };
    const times: VerbTimes[] = [];
    for (const [verb, run] of Object.entries(verbs)) {
      const taken: number[] = [];
      for (let round = 0; round < rounds; round++) {
        const begin = performance.now();
        await run(round);
        taken.push(performance.now() - begin);
      }
      times.push({ verb, ms: median(taken.slice(1)) });
    }
    return times;
  });
}

/**
 * Computes the records of all listings and sellers.
 * @returns the time in milliseconds, the number of records, and how far the memory of the process grew, in bytes
 */
export async function measureRecords(pool: postgres.Sql): Promise<{ ms: number; records: number; growth: number }> {
  return runOnPool(pool, async () => {
    await db().delete(recordRollup);
    const [begin, before] = [performance.now(), process.memoryUsage.rss()];
    let records = 0;
    let most = before;
    for (let computed = 1; computed > 0; ) {
      ({ computed } = await refreshRecords());
      records += computed;
      most = Math.max(most, process.memoryUsage.rss());
    }
    return { ms: performance.now() - begin, records, growth: most - before };
  });
}

async function actorOf(userId: string): Promise<Actor> {
  const [user] = await db().select().from(users).where(eq(users.id, userId));
  if (!user) throw new Error(`The user ${userId} does not exist.`);
  return { ...(await makeUser()), userId, email: user.email, role: user.role };
}
