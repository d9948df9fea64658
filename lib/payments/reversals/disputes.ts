import { and, desc, eq, isNotNull, isNull, ne, or, sql } from 'drizzle-orm';
import { createElement } from 'react';
import { db, type Executor } from '@/db/client';
import { accounts } from '@/db/schema/accounts';
import { type PaymentProviderName, type ProviderMode, paymentReversals, topups } from '@/db/schema/topups';
import { users } from '@/db/schema/users';
import { getAccountContact } from '@/lib/access/accounts';
import { env } from '@/lib/env';
import { queueMail } from '@/lib/mail/compose';
import { isStaffWith, selectStaffRecipients } from '@/lib/mail/recipients';
import { PaymentDisputeMail } from '@/lib/mail/templates/staff';
import { formatMoney } from '@/lib/money';
import { insertNotices } from '@/lib/notifications/notifications';
import { providerNames } from '@/lib/payments/providers/names';

/** `open`: not decided; `ended`: won or lost. */
export type DisputeState = 'open' | 'ended';

/**
 * Returns the condition for disputes of top-ups in a state. PayPal reports the withdrawal for a dispute as another
 * object beside the dispute, which itself moves no money; the withdrawal is not counted as a dispute.
 */
const isInState = (state: DisputeState) =>
  and(
    eq(paymentReversals.kind, 'dispute'),
    or(ne(paymentReversals.provider, 'paypal'), eq(paymentReversals.money, 'kept')),
    state === 'open' ? isNull(paymentReversals.outcome) : isNotNull(paymentReversals.outcome),
  );

/** Lists the disputes in a state: open ones by deadline, those without one last; ended ones newest first. */
export async function listDisputes(state: DisputeState, { limit, offset }: { limit: number; offset: number }) {
  return db()
    .select({
      id: paymentReversals.id,
      provider: paymentReversals.provider,
      mode: paymentReversals.mode,
      /** The id of the dispute at the provider. */
      reference: paymentReversals.reference,
      topupId: paymentReversals.topupId,
      /** Integer minor units of `currency`. */
      amountMinor: paymentReversals.amountMinor,
      currency: paymentReversals.currency,
      reason: paymentReversals.reason,
      evidenceDueBy: paymentReversals.evidenceDueBy,
      outcome: paymentReversals.outcome,
      money: paymentReversals.money,
      openedAt: paymentReversals.createdAt,
      user: { id: accounts.id, name: accounts.name, email: accounts.email },
    })
    .from(paymentReversals)
    .innerJoin(topups, eq(topups.id, paymentReversals.topupId))
    .innerJoin(accounts, eq(accounts.id, topups.accountId))
    .where(isInState(state))
    .orderBy(
      ...(state === 'open' ? [sql`${paymentReversals.evidenceDueBy} asc nulls last`] : []),
      desc(paymentReversals.createdAt),
      desc(paymentReversals.id),
    )
    .limit(limit)
    .offset(offset);
}

export type Dispute = Awaited<ReturnType<typeof listDisputes>>[number];

export const countDisputes = async (state: DisputeState): Promise<number> =>
  db().$count(paymentReversals, isInState(state));

type Reversal = typeof paymentReversals.$inferSelect;

const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });

/**
 * Notifies staff with the permission ManagePayments that a dispute was opened: by a notification, and by mail to those
 * who subscribed. Runs in the transaction that books the dispute.
 */
export async function notifyDispute(
  tx: Executor,
  { accountId }: Pick<typeof topups.$inferSelect, 'accountId'>,
  dispute: Reversal,
): Promise<void> {
  const provider = providerNames[dispute.provider];
  const money = formatMoney(dispute.amountMinor, dispute.currency);
  const staff = await tx.select({ id: users.id }).from(users).where(isStaffWith(tx, 'ManagePayments'));
  if (staff.length === 0) return;
  const subject = `${money} at ${provider}`;
  await insertNotices(
    tx,
    staff.map(({ id }) => ({ userId: id, kind: 'payment.disputed', subject })),
  );
  const buyer = await getAccountContact(tx, accountId);
  const readers = await selectStaffRecipients(tx, 'ManagePayments', 'payment-dispute', '');
  await queueMail(tx, {
    kind: 'payment-dispute',
    to: readers.map(({ email }) => email),
    subject: `${money} disputed at ${provider}`,
    body: (context) =>
      createElement(PaymentDisputeMail, {
        ...context,
        heading: `${money} disputed at ${provider}`,
        summary: `${buyer.label} disputes a top-up: ${formatDisputeReason(dispute.reason)}.`,
        deadline: dispute.evidenceDueBy
          ? `${provider} accepts evidence until ${day.format(dispute.evidenceDueBy)} (UTC).`
          : `${provider} states no deadline for evidence.`,
        providerUrl: disputeDashboardUrl(dispute),
        provider,
        url: `${env().APP_URL}/dashboard/features/payments/disputes`,
      }),
  });
}

/** Returns the URL of a dispute in the provider's dashboard; null for WeChat Pay, which has no disputes. */
export function disputeDashboardUrl(dispute: {
  provider: PaymentProviderName;
  mode: ProviderMode;
  reference: string;
}): string | null {
  const id = encodeURIComponent(dispute.reference);
  const isLive = dispute.mode === 'live';
  switch (dispute.provider) {
    case 'stripe':
      return `https://dashboard.stripe.com/${isLive ? '' : 'test/'}disputes/${id}`;
    case 'paypal':
      return `https://www.${isLive ? '' : 'sandbox.'}paypal.com/resolutioncenter/view/${id}`;
    case 'wechat':
      return null;
  }
}

/**
 * Formats a provider's dispute reason for display: `product_not_received` and `MERCHANDISE_OR_SERVICE_NOT_RECEIVED`
 * become words.
 */
export function formatDisputeReason(reason: string | null): string {
  if (reason === null || reason === '') return 'no reason stated';
  return reason.toLowerCase().replaceAll('_', ' ');
}
