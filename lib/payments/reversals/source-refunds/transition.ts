import { eq, sql } from 'drizzle-orm';
import { createElement } from 'react';
import { db, type Executor } from '@/db/client';
import type { NoticeKind } from '@/db/schema/notices';
import { type SourceRefundState, sourceRefunds } from '@/db/schema/source-refunds';
import { topups } from '@/db/schema/topups';
import { users } from '@/db/schema/users';
import { getAccountContact } from '@/lib/access/accounts';
import type { AnyActor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { queueMail } from '@/lib/mail/compose';
import { isStaffWith, listAccountRecipients, selectStaffRecipients } from '@/lib/mail/recipients';
import { RefundMail } from '@/lib/mail/templates/account';
import { formatMoney } from '@/lib/money';
import { insertNotices, notifyAccount } from '@/lib/notifications/notifications';
import { providerNames } from '@/lib/payments/providers/names';
import type { Topup } from '@/lib/payments/top-ups/queries';
import { recordAudit } from '@/lib/platform/audit/record';
import type { SourceRefund } from './postings';

/** The states that can follow each state. A refund can fail after the provider reported its success. */
const nextStates: Readonly<Record<SourceRefundState, readonly SourceRefundState[]>> = {
  requested: ['processing', 'declined', 'withdrawn'],
  processing: ['succeeded', 'failed'],
  succeeded: ['failed'],
  failed: [],
  declined: [],
  withdrawn: [],
};

type Step = {
  to: SourceRefundState;
  /** A part of the audit log's sentence after the amount: "succeeded". */
  what: string;
  /** The columns that the step sets besides the state. */
  change?: Partial<Omit<SourceRefund, 'state' | 'version'>>;
};

export const refundNotFoundError = () => new AppError('not_found', 'This refund does not exist.');

/**
 * Moves a locked refund to its next state, with its line in the audit log and its notice. The caller posts the money
 * afterwards, in the same transaction. It is the only function that changes the state of a refund.
 * @throws AppError conflict for a state that cannot follow
 */
export async function moveRefund(
  tx: Executor,
  actor: AnyActor,
  refund: SourceRefund,
  step: Step,
): Promise<SourceRefund> {
  const { to, what, change } = step;
  if (!nextStates[refund.state].includes(to)) {
    throw new AppError('conflict', `This refund is ${refund.state} and cannot become ${to}. Reload the page.`);
  }
  const [after] = await tx
    .update(sourceRefunds)
    .set({
      ...change,
      state: to,
      ...(to === 'processing' ? { approvedAt: sql`now()` } : { nextActionAt: null, endedAt: sql`now()` }),
      version: sql`${sourceRefunds.version} + 1`,
    })
    .where(eq(sourceRefunds.id, refund.id))
    .returning();
  if (!after) throw refundNotFoundError();
  await auditRefund(tx, actor, after, { what, before: { state: refund.state }, after: { state: to, ...change } });
  await notifyOfRefund(tx, actor, after);
  return after;
}

/** Records a step of a refund in the audit log. */
export const auditRefund = (
  tx: Executor,
  actor: AnyActor,
  refund: SourceRefund,
  { what, before, after }: { what: string; before?: Record<string, unknown>; after: Record<string, unknown> },
): Promise<void> =>
  recordAudit(tx, actor, {
    action: `source_refund.${refund.state}`,
    details: `The refund of ${formatMoney(refund.amountCents, refund.currency)} to the payment method ${what.replace(/\.$/, '')}.`,
    entityType: 'source_refund',
    entityId: refund.id,
    amountCents: refund.amountCents,
    ...(before && { before }),
    after,
  });

/**
 * Runs a change of one refund in a transaction of its own. Locks the top-up first, like every booking of its payments,
 * and then the refund.
 * @throws AppError not_found
 */
export const changeRefund = <T>(id: string, change: (tx: Executor, refund: SourceRefund, topup: Topup) => Promise<T>) =>
  db().transaction((tx) => changeRefundIn(tx, id, change));

/** Runs `changeRefund` in the caller's transaction. */
export async function changeRefundIn<T>(
  tx: Executor,
  id: string,
  change: (tx: Executor, refund: SourceRefund, topup: Topup) => Promise<T>,
): Promise<T> {
  const [named] = await tx
    .select({ topupId: sourceRefunds.topupId })
    .from(sourceRefunds)
    .where(eq(sourceRefunds.id, id));
  if (!named) throw refundNotFoundError();
  const [topup] = await tx.select().from(topups).where(eq(topups.id, named.topupId)).for('no key update');
  const [refund] = await tx.select().from(sourceRefunds).where(eq(sourceRefunds.id, id)).for('no key update');
  if (!refund || !topup) throw refundNotFoundError();
  return change(tx, refund, topup);
}

type Notice = { kind: NoticeKind; heading: string; text: (refund: SourceRefund, money: string) => string };

const withReason = (text: string, reason: string) => (reason ? `${text} Reason: ${reason}` : text);

const buyerNotices: Partial<Record<SourceRefundState, Notice>> = {
  succeeded: {
    kind: 'refund.succeeded',
    heading: 'Your refund was sent',
    text: ({ provider }, money) =>
      `${money} was refunded to the payment method of your top-up by ${providerNames[provider]}. Your bank may need some days to show it.`,
  },
  failed: {
    kind: 'refund.failed',
    heading: 'Your refund failed',
    text: ({ answer }, money) =>
      withReason(`${money} was not refunded to your payment method. The money is in your wallet again.`, answer),
  },
  declined: {
    kind: 'refund.declined',
    heading: 'Your refund was declined',
    text: ({ answer }, money) => withReason(`${money} stays in your wallet.`, answer),
  },
};

/** Notifies of a refund's new state by bell and mail: staff of a request, and the buyer of its result. */
export async function notifyOfRefund(tx: Executor, actor: AnyActor, refund: SourceRefund): Promise<void> {
  if (refund.state === 'requested') return notifyOfRequest(tx, refund);
  const notice = buyerNotices[refund.state];
  if (!notice) return;
  const money = formatMoney(refund.amountCents, refund.currency);
  const concerned = { accountId: refund.accountId, right: 'account:wallet' } as const;
  await notifyAccount(tx, actor, { ...concerned, kind: notice.kind, subject: money });
  const recipients = await listAccountRecipients(tx, concerned);
  for (const { email, account } of recipients.filter(({ off }) => !off.has('wallet-refund')))
    await queueMail(tx, {
      kind: 'wallet-refund',
      to: email,
      account,
      subject: notice.heading,
      body: (context) =>
        createElement(RefundMail, {
          ...context,
          heading: notice.heading,
          text: notice.text(refund, money),
          url: `${context.appUrl}/user/wallet/refunds`,
          button: 'View your refunds',
          choicesUrl: `${context.appUrl}/user/security#mails`,
        }),
    });
}

/** Notifies the staff with ManageWallets, except the buyer, who may be one of them. */
async function notifyOfRequest(tx: Executor, refund: SourceRefund): Promise<void> {
  const money = formatMoney(refund.amountCents, refund.currency);
  const staff = await tx
    .select({ id: users.id, email: users.email })
    .from(users)
    .where(isStaffWith(tx, 'ManageWallets'));
  const others = staff.filter(({ id }) => id !== refund.accountId);
  await insertNotices(
    tx,
    others.map(({ id }) => ({ userId: id, kind: 'refund.requested', subject: money })),
  );
  const readers = await selectStaffRecipients(tx, 'ManageWallets', 'refund-request', refund.accountId);
  if (readers.length === 0) return;
  const buyer = await getAccountContact(tx, refund.accountId);
  const heading = `A refund of ${money} was requested`;
  await queueMail(tx, {
    kind: 'refund-request',
    to: readers.map(({ email }) => email),
    subject: heading,
    body: (context) =>
      createElement(RefundMail, {
        ...context,
        heading,
        text: withReason(
          `${buyer.label} requests ${money} back to the payment method of a top-up by ${providerNames[refund.provider]}.`,
          refund.reason,
        ),
        url: `${context.appUrl}/dashboard/features/wallet-manager?tab=refunds`,
        button: 'Open refunds',
        choicesUrl: `${context.appUrl}/dashboard/security#mails`,
      }),
  });
}
