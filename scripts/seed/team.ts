import { and, asc, between, eq, gte, inArray, isNotNull, ne } from 'drizzle-orm';
import { db, type Executor } from '@/db/client';
import type { AccountRole } from '@/db/enums';
import { accountMembers, accounts } from '@/db/schema/accounts';
import { orderRequestLines, orderRequests, type RequestReason } from '@/db/schema/order-requests';
import { orders } from '@/db/schema/orders';
import { projects } from '@/db/schema/projects';
import { sites } from '@/db/schema/sites';
import { users } from '@/db/schema/users';
import { recordController } from '@/lib/access/account-controllers';
import type { Actor } from '@/lib/access/actor';
import { hashPassword } from '@/lib/auth/password';
import { newId, newSecret } from '@/lib/ids';
import { formatUsd } from '@/lib/money';
import { createOrder } from '@/lib/orders/order/create';
import { recordAudit } from '@/lib/platform/audit/record';
import { isListed } from '@/lib/sites/catalogue/filter-sql';
import { actorOf } from './actor-of';
import { creditWallet } from './credits';
import { daysBefore } from './days';
import { demoEmails } from './people';

const teamName = 'Brightfield Agency';

/** Besides the demo buyer, who owns the team. Their passwords are random; `projects` are positions, or all. */
const colleagues = [
  {
    name: 'June Park',
    email: 'june.park@brightfield.example.com',
    role: 'manager',
    projects: null,
    limitCents: 150_000,
  },
  {
    name: 'Leo Fischer',
    email: 'leo.fischer@brightfield.example.com',
    role: 'buyer',
    projects: [0, 1],
    limitCents: 25_000,
  },
  { name: 'Maya Osei', email: 'maya.osei@brightfield.example.com', role: 'finance', projects: null, limitCents: null },
  { name: 'Dana Whitlock', email: 'dana@alpine-gear.example.org', role: 'client', projects: [0], limitCents: null },
] as const;

const clients = [
  {
    ...{ domain: 'alpine-gear.example.org', description: 'Climbing and trekking equipment, tested in the Alps.' },
    ...{ niche: 'Sports & Fitness', postType: 'Guest posts', country: 'Austria', monthlyBudgetCents: 100_000 },
    ...{ targetUrl: 'https://alpine-gear.example.org/harnesses', keywords: 'climbing harness, via ferrata set' },
  },
  {
    ...{ domain: 'tidewater-dental.example.com', description: 'Family dentists in three towns on the coast.' },
    ...{ niche: 'Health', postType: 'Guest posts', country: 'USA', monthlyBudgetCents: null },
    ...{ targetUrl: 'https://tidewater-dental.example.com/', keywords: 'family dentist, dental implants' },
  },
  {
    ...{ domain: 'luma-lighting.example.net', description: 'Lamps for small homes, made to order.' },
    ...{ niche: 'Home & Garden', postType: 'Guest posts', country: 'Germany', monthlyBudgetCents: 60_000 },
    ...{ targetUrl: 'https://luma-lighting.example.net/desk', keywords: 'desk lamp, reading light' },
  },
] as const;

const fundedCents = 250_000;
const approvalAboveCents = 50_000;
const minDr = 10;

/**
 * Seeds an agency of the demo buyer: a team with a member of each role, three clients' projects, limits, and two orders of its
 * Buyer, one of which a Manager approved, and an open request. The personal accounts stay as they are. A repeat does nothing.
 */
export async function seedTeam(now: Date): Promise<void> {
  const [owner, admin] = [await readUser(demoEmails.buyer), await readUser(demoEmails.admin)];
  const team = (await findTeam()) ?? (await db().transaction((tx) => insertTeam(tx, owner, now)));
  await creditWallet(
    actorOf(admin),
    { id: team.id, email: `${team.name} (${team.email})` },
    { number: 1, amountCents: fundedCents },
  );
  if ((await db().$count(orderRequests, eq(orderRequests.accountId, team.id))) > 0) return;
  const [manager, buyer] = await Promise.all(colleagues.slice(0, 2).map(({ email }) => readUser(email)));
  if (!manager || !buyer) throw new Error('The team of the demo lacks a member.');
  const [project] = await db()
    .select({ id: projects.id, domain: projects.domain })
    .from(projects)
    .where(eq(projects.accountId, team.id))
    .orderBy(asc(projects.id));
  const shelf = await listSites();
  const [first, ...others] = shelf;
  if (!project || !first || others.length < 3) throw new Error('The demo has too few sites for its team.');
  const actor = ofTeam(buyer, team, 'buyer');
  // Before the limits are set, so that the second one is ordered, which the Manager approved.
  await order(actor, project.id, [first], 'demo-team-1');
  const approved = others.slice(0, 1);
  const checkoutId = await order(actor, project.id, approved, 'demo-team-2');
  await db().transaction(async (tx) => {
    await tx.update(accounts).set({ policy: { minDr, approvalAboveCents } }).where(eq(accounts.id, team.id));
    for (const { email, limitCents } of colleagues) {
      const user = await readUser(email);
      const isMember = and(eq(accountMembers.accountId, team.id), eq(accountMembers.userId, user.id));
      await tx.update(accountMembers).set({ monthlyLimitCents: limitCents }).where(isMember);
    }
    const spentCents = sumOf([first]);
    const limitCents = colleagues[1].limitCents;
    const request = { tx, now, actor, project };
    await insertRequest(request, approved, {
      reasons: [{ code: 'member_limit', limitCents, spentCents }],
      approved: { by: manager.id, checkoutId },
    });
    await insertRequest(request, others.slice(1, 3), {
      reasons: [{ code: 'member_limit', limitCents, spentCents: spentCents + sumOf(approved) }],
    });
  });
}

