import { createElement } from 'react';
import type { Executor } from '@/db/client';
import { type NoticeKind, notices } from '@/db/schema/notices';
import type { SourceRefundState } from '@/db/schema/source-refunds';
import { users } from '@/db/schema/users';
import type { AnyActor } from '@/lib/access/actor';
import { queueMail } from '@/lib/mail/compose';
import { findMailRecipient, isStaffWith, selectStaffRecipients } from '@/lib/mail/recipients';
import { RefundMail } from '@/lib/mail/templates/account';
import { formatMoney } from '@/lib/money';
import { createNotification } from '@/lib/notifications/notifications';
import { providerNames } from '@/lib/payments/providers/names';
import type { SourceRefund } from './postings';

type News = { notice: NoticeKind; heading: string; text: (refund: SourceRefund, money: string) => string };

const withReason = (text: string, reason: string) => (reason ? `${text} Reason: ${reason}` : text);

/** The news of the states of which a buyer is notified. */
const news: Partial<Record<SourceRefundState, News>> = {
  succeeded: {
    notice: 'refund.succeeded',
    heading: 'Your refund was sent',
    text: ({ provider }, money) =>
      `${money} was refunded to the payment method of your top-up by ${providerNames[provider]}. Your bank may need some days to show it.`,
  },
  failed: {
    notice: 'refund.failed',
    heading: 'Your refund failed',
    text: ({ answer }, money) =>
      withReason(`${money} was not refunded to your payment method. The money is in your wallet again.`, answer),
  },
  declined: {
    notice: 'refund.declined',
    heading: 'Your refund was declined',
    text: ({ answer }, money) => withReason(`${money} stays in your wallet.`, answer),
  },
};

/** Notifies of a refund's new state by bell and mail: staff of a request, and the buyer of its result. */
export async function announceRefund(tx: Executor, actor: AnyActor, refund: SourceRefund): Promise<void> {
  if (refund.state === 'requested') return announceRequest(tx, refund);
  const message = news[refund.state];
  if (!message) return;
  const money = formatMoney(refund.amountCents, refund.currency);
  await createNotification(tx, actor, { userId: refund.userId, kind: message.notice, subject: money });
  const recipient = await findMailRecipient(tx, refund.userId);
  if (!recipient || recipient.off.has('wallet-refund')) return;
  await queueMail(tx, {
    kind: 'wallet-refund',
    to: recipient.email,
    subject: message.heading,
    body: (context) =>
      createElement(RefundMail, {
        ...context,
        heading: message.heading,
        text: message.text(refund, money),
        url: `${context.appUrl}/user/wallet/refunds`,
        button: 'View your refunds',
        choicesUrl: `${context.appUrl}/user/security#mails`,
      }),
  });
}

/** Notifies the staff with ManageWallets, except the buyer, who may be one of them. */
async function announceRequest(tx: Executor, refund: SourceRefund): Promise<void> {
  const money = formatMoney(refund.amountCents, refund.currency);
  const staff = await tx
    .select({ id: users.id, email: users.email })
    .from(users)
    .where(isStaffWith(tx, 'ManageWallets'));
  const others = staff.filter(({ id }) => id !== refund.userId);
  if (others.length > 0) {
    await tx
      .insert(notices)
      .values(others.map(({ id }) => ({ userId: id, kind: 'refund.requested' as const, subject: money })));
  }
  const readers = await selectStaffRecipients(tx, 'ManageWallets', 'refund-request', refund.userId);
  if (readers.length === 0) return;
  const buyer = await findMailRecipient(tx, refund.userId);
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
          `${buyer?.email ?? 'A buyer'} requests ${money} back to the payment method of a top-up by ${providerNames[refund.provider]}.`,
          refund.reason,
        ),
        url: `${context.appUrl}/dashboard/features/wallet-manager?tab=refunds`,
        button: 'Open refunds',
        choicesUrl: `${context.appUrl}/dashboard/security#mails`,
      }),
  });
}
