import { and, asc, desc, eq, gt, inArray, isNull, notInArray, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { linkWatches } from '@/db/schema/links';
import { orderChanges } from '@/db/schema/order-changes';
import { placements } from '@/db/schema/placements';
import { orderOptions } from '@/db/schema/site-options';
import { sites } from '@/db/schema/sites';
import { users } from '@/db/schema/users';
import { issueInvoices } from '@/lib/invoices/issue';
import { getWalletBalance } from '@/lib/ledger/balance';
import { extendAsBuyer } from '@/lib/orders/order/authorize';
import { acceptChange } from '@/lib/orders/placements/changes/answer';
import { askForChange } from '@/lib/orders/placements/changes/ask';
import { lockPlacement } from '@/lib/orders/placements/lock';
import { isListed } from '@/lib/sites/catalogue/filter-sql';
import { saveOptionsBody } from '@/lib/sites/options/contract';
import { saveOptions } from '@/lib/sites/options/save';
import { changeOwnSites } from '@/lib/sites/own-bulk/change';
import { ownBulkBody } from '@/lib/sites/own-bulk/schemas';
import { actorOf } from './actor-of';
import { creditWallet } from './credits';
import { buyerEndsWithCents } from './history';
import { demoEmails } from './people';

/** In the seller's prices. */
const offered = saveOptionsBody.parse({
  options: [
    { kind: 'guarantee', days: 180, surchargePercent: 10 },
    { kind: 'guarantee', days: 365, surchargePercent: 20 },
    { kind: 'topic', topic: 'crypto', surchargePercent: 50 },
    { kind: 'topic', topic: 'casino', isRefused: true },
    { kind: 'writing', surchargeCents: 200, minimumCents: 1_200 },
    { kind: 'homepage', days: 7, surchargePercent: 15 },
    { kind: 'change', surchargeCents: 1_000 },
  ],
});
/** The sites with options besides those of the two orders. */
const sitesWithOptions = 3;
const pausedDays = 14;
/** Behind the credits of the history. */
const creditNumber = 1_000;

/**
 * Seeds what a publisher does beside the orders: options of some sites of the demo seller, a paused one, a paid change that
 * waits for its delivery, and a guarantee that the demo buyer extended. A repeat does nothing.
 */
export async function seedDesk(now: Date): Promise<void> {
  const people = await db()
    .select()
    .from(users)
    .where(inArray(users.email, Object.values(demoEmails)));
  const [buyer, seller, admin] = [demoEmails.buyer, demoEmails.seller, demoEmails.admin].map((email) =>
    people.find((person) => person.email === email),
  );
  if (!buyer || !seller || !admin) throw new Error('The demo lacks one of its accounts.');
  const [changed, extended] = await listPublished(buyer.id, seller.id);
  if (!changed || !extended) throw new Error('The demo has too few published orders.');
  const ordered = [changed.siteId, extended.siteId];
  const others = await listOtherSites(seller.id, ordered);
  for (const siteId of [...ordered, ...others.slice(0, sitesWithOptions)])
    await saveOptions(actorOf(seller), siteId, offered);
  const until = new Date(now.getTime() + pausedDays * 86_400_000).toISOString().slice(0, 10);
  const pause = { ids: others.slice(-1), change: { pause: { until } } };
  await changeOwnSites(actorOf(seller), ownBulkBody.parse(pause));
  if ((await db().$count(orderChanges)) === 0)
    await db().transaction(async (tx) =>
      askForChange(tx, actorOf(buyer), await lockPlacement(tx, changed.orderId, { buyer: actorOf(buyer) }), {
        text: 'Please link to our new guide, and mention that it was updated this year.',
        targetUrl: '',
        anchor: 'updated guide',
      }),
    );
  const [asked] = await db().select().from(orderChanges).where(eq(orderChanges.state, 'asked'));
  if (asked) await acceptChange(actorOf(seller), { orderId: asked.orderId, changeId: asked.id });
  if ((await db().$count(orderOptions)) === 0) {
    const { options } = await saveOptions(actorOf(seller), extended.siteId, offered);
    const optionId = options.find(({ kind }) => kind === 'guarantee')?.id ?? '';
    await extendAsBuyer(actorOf(buyer), extended.orderId, { optionId });
  }
  const spentCents = buyerEndsWithCents - (await getWalletBalance(buyer.id));
  if (spentCents > 0) await creditWallet(actorOf(admin), buyer, { number: creditNumber, amountCents: spentCents });
  await issueInvoices();
}

/** Lists the published orders of the demo buyer that are guaranteed for some time, first those whose link is in order. */
async function listPublished(buyerId: string, sellerId: string): Promise<{ orderId: number; siteId: number }[]> {
  return db()
    .select({ orderId: placements.orderId, siteId: sites.id })
    .from(placements)
    .innerJoin(linkWatches, eq(linkWatches.orderId, placements.orderId))
    .innerJoin(sites, sql`${sites.id} = (select site_id from orders where orders.id = ${placements.orderId})`)
    .where(
      and(
        eq(placements.buyerId, buyerId),
        eq(placements.sellerId, sellerId),
        eq(placements.state, 'approved'),
        isNull(linkWatches.endedAt),
        gt(
          sql`coalesce(${placements.guaranteeStartsAt}, ${placements.approvedAt}) + make_interval(days => ${placements.guaranteeDays})`,
          sql`now() + interval '7 days'`,
        ),
        eq(sites.publicCurrency, 'USD'),
        isListed,
      ),
    )
    .orderBy(desc(sql`${linkWatches.verdict} = 'ok'`), desc(placements.orderId))
    .limit(2);
}

/** Lists other sites on sale of the demo seller, of which the last one has the least traffic. */
async function listOtherSites(sellerId: string, ordered: readonly number[]): Promise<number[]> {
  const rows = await db()
    .select({ id: sites.id })
    .from(sites)
    .where(
      and(
        eq(sites.ownerId, sellerId),
        eq(sites.publicCurrency, 'USD'),
        eq(sites.isFulfilledByStaff, false),
        notInArray(sites.id, [...ordered]),
        isListed,
      ),
    )
    .orderBy(desc(sites.traffic), asc(sites.id));
  return rows.map(({ id }) => id);
}
