import { createElement } from 'react';
import type { Executor } from '@/db/client';
import type { NoticeKind } from '@/db/schema/notices';
import type { PayoutState } from '@/db/schema/payouts';
import type { AnyActor } from '@/lib/access/actor';
import { apiUrl, eventFor, installationEvent, recordEvents } from '@/lib/events/record';
import { queueMail } from '@/lib/mail/compose';
import { findMailRecipient } from '@/lib/mail/recipients';
import { PayoutMail } from '@/lib/mail/templates/sellers';
import { formatMoney, walletCurrency } from '@/lib/money';
import { createNotification } from '@/lib/notifications/notifications';
import { getNetCents, type Payout } from './postings';

type News = { notice: NoticeKind; heading: string; text: (payout: Payout) => string };

const money = (cents: number) => formatMoney(cents, walletCurrency);
const withReason = (text: string, reason: string) => (reason ? `${text} Reason: ${reason}` : text);

/** The news of the states of which a seller is notified. */
const news: Partial<Record<PayoutState, News>> = {
  paid: {
    notice: 'payout.paid',
    heading: 'Your payout was sent',
    text: (payout) =>
      `${money(getNetCents(payout))} was sent to your payout method.${payout.reference ? ` Reference: ${payout.reference}` : ''}`,
  },
  failed: {
    notice: 'payout.failed',
    heading: 'Your payout was not sent',
    text: ({ amountCents, reason }) =>
      withReason(`${money(amountCents)} is in your balance again, and you can request a new payout.`, reason),
  },
  returned: {
    notice: 'payout.returned',
    heading: 'Your payout was returned',
    text: ({ amountCents, reason }) =>
      withReason(
        `The payment was returned to us. ${money(amountCents)} is in your balance again. Check your payout method before you request a new payout.`,
        reason,
      ),
  },
};

/** Records the events of a payout's new state, and notifies the seller by bell and mail. States that the seller need not know are left out. */
export async function announcePayout(tx: Executor, actor: AnyActor, payout: Payout): Promise<void> {
  const message = news[payout.state];
  if (!message) return;
  const { sellerId, amountCents } = payout;
  await recordPayoutEvents(tx, payout);
  await createNotification(tx, actor, { userId: sellerId, kind: message.notice, subject: money(amountCents) });
  const recipient = await findMailRecipient(tx, sellerId);
  if (!recipient || recipient.off.has('seller-payout')) return;
  await queueMail(tx, {
    kind: 'seller-payout',
    to: recipient.email,
    subject: message.heading,
    body: (context) =>
      createElement(PayoutMail, {
        ...context,
        heading: message.heading,
        text: message.text(payout),
        url: `${context.appUrl}/seller/payouts`,
      }),
  });
}

async function recordPayoutEvents(tx: Executor, payout: Payout): Promise<void> {
  const { id: payoutId, sellerId, state, amountCents, feeCents, reference, reason } = payout;
  if (state !== 'paid' && state !== 'failed' && state !== 'returned') return;
  const data = { payoutId, state, amountCents, feeCents, reference, reason };
  await recordEvents(tx, [
    eventFor(`payout.${state}`, 'seller', sellerId, { ...data, url: apiUrl('/api/seller/payouts') }),
    installationEvent(`payout.${state}`, { ...data, sellerId, url: apiUrl('/api/admin/payouts') }),
  ]);
}
