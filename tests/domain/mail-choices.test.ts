import { and, eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { auditLogs } from '@/db/schema/audit';
import { mailOptOuts } from '@/db/schema/mail-opt-outs';
import type { Actor } from '@/lib/access/actor';
import { listMailPreferences, listOptOuts, setMailPreference, setMailPreferenceInput } from '@/lib/mail/preferences';
import { makeUser } from '@/tests/factories/make-user';

const kindsOf = async (actor: Actor) => (await listMailPreferences(actor)).map(({ kind }) => kind);
const ofBuyers = [
  'wallet-refund',
  'order-status',
  'order-link',
  'order-delivery',
  'order-refund',
  'order-comment',
  'order-review',
  'order-request',
  'order-dispute',
  'order-message',
  'order-link-check',
  'link-digest',
];
const ofSellers = [
  'seller-offer',
  'seller-order',
  'seller-link',
  'seller-earning',
  'seller-payout',
  'seller-site',
  'seller-ownership',
  'seller-statement',
];

describe('mail preferences', () => {
  it('list the kinds that a role can receive, all enabled by default', async () => {
    const buyer = await makeUser();
    const choices = await listMailPreferences(buyer);
    expect(choices.map(({ kind }) => kind)).toEqual(ofBuyers);
    expect(choices.every(({ isOn }) => isOn)).toBe(true);
    expect(await kindsOf(await makeUser('Admin'))).toEqual([
      'new-order',
      'payment-dispute',
      'refund-request',
      ...ofBuyers,
    ]);
    expect(await kindsOf(await makeUser('Seller'))).toEqual([...ofBuyers, ...ofSellers]);
    const clerk = { ...(await makeUser()), permissions: ['AdminDashboard', 'ManageOrders'] as const };
    expect(await kindsOf(clerk)).toContain('new-order');
    expect(await kindsOf({ ...clerk, permissions: ['AdminDashboard', 'ManageSites'] })).not.toContain('new-order');
  });

  it('change a kind for one user, and audit each change once', async () => {
    const [buyer, other] = [await makeUser(), await makeUser()];
    await setMailPreference(buyer, { kind: 'order-link', on: true });
    await Promise.all(Array.from({ length: 6 }, () => setMailPreference(buyer, { kind: 'order-link', on: false })));
    expect(await listOptOuts(buyer.userId)).toEqual(new Set(['order-link']));
    expect(await listOptOuts(other.userId)).toEqual(new Set());
    const shown = (await listMailPreferences(buyer)).filter(({ isOn }) => !isOn);
    expect(shown.map(({ kind }) => kind)).toEqual(['order-link']);
    await setMailPreference(buyer, { kind: 'order-link', on: true });
    expect(await listOptOuts(buyer.userId)).toEqual(new Set());
    const lines = await db()
      .select({ action: auditLogs.action })
      .from(auditLogs)
      .where(and(eq(auditLogs.entityType, 'user'), eq(auditLogs.entityId, buyer.userId)))
      .orderBy(auditLogs.id);
    expect(lines.map(({ action }) => action)).toEqual(['mail.turned_off', 'mail.turned_on']);
  });

  it('reject kinds that are unknown or not available to the role', async () => {
    const buyer = await makeUser();
    await expect(setMailPreference(buyer, { kind: 'new-order', on: false })).rejects.toMatchObject({
      code: 'forbidden',
    });
    expect(setMailPreferenceInput.safeParse({ kind: 'reset-password', on: false }).success).toBe(false);
    expect(setMailPreferenceInput.safeParse({ kind: 'toString', on: false }).success).toBe(false);
    await db().insert(mailOptOuts).values({ userId: buyer.userId, kind: 'of-the-past' });
    expect(await listOptOuts(buyer.userId)).toEqual(new Set());
  });
});
