import type { orders } from '@/db/schema/orders';
import {
  reservedAccount,
  revenueAccount,
  sellerPendingAccount,
  type Transfer,
  walletAccount,
} from '@/lib/ledger/post-transfer';
import { toTransfers } from '@/lib/orders/placements/transfers';
import type { Change } from './contract';

type Order = Pick<typeof orders.$inferSelect, 'id' | 'accountId' | 'website'>;
type Moved = Pick<Change, 'id' | 'sellerId' | 'sellerCents' | 'marginCents'>;

/** Creates the transfer that reserves the price of an accepted change. @param actorId null for the system */
export const createChargeTransfers = (order: Order, change: Moved, actorId: string | null): Transfer[] =>
  toTransfers(order, { actorId }, [
    {
      key: `change:${change.id}`,
      kind: 'order',
      from: walletAccount(order.accountId),
      to: reservedAccount,
      amountCents: change.sellerCents + change.marginCents,
      note: 'Paid change of order',
    },
  ]);

/** Creates the transfers of an approved change: the seller's share and the margin. */
export const createEarningTransfers = (order: Order, change: Moved, actorId: string | null): Transfer[] =>
  toTransfers(order, { actorId }, [
    {
      key: `change:${change.id}:seller`,
      kind: 'earning',
      from: reservedAccount,
      to: sellerPendingAccount(change.sellerId),
      amountCents: change.sellerCents,
      note: 'Earned: change of order',
    },
    {
      key: `change:${change.id}:margin`,
      kind: 'margin',
      from: reservedAccount,
      to: revenueAccount,
      amountCents: change.marginCents,
      note: 'Margin: change of order',
    },
  ]);

/** Creates the transfer that returns the price of a charged change to the buyer. */
export const createChangeReturn = (order: Order, change: Moved, actorId: string | null): Transfer[] =>
  toTransfers(order, { actorId }, [
    {
      key: `change:${change.id}:refund`,
      kind: 'order_refund',
      from: reservedAccount,
      to: walletAccount(order.accountId),
      amountCents: change.sellerCents + change.marginCents,
      note: 'Refund of the paid change of order',
    },
  ]);
