import { and, eq, ne, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db, type Executor } from '@/db/client';
import { mailOptOuts } from '@/db/schema/mail-opt-outs';
import { mails } from '@/db/schema/mails';
import { users } from '@/db/schema/users';
import type { Actor } from '@/lib/access/actor';
import { type Access, mayAccess, requireAccess } from '@/lib/access/authorize';
import { recordAudit } from '@/lib/platform/audit/record';

type MailKindOptions = {
  /** The users who can receive the mail; others are not offered the choice. */
  access: Exclude<Access, 'public'>;
  label: string;
  hint: string;
  /**
   * How long mails of the kind may wait to be sent together: an hour, or up to a week for users who chose one mail a week.
   * Null for offers, whose time to answer may be an hour, for disputes, messages and money outside the wallet, and for summaries.
   */
  waits: 'week' | 'hour' | null;
};

/**
 * The mails that a user can turn off, in the order of the settings. Account mails, such as a password reset, are not
 * included: they are only sent on request.
 */
const mailKinds = {
  'new-order': {
    access: 'ManageOrders',
    label: 'New orders',
    hint: 'A buyer placed an order: one email, regardless of the number of sites.',
    waits: null,
  },
  'payment-dispute': {
    access: 'ManagePayments',
    label: 'Payment disputes',
    hint: 'A buyer disputes a top-up: the amount, reason and evidence deadline.',
    waits: null,
  },
  'refund-request': {
    access: 'ManageWallets',
    label: 'Refund requests',
    hint: 'A buyer requests wallet money back to the payment method.',
    waits: null,
  },
  'wallet-refund': {
    access: 'session',
    label: 'Refunds to your payment method',
    hint: 'A refund of wallet money is sent, fails or is declined.',
    waits: null,
  },
  'order-status': {
    access: 'session',
    label: 'Order status',
    hint: 'The status of one of your orders changes.',
    waits: 'week',
  },
  'order-link': {
    access: 'session',
    label: 'Live link',
    hint: 'One of your placements goes live, or its link changes.',
    waits: 'week',
  },
  'order-delivery': {
    access: 'session',
    label: 'Delivered content',
    hint: 'A file is ready to download.',
    waits: 'week',
  },
  'order-refund': {
    access: 'session',
    label: 'Refunds',
    hint: 'An order is refunded, or a refund is reversed.',
    waits: 'week',
  },
  'order-comment': { access: 'session', label: 'Comments', hint: 'We comment on one of your orders.', waits: 'hour' },
  'order-review': {
    access: 'session',
    label: 'Reviews and questions',
    hint: 'A placement is ready for your review, is late, or needs your answer.',
    waits: 'hour',
  },
  'order-request': {
    access: 'session',
    label: 'Approvals',
    hint: 'An order waits for your approval, or your own one is answered.',
    waits: 'hour',
  },
  'order-dispute': {
    access: 'session',
    label: 'Order disputes',
    hint: 'A dispute about an order is opened, gets a proposal, or ends.',
    waits: null,
  },
  'order-message': {
    access: 'session',
    label: 'Messages',
    hint: 'You have unread messages about an order: one email until you read them.',
    waits: null,
  },
  'order-link-check': {
    access: 'session',
    label: 'Link checks',
    hint: 'A check finds a link changed, missing or repaired.',
    waits: 'week',
  },
  'link-digest': {
    access: 'session',
    label: 'Weekly link report',
    hint: 'The results of the link checks of your orders, once a week.',
    waits: null,
  },
  'seller-offer': {
    access: 'seller',
    label: 'Orders to answer',
    hint: 'One of your sites is ordered, your answer is due soon, or an order expires.',
    waits: null,
  },
  'seller-order': {
    access: 'seller',
    label: 'Orders in progress',
    hint: 'A change is requested, more days are granted or refused, a publication is due, or an order ends.',
    waits: 'hour',
  },
  'seller-link': {
    access: 'seller',
    label: 'Links on your sites',
    hint: 'A check finds a link changed, repaired or lost, or the time for a repair ends soon.',
    waits: 'hour',
  },
  'seller-earning': {
    access: 'seller',
    label: 'Earnings',
    hint: 'A placement is approved, with the amount you earn.',
    waits: 'week',
  },
  'seller-payout': {
    access: 'seller',
    label: 'Payouts',
    hint: 'A payout is paid, fails or is returned.',
    waits: null,
  },
  'seller-site': {
    access: 'seller',
    label: 'Rejected sites',
    hint: 'One of your sites is rejected: the reason, and what to change.',
    waits: 'week',
  },
  'seller-ownership': {
    access: 'seller',
    label: 'Proof of ownership',
    hint: 'We no longer find the proof that a domain is yours: what we found, and how to restore it.',
    waits: 'hour',
  },
  'seller-statement': {
    access: 'seller',
    label: 'Self-billed statements',
    hint: 'A monthly statement is issued for you.',
    waits: null,
  },
} as const satisfies Record<string, MailKindOptions>;