type Team = typeof accounts.$inferSelect;
type Site = { id: number; cents: number };

const sumOf = (chosen: readonly Site[]) => chosen.reduce((sum, { cents }) => sum + cents, 0);

async function readUser(email: string) {
  const [user] = await db().select().from(users).where(eq(users.email, email));
  if (!user) throw new Error(`The demo lacks ${email}.`);
  return user;
}

async function findTeam(): Promise<Team | undefined> {
  const [team] = await db()
    .select()
    .from(accounts)
    .where(and(eq(accounts.kind, 'team'), eq(accounts.name, teamName)));
  return team;
}

async function insertTeam(tx: Executor, owner: typeof users.$inferSelect, now: Date): Promise<Team> {
  const createdAt = daysBefore(now, 60);
  const [team] = await tx
    .insert(accounts)
    .values({ id: newId(), kind: 'team', name: teamName, email: owner.email, createdAt })
    .returning();
  if (!team) throw new Error('The team was not inserted.');
  const projectIds = clients.map(() => newId());
  await tx
    .insert(projects)
    .values(
      clients.map((client, index) => ({ ...client, id: projectIds[index] ?? '', accountId: team.id, createdAt })),
    );
  const passwordHash = await hashPassword(newSecret());
  const added = await tx
    .insert(users)
    .values(
      colleagues.map(({ name, email }, index) => {
        const joined = daysBefore(now, 58 - index * 3);
        const at = { emailVerifiedAt: joined, createdAt: joined, updatedAt: joined };
        return { id: newId(), name, email, passwordHash, role: 'User', status: 'Active' as const, ...at };
      }),
    )
    .returning();
  const members = [
    { user: owner, role: 'owner' as const, projects: null },
    ...colleagues.flatMap((colleague) => {
      const user = added.find(({ email }) => email === colleague.email);
      return user ? [{ user, ...colleague }] : [];
    }),
  ];
  for (const { user, role, projects: named } of members) {
    await tx.insert(accountMembers).values({
      ...{ accountId: team.id, userId: user.id, role, createdAt: user === owner ? createdAt : user.createdAt },
      projectIds: named?.map((position) => projectIds[position] ?? '') ?? null,
    });
    await recordController(tx, { userId: user.id }, team.id);
  }
  return team;
}

const ofTeam = (user: typeof users.$inferSelect, team: Team, accountRole: AccountRole): Actor => ({
  ...{ ...actorOf(user), accountId: team.id, accountName: team.name, accountRole },
  memberOf: [user.id, team.id],
});

/** Lists sites on sale for about $150, which staff and the demo seller do not fulfill. */
async function listSites(): Promise<Site[]> {
  const seller = await readUser(demoEmails.seller);
  const rows = await db()
    .select({ id: sites.id, cents: sites.publicPriceUsdCents })
    .from(sites)
    .where(
      and(
        ...[
          isListed,
          eq(sites.publicCurrency, 'USD'),
          eq(sites.isFulfilledByStaff, false),
          ne(sites.ownerId, seller.id),
        ],
        ...[
          isNotNull(sites.sellerPriceCents),
          between(sites.publicPriceUsdCents, 13_000, 17_000),
          gte(sites.dr, minDr),
        ],
      ),
    )
    .orderBy(asc(sites.id))
    .limit(4);
  return rows.flatMap(({ id, cents }) => (cents === null ? [] : [{ id, cents }]));
}

/** Orders sites once for each key. @returns the id of the checkout */
async function order(actor: Actor, projectId: string, chosen: readonly Site[], key: string): Promise<string> {
  const { orders: made } = await createOrder(
    actor,
    { kind: 'custom', projectId, siteIds: chosen.map(({ id }) => id) },
    key,
  );
  const ids = made.map(({ id }) => id);
  const [row] = await db().select({ checkoutId: orders.checkoutId }).from(orders).where(inArray(orders.id, ids));
  if (!row?.checkoutId) throw new Error('The order of the team was not made.');
  return row.checkoutId;
}

async function insertRequest(
  { tx, now, actor, project }: { tx: Executor; now: Date; actor: Actor; project: { id: string; domain: string } },
  chosen: readonly Site[],
  { reasons, approved }: { reasons: RequestReason[]; approved?: { by: string; checkoutId: string } },
): Promise<void> {
  const id = newId();
  const state = approved ? ('approved' as const) : ('open' as const);
  const totalCents = sumOf(chosen);
  await tx.insert(orderRequests).values({
    ...{ id, accountId: actor.accountId, projectId: project.id, requestedBy: actor.userId, totalCents, reasons, state },
    body: { kind: 'custom', projectId: project.id, siteIds: chosen.map((site) => site.id) },
    ...{ createdAt: daysBefore(now, approved ? 0.2 : 0.1), expiresAt: daysBefore(now, -13) },
    ...(approved && { decidedBy: approved.by, decidedAt: now, checkoutId: approved.checkoutId }),
  });
  await tx.insert(orderRequestLines).values(
    chosen.map((site, position) => ({
      id: newId(),
      requestId: id,
      siteId: site.id,
      position,
      cents: site.cents,
      state,
    })),
  );
  await recordAudit(tx, actor, {
    action: 'request.opened',
    details: `An order of ${formatUsd(totalCents)} for ${project.domain} waits for an approval.`,
    entityType: 'order_request',
    entityId: id,
  });
}
