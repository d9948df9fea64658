import type { OrderStatus } from '../../db/schema/orders';
import type { MailKind } from '../mail/kinds';
import type { OrderNews } from '../mail/templates/order-changed';
import { formatMoney, walletCurrency } from '../money';

type State = { status: OrderStatus; linkUrl: string; adminComments: string };

/** A piece of news with the kind of mail it belongs to, and how a mail is called that is mainly about it. */
export type KindOfNews = OrderNews & { kind: MailKind; heading: string };

/**
 * What one save changed, in the buyer's words and by weight: the mail is called after the first piece its reader wants.
 * @param movedCents USD cents refunded, or taken again; 0 for none
 */
export function orderNews(
  before: State & { id: number },
  after: State,
  { movedCents, isRejection }: { movedCents: number; isRejection: boolean },
): KindOfNews[] {
  return [
    ...moneyNews(before, after, movedCents),
    ...statusNews(before, after, isRejection),
    ...linkNews(before, after),
    ...commentNews(before, after),
  ];
}

function moneyNews({ id }: { id: number }, { status }: State, movedCents: number): KindOfNews[] {
  if (movedCents === 0) return [];
  const money = formatMoney(movedCents, walletCurrency);
  const isRefund = status === 'Refunded';
  return [
    {
      kind: 'order-refund',
      heading: isRefund ? `Order #${id} was refunded` : `The refund of order #${id} was taken back`,
      text: isRefund ? `${money} went back to your wallet.` : `${money} was taken from your wallet again.`,
    },
  ];
}

function statusNews(before: State & { id: number }, { status }: State, isRejection: boolean): KindOfNews[] {
  if (status === before.status) return [];
  const rejected = isRejection ? 'The order was rejected. ' : '';
  return [
    {
      kind: 'order-status',
      heading: isRejection ? `Order #${before.id} was rejected` : `Order #${before.id} is now ${status}`,
      text: `${rejected}Its status is now ${status}; it was ${before.status}.`,
    },
  ];
}

function linkNews(before: State & { id: number }, { linkUrl }: State): KindOfNews[] {
  if (linkUrl === before.linkUrl) return [];
  const kind = 'order-link';
  if (!linkUrl)
    return [{ kind, heading: `Order #${before.id} lost its live link`, text: 'Its live link was removed.' }];
  return [
    before.linkUrl
      ? { kind, heading: `Order #${before.id} has a new live link`, text: 'Its live link changed:', href: linkUrl }
      : { kind, heading: `Order #${before.id} has its live link`, text: 'Its live link:', href: linkUrl },
  ];
}

function commentNews(before: State & { id: number }, { adminComments }: State): KindOfNews[] {
  // A comment that was taken out leaves nothing to read.
  if (adminComments === before.adminComments || !adminComments) return [];
  return [
    { kind: 'order-comment', heading: `A comment on order #${before.id}`, text: 'We wrote:', quote: adminComments },
  ];
}
