import { type BuyerStatus, buyerStatus } from '../orders/buyer-status';
import { listOrders } from '../orders/queries';
import { listWalletTransactions } from '../wallet/queries';

/** Spec 001, section 9: up to 5 of each are read, the newest 6 are shown. */
const readOfEach = 5;

/** One line of a buyer's recent activity. Amounts are USD cents. */
export type BuyerEvent = { id: string; at: Date; amountCents: number } & (
  | { kind: 'order'; number: number; what: string; status: BuyerStatus }
  | { kind: 'transaction'; type: 'credit' | 'debit'; note: string; method: string; isPending: boolean }
);

export async function getLatestOrders(userId: string): Promise<BuyerEvent[]> {
  const { rows } = await listOrders({ userId }, { limit: readOfEach, offset: 0 });
  return rows.map((order) => ({
    kind: 'order',
    id: `order ${order.id}`,
    at: order.createdAt,
    amountCents: order.chargedCents,
    number: order.id,
    what: order.website || order.packageName,
    status: buyerStatus(order.status),
  }));
}

export async function getLatestTransactions(userId: string): Promise<BuyerEvent[]> {
  const { rows } = await listWalletTransactions(userId, { limit: readOfEach });
  return rows.map((line) => ({
    kind: 'transaction',
    id: line.id,
    at: new Date(line.createdAt),
    amountCents: line.amountCents,
    type: line.type,
    note: line.note,
    method: line.method,
    isPending: line.status === 'Pending',
  }));
}
