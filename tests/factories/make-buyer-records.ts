import { asc, eq } from 'drizzle-orm';
import { vi } from 'vitest';
import { db } from '@/db/client';
import { invoices } from '@/db/schema/invoices';
import type { Actor } from '@/lib/access/actor';
import { distributeEvents } from '@/lib/developers/webhooks/deliver';
import { createEndpoint } from '@/lib/developers/webhooks/endpoints';
import { newId } from '@/lib/ids';
import { issueInvoices } from '@/lib/invoices/issue';
import { documentNumber } from '@/lib/invoices/numbers';
import { openCart } from '@/lib/orders/carts/queries';
import { createReportBody } from '@/lib/orders/client-reports/contract';
import { createReport } from '@/lib/orders/client-reports/reports';
import { createOrder } from '@/lib/orders/order/create';
import { createQuote } from '@/lib/orders/order/quotes';
import { requestRefund } from '@/lib/payments/reversals/source-refunds/request';
import { fundWallet } from './fund-wallet';
import { makeTransferRequest } from './make-bank-transfer';
import { makeDispute } from './make-dispute';
import { makeProject } from './make-project';
import { makeRequest } from './make-request';
import { makeSite } from './make-site';
import { makePaidTopup } from './make-source-refund';
import { makeTopup } from './make-topup';

/** A unique amount, so that a balance or a transaction is recognizable. */
export const spentCents = 1_234_567;
export const leftCents = 7_654_321;

/** The body of a client report. */
export const reportBody = {
  ...{ from: '2026-01-01', to: '2026-01-31', prices: 'none' },
  brand: { name: 'Agency', color: '#2563eb' },
};

/**
 * Creates a record of each kind that an account of a buyer can have, in the running app: an order of a seller's site for
 * `spentCents`, which leaves `leftCents` in the wallet.
 */
export async function makeBuyerRecords(buyer: Actor, seller: Actor) {
  const wallet = { userId: buyer.accountId };
  const paidCents = 10_000;
  await fundWallet(buyer.accountId, spentCents + leftCents - paidCents);
  const paidTopupId = await makePaidTopup(wallet, { amountCents: paidCents });
  const refundId = (await requestRefund(buyer, { topupId: paidTopupId, amountCents: 4_000, reason: '' })).id;
  const siteName = `Own ${newId()}`;
  const siteId = await makeSite(seller.userId, spentCents, { name: siteName, isFulfilledByStaff: false });
  const projectId = await makeProject(buyer);
  const cartId = (await openCart(buyer, projectId)).id;
  const { orders } = await createOrder(buyer, { kind: 'custom', projectId, siteIds: [siteId] });
  const orderId = orders[0]?.id ?? 0;
  const quoteId = (await createQuote(buyer, { kind: 'custom', projectId, siteIds: [siteId] })).id;
  const disputeId = (await makeDispute('delivered', { buyer, seller })).id;
  const hook = { url: 'https://hooks.example.com/own', events: ['order.created' as const], description: '' };
  const endpointId = (await createEndpoint(buyer, 'own', hook)).id;
  await distributeEvents();
  const requestId = (await makeRequest({ id: buyer.accountId, projectId }, buyer, [5_000])).id;
  const reportId = (await createReport(buyer, projectId, createReportBody.parse(reportBody))).id;
  // The app's own job may be issuing at this moment.
  const issue = async () => {
    await issueInvoices();
    const [row] = await db().select().from(invoices).where(eq(invoices.orderId, orderId)).orderBy(asc(invoices.id));
    if (!row) throw new Error('The invoice was not issued.');
    return documentNumber(row);
  };
  const invoice = await vi.waitFor(issue, { timeout: 20_000 });
  const { reference } = await makeTransferRequest(wallet);
  const topupId = newId();
  await makeTopup(wallet, {
    id: topupId,
    provider: 'wechat',
    mode: 'sandbox',
    amountCents: 1_000,
    chargeAmountMinor: 7_200,
    chargeCurrency: 'CNY',
    rateMicros: 7_200_000,
    payCode: `weixin://wxpay/bizpayurl?pr=${topupId}`,
  });
  return {
    ...{ siteId, siteName, projectId, cartId, orderId, quoteId, disputeId, endpointId, reportId, invoice },
    ...{ reference, topupId, paidTopupId, refundId, requestId },
  };
}
