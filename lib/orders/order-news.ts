import type { OrderStatus } from '../../db/schema/orders';
import type { MailKind } from '../mail/kinds';
import type { OrderNews } from '../mail/templates/order-changed';
import { formatMoney, walletCurrency } from '../money';
import { buyerStatus } from './buyer-status';

type State = { status: OrderStatus; linkUrl: string; adminComments: string };

/** A piece of news with the kind of mail it belongs to, and how a mail is called that is mainly about it. */
export type KindOfNews = OrderNews & { kind: MailKind; heading: string };

/** `movedCents`: USD cents refunded, or taken again; 0 for none. */
type How = { movedCents: number; isRejection: boolean };

/**
 * What one save changed, in the buyer's words and statuses, and by weight: the mail is called after the first piece that
 * its reader wants.
 */
export function orderNews(before: State & { id: number }, after: State, how: How): KindOfNews[] {
  return [
    ...moneyNews(before, after, how),
    ...linkNews(before, after),
    ...statusNews(before, after, how.isRejection),
    ...commentNews(before, after),
  ];
}

function moneyNews({ id }: { id: number }, { status }: State, { movedCents, isRejection }: How): KindOfNews[] {
  if (movedCents === 0) return [];
  const money = formatMoney(movedCents, walletCurrency);
  const kind = 'order-refund';
  if (status !== 'Refunded') {
    const heading = `The refund of order #${id} was taken back`;
    return [{ kind, heading, text: `${money} was taken from your wallet again.` }];
  }
  const heading = `Order #${id} was ${isRejection ? 'rejected and refunded' : 'refunded'}`;
  return [{ kind, heading, text: `${money} went back to your wallet.` }];
}

function statusNews(before: State & { id: number }, after: State, isRejection: boolean): KindOfNews[] {
  const [was, is] = [buyerStatus(before.status), buyerStatus(after.status)];
  if (was === is) return [];
  return [
    {
      kind: 'order-status',
      heading: `Order #${before.id} ${isRejection ? 'was rejected' : `is now ${is}`}`,
      text: `${isRejection ? 'The order was rejected. ' : ''}Its status is now ${is}; it was ${was}.`,
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
