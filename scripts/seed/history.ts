import { and, asc, between, eq, gte, isNotNull, lte } from 'drizzle-orm';
import { db } from '@/db/client';
import { packages } from '@/db/schema/packages';
import { projects } from '@/db/schema/projects';
import { sites } from '@/db/schema/sites';
import { users } from '@/db/schema/users';
import { resetRollUp } from '@/lib/ledger/roll-up';
import { createOrder } from '@/lib/orders/order/create';
import type { CreateOrderInput } from '@/lib/orders/order/schemas';
import { splitLoss, splitShare } from '@/lib/orders/placements/shares';
import { defaultRules } from '@/lib/settings/placement-rules';
import { isListed } from '@/lib/sites/catalogue/filter-sql';
import { refreshRecords } from '@/lib/sites/record/refresh';
import { actorOf } from './actor-of';
import { creditWallet, planCredits, type WalletChange } from './credits';
import { daysBefore } from './days';
import { LinkHistory } from './link-history';
import { planPaidTopups } from './paid-top-ups';
import { planPayouts, seedPayer } from './payouts';
import { demoEmails } from './people';
import { playStep, type Sides } from './play-step';
import { createRandom, type Random } from './random';
import { seedSelfBilling } from './self-billing';
import { Timeline } from './timeline';
import { buyerWalks, generateWalks, regularSites, regularTurnaround, type Walk } from './walks';

/** The balance of buyer@example.com after the history, in USD cents. */
export const buyerEndsWithCents = 50_000;

/** One action of the history. Steps of different orders alternate, because ids follow the order of time. */
type Event = { at: Date; play: (history: History) => Promise<void> };
type History = { timeline: Timeline; links: LinkHistory };
type Person = typeof users.$inferSelect;
type Site = {
  id: number;
  ownerId: string;
  costCents: number;
  sellerCents: number;
  tatDays: number;
  createdAt: Date;
};
/** An order of a site that buyers come back to, and the buyer. */
type RegularOrder = { buyerId: string; walk: Walk; site: Site };
type Shelf = { sites: Site[]; starter: { id: number; priceCents: number } };
type People = { admin: Person; byId: ReadonlyMap<string, Person>; demoSellerId: string };

/**
 * Seeds weeks of orders through the application's own functions, so that the ledger is consistent, and dates them back
 * with their transfers, messages and audit entries. Orders and credits have idempotency keys.
 */
export async function seedHistory(now: Date): Promise<void> {
  const random = createRandom(20_250_117);
  const [rows, shelf] = await Promise.all([db().select().from(users).orderBy(asc(users.createdAt)), readShelf()]);
  const [admin, seller] = [demoEmails.admin, demoEmails.seller].map((email) => rows.find((row) => row.email === email));
  if (!admin || !seller) throw new Error('The demo has no administrator or no seller.');
  const people = { admin, byId: new Map(rows.map((row) => [row.id, row])), demoSellerId: seller.id };
  const timeline = new Timeline();
  const links = new LinkHistory(timeline);
  const events: Event[] = [];
  // The demo buyer first, because the sites of the demo seller are few.
  const buyers = rows.filter(({ role }) => role === 'User');
  const paid = await planPaidTopups(buyers, admin, now);
  const regular = planRegularOrders(shelf, people, now);
  for (const buyer of buyers.sort((one, other) => Number(isDemoBuyer(other)) - Number(isDemoBuyer(one))))
    events.push(...(await planBuyer({ random, shelf, people, now, paid: paid.changes, regular }, buyer)));
  await seedPayer(admin);
  events.push(...paid.events, ...planPayouts(rows, admin, now));
  for (const { at, play } of events.sort((one, other) => one.at.getTime() - other.at.getTime())) {
    await links.checkUntil(at);
    await play({ timeline, links });
  }
  await links.checkUntil(new Date(now.getTime() - 60_000));
  await timeline.applyDates();
  // The app, which starts meanwhile, may have rolled up transfers before they were dated back.
  await resetRollUp();
  // Until it returns nothing: a run stops after some seconds.
  while ((await refreshRecords()).computed > 0);
  await seedSelfBilling(seller, now);
}

