import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { accountMembers, accounts } from '@/db/schema/accounts';
import { projects } from '@/db/schema/projects';
import type { Actor } from '@/lib/access/actor';
import { getBuyerLayout } from '@/lib/dashboard/buyer';
import { getMonthSpend } from '@/lib/dashboard/month-spend';
import { createOrder } from '@/lib/orders/order/create';
import { listOrderers } from '@/lib/orders/order/orderers';
import { getOutlook } from '@/lib/orders/requests/outlook';
import { getPageTax } from '@/lib/tax/buyer-tax';
import { fundWallet } from '@/tests/factories/fund-wallet';
import { makeProject } from '@/tests/factories/make-project';
import { makeSite } from '@/tests/factories/make-site';
import { joinTeam, makeTeam } from '@/tests/factories/make-team';
import { makeUser } from '@/tests/factories/make-user';
import { turnTaxOff, turnTaxOn } from '@/tests/factories/turn-tax-on';

let team: Awaited<ReturnType<typeof makeTeam>>;
let [projectId, hiddenId, siteId] = ['', '', 0];
/** Sees one project, and has a limit of $500. */
let buyer: Actor;
let orderId = 0;

const month = new Intl.DateTimeFormat('en-US', { month: 'long', timeZone: 'UTC' }).format(new Date());

const orderOf = (actor: Actor, id: number) => createOrder(actor, { kind: 'custom', projectId, siteIds: [id] });

beforeAll(async () => {
  team = await makeTeam();
  const { owner } = team.members;
  projectId = await makeProject(owner, { domain: 'shown.example.com' });
  hiddenId = await makeProject(owner, { domain: 'hidden.example.com' });
  await db().update(projects).set({ monthlyBudgetCents: 100_000 }).where(eq(projects.id, hiddenId));
  buyer = await joinTeam(await makeUser(), team, 'buyer', { projectIds: [projectId], monthlyLimitCents: 50_000 });
  await fundWallet(team.accountId, 100_000);
  siteId = await makeSite((await makeUser('Seller')).userId, 38_000, { dr: 20 });
  const placed = await orderOf(buyer, siteId);
  orderId = ('orders' in placed ? placed.orders[0]?.id : undefined) ?? 0;
});

