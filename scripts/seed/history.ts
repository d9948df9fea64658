import { and, asc, between, eq, gte, inArray } from 'drizzle-orm';
import { db } from '@/db/client';
import { packages } from '@/db/schema/packages';
import { projects } from '@/db/schema/projects';
import { sites } from '@/db/schema/sites';
import { users } from '@/db/schema/users';
import { createOrder } from '@/lib/orders/create';
import type { CreateOrderInput } from '@/lib/orders/schemas';
import { isListed } from '@/lib/sites/catalogue/listed';
import { actorOf } from './actor-of';
import { openingCredit } from './opening-credit';
import { buyerOutcomes, generateOutcomes, type OrderOutcome } from './order-outcomes';
import { demoEmails } from './people';
import { createRandom, type Random } from './random';
import { settleOrder } from './settle-order';

/** The balance of buyer@example.com after the history, in USD cents. */
const buyerEndsWithCents = 50_000;

type PlannedOrder = { buyer: Buyer; key: string; outcome: OrderOutcome; input: CreateOrderInput; costCents: number };
type Buyer = typeof users.$inferSelect;
type OfferedItems = { sites: { id: number; costCents: number }[]; starter: { id: number; priceCents: number } };

/**
 * Seeds weeks of orders through `createOrder`, so that the ledger is consistent. Every step has its own idempotency key:
 * an interrupted seed continues where it stopped.
 */
export async function seedHistory(now: Date): Promise<void> {
  const random = createRandom(20_250_117);
  const [people, shelf] = await Promise.all([
    db()
      .select()
      .from(users)
      .where(inArray(users.role, ['Admin', 'User']))
      .orderBy(asc(users.createdAt)),
    readOfferedItems(),
  ]);
  const admin = people.find(({ email }) => email === demoEmails.admin);
  if (!admin) throw new Error('The demo has no administrator.');
  const planned: PlannedOrder[] = [];
  for (const buyer of people.filter(({ role }) => role === 'User')) {
    const isDemoBuyer = buyer.email === demoEmails.buyer;
    const plan = await planOrders(random, shelf, buyer, isDemoBuyer ? buyerOutcomes : generateOutcomes(random));
    const endsWithCents = isDemoBuyer ? buyerEndsWithCents : 100 * random.int(180, 900);
    const paid = plan.filter(({ outcome }) => outcome.status !== 'Refunded');
    const spentCents = paid.reduce((sum, { costCents }) => sum + costCents, 0);
    await openingCredit(actorOf(admin), buyer, spentCents + endsWithCents);
    planned.push(...plan);
  }
  // Oldest first, so that the numbers of the orders follow their dates.
  for (const { buyer, key, outcome, input } of planned.sort(
    (one, other) => other.outcome.daysAgo - one.outcome.daysAgo,
  )) {
    const made = await createOrder(actorOf(buyer), input, key);
    for (const { id } of made.orders) await settleOrder(actorOf(admin), id, outcome, now);
  }
}

/** The items that the history orders: mid-priced guest posts, and the cheapest package. */
async function readOfferedItems(): Promise<OfferedItems> {
  const found = await db()
    .select({ id: sites.id, costCents: sites.publicPriceUsdCents })
    .from(sites)
    .where(
      and(
        isListed,
        eq(sites.postType, 'Guest posts'),
        between(sites.publicPriceUsdCents, 4_500, 16_000),
        gte(sites.dr, 25),
      ),
    )
    .orderBy(asc(sites.id));
  const [starter] = await db()
    .select({ id: packages.id, priceCents: packages.priceCents })
    .from(packages)
    .orderBy(asc(packages.priceCents))
    .limit(1);
  if (!starter) throw new Error('The demo has no package.');
  return { sites: found.flatMap(({ id, costCents }) => (costCents === null ? [] : [{ id, costCents }])), starter };
}

async function planOrders(
  random: Random,
  { sites: affordable, starter }: OfferedItems,
  buyer: Buyer,
  outcomes: readonly OrderOutcome[],
): Promise<PlannedOrder[]> {
  const owned = await db()
    .select({ id: projects.id })
    .from(projects)
    .where(eq(projects.userId, buyer.id))
    .orderBy(asc(projects.createdAt));
  const left = [...affordable];
  return outcomes.map((outcome, index) => {
    const projectId = random.pick(owned).id;
    const common = { buyer, outcome, key: `demo-history-${index + 1}` };
    if (outcome.isPackage) {
      const input = { kind: 'package' as const, projectId, packageId: starter.id, quantity: 1 };
      return { ...common, input, costCents: starter.priceCents };
    }
    const site = random.pick(left);
    left.splice(left.indexOf(site), 1);
    return { ...common, input: { kind: 'custom' as const, projectId, siteIds: [site.id] }, costCents: site.costCents };
  });
}