/** Returns the items that the history orders: mid-priced sites, and the cheapest package. */
async function readShelf(): Promise<Shelf> {
  const found = await db()
    .select({
      id: sites.id,
      ownerId: sites.ownerId,
      costCents: sites.publicPriceUsdCents,
      sellerCents: sites.sellerPriceCents,
      tatDays: sites.tatDays,
      createdAt: sites.createdAt,
    })
    .from(sites)
    .where(
      and(
        isListed,
        eq(sites.publicCurrency, 'USD'),
        isNotNull(sites.sellerPriceCents),
        between(sites.publicPriceUsdCents, 3_000, 26_000),
        lte(sites.tatDays, 14),
        gte(sites.dr, 5),
      ),
    )
    .orderBy(asc(sites.id));
  const [starter] = await db()
    .select({ id: packages.id, priceCents: packages.priceCents })
    .from(packages)
    .orderBy(asc(packages.priceCents))
    .limit(1);
  if (!starter) throw new Error('The demo has no package.');
  const priced = found.flatMap(({ costCents, sellerCents, ...site }) =>
    costCents === null || sellerCents === null ? [] : [{ ...site, costCents, sellerCents }],
  );
  return { sites: priced, starter };
}

const isDemoBuyer = ({ email }: Person) => email === demoEmails.buyer;

/**
 * Takes sites from the shelf that have enough orders for a record: one of the demo seller and some of others. Their
 * buyers are those who have been here since before the first order.
 */
function planRegularOrders(shelf: Shelf, people: People, now: Date): RegularOrder[] {
  const firstAt = daysBefore(now, Math.max(...regularSites.flat().map(({ daysAgo }) => daysAgo)));
  const buyers = [...people.byId.values()].filter(({ role, createdAt }) => role === 'User' && createdAt < firstAt);
  const sellers = new Set<string>();
  return regularSites.flatMap((walks, index) => {
    const site = shelf.sites.find(
      ({ ownerId, tatDays, createdAt }) =>
        createdAt < firstAt &&
        tatDays === regularTurnaround &&
        !sellers.has(ownerId) &&
        (index !== 1 || ownerId === people.demoSellerId),
    );
    if (!site) throw new Error('The demo has too few sites for records.');
    sellers.add(site.ownerId);
    shelf.sites.splice(shelf.sites.indexOf(site), 1);
    return walks.flatMap((walk, number) => {
      const buyer = buyers[(number + index) % buyers.length];
      // The sites of a seller alternate by some hours.
      return buyer ? [{ buyerId: buyer.id, walk: { ...walk, daysAgo: walk.daysAgo - index * 0.3 }, site }] : [];
    });
  });
}

type Context = {
  random: Random;
  shelf: Shelf;
  people: People;
  now: Date;
  /** The changes of the wallets by paid top-ups, by user id. */
  paid: ReadonlyMap<string, readonly WalletChange[]>;
  regular: readonly RegularOrder[];
};

