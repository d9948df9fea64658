import { eq } from 'drizzle-orm';
import { describe, expect, it, vi } from 'vitest';
import { db } from '@/db/client';
import { orders } from '@/db/schema/orders';
import { blockedDomains } from '@/db/schema/project-domains';
import { accountCookie, inAccount } from '@/lib/access/account-choice';
import type { Actor } from '@/lib/access/actor';
import { sessionCookieName } from '@/lib/auth/session-token';
import { notMemberMessage } from '@/lib/errors';
import { getNotifications } from '@/lib/notifications/notifications';
import { updateOrder } from '@/lib/orders/order/update';
import { declineRequest } from '@/lib/orders/requests/decline';
import { blockDomainsAction } from '@/lib/projects/actions';
import { makeOrder } from '@/tests/factories/make-order';
import { joinAgency, makeAgency, makeRequest } from '@/tests/factories/make-request';
import { joinTeam, makeTeam } from '@/tests/factories/make-team';
import { makeUser } from '@/tests/factories/make-user';
import { outboxOf } from '@/tests/setup/outbox';
import { inRequest } from '@/tests/setup/request-scope';
import { createSessionToken } from '@/tests/setup/session-token';

vi.mock('next/headers', async () => (await import('@/tests/setup/request-scope')).nextHeaders);

/** Calls an action of a user's page while another tab has chosen an account. */
async function block(user: Actor, chosenId: string, pageId: string | undefined) {
  const cookie = `${sessionCookieName()}=${await createSessionToken(user.userId)}; ${accountCookie}=${chosenId}`;
  const headers = { cookie, 'sec-fetch-site': 'same-origin' };
  return inRequest(headers, () => blockDomainsAction({ projectId: null, text: 'blocked.example' }, pageId));
}

const blockedIn = (accountId: string) => db().$count(blockedDomains, eq(blockedDomains.accountId, accountId));

describe('an action of an account', () => {
  it('acts for the account of its page, not for the one that another tab has chosen', async () => {
    const { members } = await makeTeam();
    const { owner } = members;
    const other = await makeTeam();
    const user = await joinTeam(owner, other, 'buyer');
    expect(await block(user, other.accountId, owner.accountId)).toMatchObject({ ok: true });
    expect([await blockedIn(owner.accountId), await blockedIn(other.accountId)]).toEqual([1, 0]);
    expect(await block(user, other.accountId, user.userId)).toMatchObject({ ok: true });
    expect([await blockedIn(user.userId), await blockedIn(other.accountId)]).toEqual([1, 0]);
    expect(await block(user, other.accountId, undefined)).toMatchObject({ ok: true });
    expect(await blockedIn(other.accountId)).toBe(1);
  });

  it('is refused for an account of which the user is no member, and for a role without the right', async () => {
    const { accountId, members } = await makeTeam();
    const stranger = await makeUser();
    for (const pageId of [accountId, 'no account', ''])
      expect(await block(stranger, stranger.userId, pageId), pageId).toMatchObject({
        ...{ ok: false, status: 404, error: notMemberMessage },
      });
    expect(await block(members.finance, members.finance.userId, accountId)).toMatchObject({ ok: false, status: 403 });
    expect([await blockedIn(accountId), await blockedIn(stranger.userId)]).toEqual([0, 0]);
  });
});

describe('news of an account', () => {
  it('name it in the bell and in mails to members, and lead to its page', async () => {
    const [admin, { id, buyer }, person] = [await makeUser('Admin'), await makeOrder(4_000, 4_000), await makeUser()];
    const member = await joinTeam(person, { accountId: buyer.accountId, accountName: '' }, 'buyer');
    await db().update(orders).set({ orderedBy: member.userId }).where(eq(orders.id, id));
    await updateOrder(admin, id, { status: 'Processing', adminComments: 'We start today.' });
    const account = { id: buyer.accountId, name: buyer.name };
    expect((await getNotifications(member)).items).toMatchObject([{ kind: 'order.processing', account }]);
    // For who has one account, nothing names it.
    expect((await getNotifications(buyer)).items[0]).not.toHaveProperty('account');
    // After the end of the membership the name stays, without a link.
    expect((await getNotifications(person)).items).toMatchObject([{ account: { ...account, id: null } }]);
    const [mail] = await outboxOf(member.email);
    expect(mail?.subject).toMatch(new RegExp(`^${buyer.name}: Order #${id}`));
    expect(mail?.text).toContain(`For the account ${buyer.name}`);
    expect(mail?.text).toMatch(new RegExp(`/user/orders\\S*account=${buyer.accountId}`));
  });

  it('about a request name it too, and lead to the request', async () => {
    const agency = await makeAgency(0);
    const buyer = await joinAgency(agency, 'buyer');
    const { id } = await makeRequest(agency, buyer, [5_000]);
    await declineRequest(agency.owner, id, {});
    const [mail] = await outboxOf(buyer.email);
    expect(mail?.subject).toMatch(new RegExp(`^${agency.name}: `));
    expect(mail?.text).toContain(`/user/requests/${id}?account=${agency.id}`);
  });

  it('about the personal account are named for a member of several', async () => {
    const [admin, { id, buyer }] = [await makeUser('Admin'), await makeOrder(4_000, 4_000)];
    const member = await joinTeam(buyer, await makeTeam(), 'buyer');
    await updateOrder(admin, id, { status: 'Processing' });
    expect((await getNotifications(member)).items).toMatchObject([
      { account: { id: buyer.userId, name: 'Personal account' } },
    ]);
    const [mail] = await outboxOf(buyer.email);
    expect(`${mail?.subject} ${mail?.text}`).not.toContain('Personal account');
    // The link opens it, whichever account was chosen last.
    expect(mail?.text).toMatch(new RegExp(`/user/orders\\S*account=${buyer.userId}`));
  });
});

it('an account is added to the address of a page before its fragment', () => {
  expect(inAccount('/user/orders', 'a1')).toBe('/user/orders?account=a1');
  expect(inAccount('/user/orders?order=3', 'a1')).toBe('/user/orders?order=3&account=a1');
  expect(inAccount('https://x.example/user/security#mails', 'a1')).toBe(
    'https://x.example/user/security?account=a1#mails',
  );
});