describe('before an order, a member learns', () => {
  const ask = (actor: Actor, totalCents: number) =>
    getOutlook(actor, { projectId, totalCents, items: [{ siteId, rel: 'any' }] });

  it('that it is above the own limit, with what is left, and who decides', async () => {
    expect(await ask(buyer, 12_000)).toMatchObject({ decision: 'allowed', isFunded: true });
    expect(await ask(buyer, 12_001)).toEqual({
      decision: 'needs_approval',
      texts: [
        `Your limit of $500.00 for ${month} has $120.00 left.`,
        'An owner, a manager or Finance of your account can approve this order.',
      ],
      sites: {},
      isFunded: true,
    });
    await db().update(projects).set({ monthlyBudgetCents: 40_000 }).where(eq(projects.id, projectId));
    expect((await ask(team.members.owner, 12_000)).texts).toEqual([
      `The budget of this project of $400.00 for ${month} has $20.00 left.`,
      'You can approve this order under Requests.',
    ]);
    await db().update(projects).set({ monthlyBudgetCents: null }).where(eq(projects.id, projectId));
  });

  it('that the balance does not suffice, without the balance', async () => {
    const outlook = await ask(team.members.buyer, 62_001);
    expect(outlook).toEqual({ decision: 'allowed', texts: [], sites: {}, isFunded: false });
  });

  it('which sites the policy of the account refuses, and why', async () => {
    await db()
      .update(accounts)
      .set({ policy: { minDr: 30 } })
      .where(eq(accounts.id, team.accountId));
    const outlook = await ask(buyer, 12_001);
    expect(outlook).toMatchObject({ decision: 'refused', texts: [] });
    expect(outlook.sites[siteId]).toEqual([expect.stringContaining('Domain Rating of 20')]);
    await db().update(accounts).set({ policy: {} }).where(eq(accounts.id, team.accountId));
  });

  it('nothing about a project that the member does not see', async () => {
    const question = { projectId: hiddenId, totalCents: 1, items: [] };
    await expect(getOutlook(buyer, question)).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('the wallet of an account', () => {
  it('is shown to those who may view it; others learn only that it does not suffice', async () => {
    const { owner, manager, buyer: unlimited } = team.members;
    const dear = await makeSite((await makeUser('Seller')).userId, 100_000);
    const refused = (actor: Actor) =>
      orderOf(actor, dear).then(
        () => null,
        (thrown: unknown) => thrown,
      );
    expect(await refused(owner)).toMatchObject({
      code: 'insufficient_funds',
      message: 'This costs $1,000.00, and your wallet balance is $620.00. Add $380.00 to pay.',
      details: { url: '/user/wallet?topup=380.00' },
    });
    expect(await refused(manager)).toMatchObject({
      message: expect.stringMatching(/balance is \$620\.00\. Ask a person with access to the wallet/),
      details: {},
    });
    const hidden = await refused(unlimited);
    expect(hidden).toMatchObject({ code: 'insufficient_funds', details: {} });
    expect(String(hidden)).not.toMatch(/620|380/);
    expect(await getBuyerLayout(unlimited)).toMatchObject({ balanceCents: null, mayTopUp: false, isLimited: true });
    expect(await getBuyerLayout(manager)).toMatchObject({ balanceCents: 62_000, mayTopUp: false });
  });
});

it('missing billing details lead to Billing, or to a person who may enter them', async () => {
  const { owner, manager, buyer: member } = team.members;
  await turnTaxOn();
  for (const actor of [owner, manager, member]) {
    const mayEnter = actor === owner;
    const text = mayEnter ? /depends on it\.$/ : /Ask an owner or Finance of the account/;
    const url = mayEnter ? '/user/billing' : null;
    expect(await getPageTax(actor.accountId, actor.accountRole)).toEqual({ problem: expect.stringMatching(text), url });
    const refused = await orderOf(actor, siteId).catch((thrown: unknown) => thrown);
    const details = mayEnter ? { url } : expect.not.objectContaining({ url: expect.anything() });
    expect(refused).toMatchObject({ code: 'billing_incomplete', message: expect.stringMatching(text), details });
  }
  await turnTaxOff();
});

describe('what was spent this month', () => {
  it('is listed by member and project with the limits, as far as the viewer may see them', async () => {
    const { owner, finance } = team.members;
    const [byOwner, byBuyer, byFinance] = await Promise.all([owner, buyer, finance].map(getMonthSpend));
    const own = { spentCents: 38_000, limitCents: 50_000, id: buyer.userId };
    const hidden = { name: 'hidden.example.com', spentCents: 0, limitCents: 100_000 };
    const shown = { name: 'shown.example.com', spentCents: 38_000, limitCents: null };
    expect(byOwner?.members.rows).toMatchObject([own]);
    expect(byOwner?.projects.rows).toMatchObject([hidden, shown]);
    expect(byBuyer?.members.rows).toMatchObject([own]);
    expect(byBuyer?.projects.rows).toMatchObject([shown]);
    expect(byFinance?.members.rows).toEqual([]);
    await db().delete(accountMembers).where(eq(accountMembers.userId, buyer.userId));
    expect((await getMonthSpend(owner)).members.rows).toMatchObject([{ name: 'Former members', spentCents: 38_000 }]);
  });

  it('has the name of the member who ordered, in a personal account of what others ordered', async () => {
    const { owner } = team.members;
    const listed = [
      { id: orderId, orderedBy: buyer.userId },
      { id: orderId + 1, orderedBy: owner.userId },
    ];
    const byBuyer = [orderId, buyer.name] as const;
    expect(await listOrderers(owner, listed)).toEqual(new Map([byBuyer, [orderId + 1, owner.name]]));
    expect(await listOrderers({ ...owner, accountId: owner.userId }, listed)).toEqual(new Map([byBuyer]));
  });
});