/** Plans the orders of a buyer, and the credits that pay for what the buyer's own top-ups do not cover. */
async function planBuyer({ random, shelf, people, now, paid, regular }: Context, buyer: Person): Promise<Event[]> {
  const walks = isDemoBuyer(buyer) ? buyerWalks : generateWalks(random);
  const endsWithCents = isDemoBuyer(buyer) ? buyerEndsWithCents : 100 * random.int(180, 900);
  const owned = await db()
    .select({ id: projects.id })
    .from(projects)
    .where(eq(projects.accountId, buyer.id))
    .orderBy(asc(projects.createdAt));
  // The demo buyer orders from the demo seller: each of the two accounts shows the other side of the same orders.
  const offered = shelf.sites.filter(({ ownerId }) => !isDemoBuyer(buyer) || ownerId === people.demoSellerId);
  const changes: WalletChange[] = [...(paid.get(buyer.id) ?? [])];
  const events: Event[] = [];
  const picked = walks.map((walk) => {
    const site = random.pick(offered.filter((one) => isFitFor(one, walk, now)));
    offered.splice(offered.indexOf(site), 1);
    shelf.sites.splice(shelf.sites.indexOf(site), 1);
    return { walk, site };
  });
  const again = regular.filter(({ buyerId }) => buyerId === buyer.id);
  for (const [index, { walk, site }] of [...picked, ...again].entries()) {
    const seller = people.byId.get(site.ownerId);
    if (!seller) throw new Error(`Site #${site.id} has no owner.`);
    const project = owned[walk.project ?? random.int(0, owned.length - 1)];
    if (!project) throw new Error(`${buyer.email} has no project ${walk.project}.`);
    const input: CreateOrderInput = {
      projectId: project.id,
      brief: walk.brief,
      ...(walk.isPackage
        ? { kind: 'package', packageId: shelf.starter.id, quantity: 1 }
        : { kind: 'custom', siteIds: [site.id] }),
    };
    changes.push(
      ...walletChanges(walk, walk.isPackage ? shelf.starter.priceCents : site.costCents, site.sellerCents, now),
    );
    const sides = { buyer: actorOf(buyer), seller: actorOf(seller), staff: actorOf(people.admin) };
    events.push(...planOrder(walk, { input, key: `demo-history-${index + 1}`, sides, now }));
  }
  const credits = planCredits(
    changes.sort((one, other) => one.at.getTime() - other.at.getTime()),
    endsWithCents,
  );
  const staff = actorOf(people.admin);
  return [
    ...credits.map(({ at, amountCents }, index): Event => {
      const credit = () => creditWallet(staff, buyer, { number: index + 1, amountCents });
      return { at, play: ({ timeline }) => timeline.play(at, credit) };
    }),
    ...events,
  ];
}

/** Checks whether a site was listed when the order was placed, and whether its turnaround covers the delivery. */
function isFitFor({ createdAt, tatDays }: Site, { daysAgo, isPackage, steps }: Walk, now: Date): boolean {
  if (createdAt >= daysBefore(now, daysAgo)) return false;
  const [accepted, delivered] = (['accept', 'deliver'] as const).map((does) =>
    steps.find((step) => step.does === does),
  );
  if (isPackage || !accepted || !delivered) return true;
  return delivered.after - accepted.after <= tatDays + defaultRules.deliveryGraceDays;
}

/** Returns the charge of an order, and its refund: with the last step, or for a lost link at an unknown time. */
function walletChanges(walk: Walk, costCents: number, sellerCents: number, now: Date): WalletChange[] {
  const { returned = 0, isLost, daysAgo, steps } = walk;
  const shares = { sellerCents, marginCents: costCents - sellerCents };
  const ripenedCents = Math.floor((sellerCents * defaultRules.approvalPercent) / 100);
  const { buyerCents } = isLost ? splitLoss({ ...shares, ripenedCents }) : splitShare(shares, returned);
  const charge = { at: daysBefore(now, daysAgo), cents: -costCents };
  if (buyerCents === 0) return [charge];
  return [charge, { at: isLost ? now : daysBefore(now, daysAgo - (steps.at(-1)?.after ?? 0)), cents: buyerCents }];
}

type Planned = { input: CreateOrderInput; key: string; sides: Sides; now: Date };

/** Plans the order and each step of its walk. */
function planOrder(walk: Walk, { input, key, sides, now }: Planned): Event[] {
  let orderId = 0;
  const orderedAt = daysBefore(now, walk.daysAgo);
  const order = async () => {
    const [made] = (await createOrder(sides.buyer, input, key)).orders;
    if (!made) throw new Error('The order was not created.');
    orderId = made.id;
  };
  return [
    { at: orderedAt, play: ({ timeline }) => timeline.play(orderedAt, order) },
    ...walk.steps.map((step): Event => {
      const at = daysBefore(now, walk.daysAgo - step.after);
      if (step.does === 'change page') return { at, play: async ({ links }) => links.changePage(orderId, step.to) };
      return { at, play: ({ links }) => links.playStep(at, orderId, (check) => playStep(sides, orderId, step, check)) };
    }),
  ];
}
