import { createElement } from 'react';
import type { orders } from '@/db/schema/orders';
import type { Actor } from '@/lib/access/actor';
import type { Mail } from '@/lib/mail/compose';
import { NewOrderMail } from '@/lib/mail/templates/staff';
import { formatMoney, walletCurrency } from '@/lib/money';

type Order = typeof orders.$inferSelect;

/** The number of orders that the mail to staff lists; a checkout can have a hundred. */
const maxListed = 20;

/** One mail about all orders of a checkout to the staff who work on orders, except the buyer. */
export function newOrderMail(created: readonly Order[], buyer: Actor, staff: readonly string[]): Mail {
  const [first] = created;
  const single = created.length === 1 ? first : undefined;
  const total = created.reduce((sum, { chargedCents }) => sum + chargedCents, 0);
  const buyerName = buyer.name || buyer.email;
  const heading = single ? `New order #${single.id}` : `${created.length} new orders`;
  const what = single ? getItemName(single) : `${created.length} placements`;
  return {
    kind: 'new-order',
    to: staff,
    subject: `${heading} from ${buyerName}`,
    body: (context) =>
      createElement(NewOrderMail, {
        ...context,
        heading,
        summary: `${buyerName} ordered ${what} for ${first?.projectDomain}: ${money(total)} from the wallet.`,
        // The summary is sufficient for a single order.
        lines: single
          ? []
          : created.slice(0, maxListed).map((order) => ({ id: order.id, text: formatMailLine(order) })),
        more: Math.max(0, created.length - maxListed),
        url: `${context.appUrl}/dashboard/features/orders?${single ? `order=${single.id}` : `userId=${buyer.userId}`}`,
      }),
  };
}

const getItemName = ({ website, packageName, quantity }: Order) =>
  website || (quantity === 1 ? packageName : `${packageName} × ${quantity}`);
const formatMailLine = (order: Order) => `#${order.id} ${getItemName(order)}: ${money(order.chargedCents)}`;
const money = (cents: number) => formatMoney(cents, walletCurrency);