export type MailKind = keyof typeof mailKinds;

/** Checks whether a kind of mail is known. Stored kinds that were since removed are ignored. */
export function isMailKind(value: string): value is MailKind {
  return Object.hasOwn(mailKinds, value);
}

/** Returns how long a kind may wait to be sent together with others; null for the kinds that users cannot turn off. */
export const waitOf = (kind: string): MailKindOptions['waits'] => (isMailKind(kind) ? mailKinds[kind].waits : null);

/** Returns the name of a kind in the settings. */
export const labelOf = (kind: MailKind): string => mailKinds[kind].label;

/** The names of the catalogue. */
const mailKindNames = Object.keys(mailKinds).filter(isMailKind);

/** A kind of mail on the security page. */
export type MailPreference = { kind: MailKind; label: string; hint: string; isOn: boolean };

/** Lists the kinds of mail that the user can receive, and whether each is turned on. */
export async function listMailPreferences(
  actor: Pick<Actor, 'userId' | 'role' | 'permissions'>,
): Promise<MailPreference[]> {
  const off = await listOptOuts(actor.userId);
  return mailKindNames
    .filter((kind) => mayAccess(actor, mailKinds[kind].access))
    .map((kind) => {
      const { label, hint } = mailKinds[kind];
      return { kind, label, hint, isOn: !off.has(kind) };
    });
}

/** The kinds that come in one mail a week for users who chose it. */
export const weeklyKinds = mailKindNames.filter((kind) => mailKinds[kind].waits === 'week');

/** Returns whether a user chose one mail a week, and what it is about. */
export async function getWeeklyChoice(
  actor: Pick<Actor, 'userId' | 'role' | 'permissions'>,
): Promise<{ isOn: boolean; labels: string[] }> {
  const [row] = await db().select({ isOn: users.hasWeeklyMail }).from(users).where(eq(users.id, actor.userId));
  const labels = weeklyKinds.filter((kind) => mayAccess(actor, mailKinds[kind].access)).map(labelOf);
  return { isOn: row?.isOn ?? false, labels };
}

export const setWeeklyMailInput = z.object({ on: z.boolean() });

/** Turns one mail a week on or off for the actor. What waits for it is then sent at once. Only a change is audited. */
export async function setWeeklyMail(actor: Actor, { on }: z.output<typeof setWeeklyMailInput>): Promise<void> {
  const { userId } = actor;
  await db().transaction(async (tx) => {
    const changed = await tx
      .update(users)
      .set({ hasWeeklyMail: on })
      .where(and(eq(users.id, userId), ne(users.hasWeeklyMail, on)))
      .returning({ id: users.id });
    if (changed.length === 0) return;
    await tx.update(mails).set({ nextAttemptAt: sql`now()` }).where(eq(mails.gathersFor, userId));
    await recordAudit(tx, actor, {
      action: on ? 'mail.weekly_on' : 'mail.weekly_off',
      details: `${actor.email} chose to get news ${on ? 'in one email a week' : 'as they happen'}.`,
      entityType: 'user',
      entityId: userId,
    });
  });
}

/** Returns the kinds of mail that a user has turned off. */
export async function listOptOuts(userId: string, executor: Executor = db()): Promise<ReadonlySet<MailKind>> {
  const rows = await executor
    .select({ kind: mailOptOuts.kind })
    .from(mailOptOuts)
    .where(eq(mailOptOuts.userId, userId));
  return new Set(rows.map(({ kind }) => kind).filter(isMailKind));
}

export const setMailPreferenceInput = z.object({
  kind: z.enum(mailKindNames, { error: 'This email setting does not exist.' }),
  on: z.boolean(),
});
type SetMailPreferenceInput = z.output<typeof setMailPreferenceInput>;

/**
 * Turns a kind of mail on or off for the actor. Idempotent; only a change is audited.
 * @throws AppError forbidden for a kind that the actor cannot receive
 */
export async function setMailPreference(actor: Actor, { kind, on }: SetMailPreferenceInput): Promise<void> {
  const { access, label } = mailKinds[kind];
  requireAccess(actor, access);
  const { userId } = actor;
  await db().transaction(async (tx) => {
    const changed = on
      ? await tx
          .delete(mailOptOuts)
          .where(and(eq(mailOptOuts.userId, userId), eq(mailOptOuts.kind, kind)))
          .returning({ kind: mailOptOuts.kind })
      : await tx
          .insert(mailOptOuts)
          .values({ userId, kind })
          .onConflictDoNothing()
          .returning({ kind: mailOptOuts.kind });
    if (changed.length === 0) return;
    await recordAudit(tx, actor, {
      action: on ? 'mail.turned_on' : 'mail.turned_off',
      details: `${actor.email} turned emails about “${label}” ${on ? 'on' : 'off'}.`,
      entityType: 'user',
      entityId: userId,
    });
  });
}
