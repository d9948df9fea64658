import { and, eq } from 'drizzle-orm';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { db } from '@/db/client';
import { accountMembers } from '@/db/schema/accounts';
import { getWalletBalance } from '@/lib/ledger/balance';
import { createOrder } from '@/lib/orders/order/create';
import { updateOrder } from '@/lib/orders/order/update';
import { approveRequest } from '@/lib/orders/requests/approve';
import { declineRequest } from '@/lib/orders/requests/decline';
import { getRequest } from '@/lib/orders/requests/queries';
import { saveBudget, savePolicy } from '@/lib/orders/requests/save-limits';
import { propertyRuns } from '@/scripts/testing/tier';
import { fundWallet } from '@/tests/factories/fund-wallet';
import { makeProject } from '@/tests/factories/make-project';
import { makeSite } from '@/tests/factories/make-site';
import { makeTeam } from '@/tests/factories/make-team';
import { makeUser } from '@/tests/factories/make-user';
import { expectSoundBooks } from '@/tests/setup/expect-sound-books';
import { getSpentThisMonth } from '@/tests/setup/spent-this-month';

/** What sites cost, in USD cents. A wallet with less than all orders of a walk cost is a part of the walk. */
const prices = [700, 1_100, 1_900];
const funds = 9_000;
const limit = fc.option(fc.integer({ min: 0, max: 6_000 }));

const member = fc.constantFrom('buyer' as const, 'manager' as const);
const project = fc.nat({ max: 1 });
const some = fc.nat({ max: 7 });
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      what: fc.constant('order' as const),
      member,
      project,
      sites: fc.uniqueArray(fc.nat({ max: 2 }), { minLength: 1 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ what: fc.constant('limit' as const), member, limit }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('budget' as const), project, limit }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('policy' as const), limit }) },
  { weight: 3, arbitrary: fc.record({ what: fc.constant('approve' as const), request: some, isPart: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('decline' as const), request: some }) },
  { weight: 2, arbitrary: fc.record({ what: fc.constant('refund' as const), order: some }) },
);
type Member = 'buyer' | 'manager';

type Paid = { id: number; member: Member; project: number; cents: number; isRefunded: boolean };
type Held = { id: string; member: Member; project: number; cents: number[]; isOpen: boolean };

it('members spend what their limits allow, and what is approved, over random months', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 25 }), async (steps) => {
      const { accountId, members } = await makeTeam();
      const seller = await makeUser('Seller');
      const admin = await makeUser('Admin');
      const siteIds: number[] = [];
      for (const cents of prices) siteIds.push(await makeSite(seller.userId, cents));
      const projectIds = [await makeProject(members.owner), await makeProject(members.owner)];
      const projectOf = (index: number) => projectIds[index] ?? expect.fail();
      await fundWallet(accountId, funds);

      const limits: Record<Member, number | null> = { buyer: null, manager: null };
      const budgets: (number | null)[] = [null, null];
      let above: number | null = null;
      const paid: Paid[] = [];
      const held: Held[] = [];
      const spentBy = (is: (one: Paid) => boolean) =>
        paid.filter((one) => is(one) && !one.isRefunded).reduce((sum, { cents }) => sum + cents, 0);
      const exceeds = (most: number | null | undefined, cents: number) => typeof most === 'number' && cents > most;

      for (const taken of steps) {
        switch (taken.what) {
          case 'limit':
            limits[taken.member] = taken.limit;
            await db()
              .update(accountMembers)
              .set({ monthlyLimitCents: taken.limit })
              .where(
                and(eq(accountMembers.accountId, accountId), eq(accountMembers.userId, members[taken.member].userId)),
              );
            break;
          case 'budget':
            budgets[taken.project] = taken.limit;
            await saveBudget(members.owner, projectOf(taken.project), { monthlyCents: taken.limit });
            break;
          case 'policy':
            above = taken.limit;
            await savePolicy(members.owner, accountId, taken.limit === null ? {} : { approvalAboveCents: taken.limit });
            break;
          case 'order': {
            const cents = taken.sites.map((site) => prices[site] ?? 0);
            const total = cents.reduce((sum, one) => sum + one, 0);
            const isHeld =
              exceeds(limits[taken.member], spentBy((one) => one.member === taken.member) + total) ||
              exceeds(budgets[taken.project], spentBy((one) => one.project === taken.project) + total) ||
              exceeds(above, total);
            const ordered = createOrder(members[taken.member], {
              kind: 'custom',
              projectId: projectOf(taken.project),
              siteIds: taken.sites.map((site) => siteIds[site] ?? 0),
            });
            if (!isHeld && total > funds - spentBy(() => true)) {
              await expect(ordered).rejects.toMatchObject({ code: 'insufficient_funds' });
              break;
            }
            const { requestId, orders } = await ordered;
            expect(requestId !== undefined).toBe(isHeld);
            const of = { member: taken.member, project: taken.project };
            if (requestId) held.push({ id: requestId, ...of, cents, isOpen: true });
            paid.push(...orders.map(({ id, chargedCents }) => ({ id, ...of, cents: chargedCents, isRefunded: false })));
            break;
          }
          case 'approve': {
            const request = held[taken.request];
            if (!request) break;
            const { lines } = await getRequest(members.owner, request.id);
            const count = taken.isPart ? 1 : lines.length;
            const total = request.cents.slice(0, count).reduce((sum, one) => sum + one, 0);
            const approved = approveRequest(members.owner, request.id, {
              ...(taken.isPart && { lineIds: lines.slice(0, 1).map(({ id }) => id) }),
            });
            if (!request.isOpen) await expect(approved).rejects.toMatchObject({ code: 'conflict' });
            else if (total > funds - spentBy(() => true))
              await expect(approved).rejects.toMatchObject({ code: 'insufficient_funds' });
            else {
              request.isOpen = false;
              for (const { orderId, cents } of (await approved).lines)
                if (orderId !== null) paid.push({ ...request, id: orderId, cents: cents ?? 0, isRefunded: false });
            }
            break;
          }
          case 'decline': {
            const request = held[taken.request];
            if (!request) break;
            const declined = declineRequest(members.owner, request.id, {});
            if (request.isOpen) await declined;
            else await expect(declined).rejects.toMatchObject({ code: 'conflict' });
            request.isOpen = false;
            break;
          }
          case 'refund': {
            const order = paid[taken.order];
            if (!order || order.isRefunded) break;
            await updateOrder(admin, order.id, { status: 'Refunded' });
            order.isRefunded = true;
          }
        }
        expect(await getWalletBalance(accountId)).toBe(funds - spentBy(() => true));
      }
      for (const name of ['buyer', 'manager'] as const)
        expect(await getSpentThisMonth(accountId, { memberId: members[name].userId })).toBe(
          spentBy((one) => one.member === name),
        );
      for (const index of [0, 1])
        expect(await getSpentThisMonth(accountId, { projectId: projectOf(index) })).toBe(
          spentBy((one) => one.project === index),
        );
      await expectSoundBooks();
    }),
    { numRuns: propertyRuns(10) },
  );
});
