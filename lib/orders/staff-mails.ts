import { createElement } from 'react';
import { db } from '../../db/client';
import type { orders } from '../../db/schema/orders';
import type { Actor } from '../auth/actor';
import { type ComposedMail, composeMail, type MailContent } from '../mail/compose';
import { NewOrderMail } from '../mail/templates/new-order';
import { formatMoney, walletCurrency } from '../money';

type Order = typeof orders.$inferSelect;

/** How many orders a mail lists; a checkout can have a hundred. */
const listed = 20;

/**
 * The mails about what was ordered in one go, for the outbox.
 * @param to the addresses of those who work on orders, without who ordered
 */
export async function staffMailsAbout(
  made: readonly Order[],
  buyer: Actor,
  to: readonly string[],
): Promise<ComposedMail[]> {
  const [first] = made;
  if (!first) return [];
  const total = made.reduce((sum, { chargedCents }) => sum + chargedCents, 0);
  const who = buyer.name || buyer.email;
  const what = made.length === 1 ? nameOf(first) : `${made.length} placements`;
  const heading = made.length === 1 ? `New order #${first.id}` : `${made.length} new orders`;
  const body: MailContent['body'] = (context) =>
    createElement(NewOrderMail, {
      ...context,
      heading,
      summary: `${who} ordered ${what} for ${first.projectDomain}: ${money(total)} from the wallet.`,
      // Of a single order the summary says it all.
      lines: made.length === 1 ? [] : made.slice(0, listed).map((order) => ({ id: order.id, text: lineOf(order) })),
      more: Math.max(0, made.length - listed),
      url: `${context.appUrl}/dashboard/features/orders?${made.length === 1 ? `order=${first.id}` : `userId=${buyer.userId}`}`,
    });
  return composeMail(db(), { kind: 'new-order', to, subject: `${heading} from ${who}`, body });
}

const money = (cents: number) => formatMoney(cents, walletCurrency);
const nameOf = ({ website, packageName, quantity }: Order) =>
  website || (quantity === 1 ? packageName : `${packageName} × ${quantity}`);
const lineOf = (order: Order) => `#${order.id} ${nameOf(order)}: ${money(order.chargedCents)}`;
