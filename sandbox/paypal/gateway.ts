import { type KeyObject, X509Certificate } from 'node:crypto';
import type { SigningKey } from '@/sandbox/keys/records';
import { type GatewayContext, ProviderGateway } from '@/sandbox/provider/gateway';
import { notFound } from './errors';
import type { Alteration } from './money';
import type {
  CaptureRecord,
  DisputeRecord,
  OrderRecord,
  PayoutBatchRecord,
  PayoutItemRecord,
  RefundRecord,
} from './records';

/** The app's account at PayPal. */
export type PayPalAccount = { clientId: string; clientSecret: string; webhookId: string };

/** State shared by the PayPal port's API, approval page and controls. */
export class PayPalGateway extends ProviderGateway {
  /** @param account null rejects all credentials */
  constructor(
    gatewayContext: GatewayContext,
    readonly account: PayPalAccount | null,
    readonly key: SigningKey,
  ) {
    super('paypal', gatewayContext);
  }

  get state() {
    return this.store.state.paypal;
  }

  /** The public key of webhook signatures. */
  get publicKey(): KeyObject {
    return new X509Certificate(this.key.certificate).publicKey;
  }

  /** @throws PayPalError 404 */
  order(id: string): OrderRecord {
    const found = this.state.orders.find((order) => order.id === id);
    if (!found) throw notFound('order');
    return found;
  }

  /** @throws PayPalError 404 */
  findCapture(captureId: string): { order: OrderRecord; capture: CaptureRecord } {
    for (const order of this.state.orders) {
      if (order.capture?.id === captureId) return { order, capture: order.capture };
    }
    throw notFound('capture');
  }

  /** @throws PayPalError 404 */
  findRefund(refundId: string): { order: OrderRecord; capture: CaptureRecord; refund: RefundRecord } {
    for (const order of this.state.orders) {
      const refund = order.capture?.refunds.find((one) => one.id === refundId);
      if (refund && order.capture) return { order, capture: order.capture, refund };
    }
    throw notFound('refund');
  }

  /** @throws PayPalError 404 */
  findDispute(disputeId: string): { order: OrderRecord; dispute: DisputeRecord } {
    for (const order of this.state.orders) {
      if (order.dispute?.id === disputeId) return { order, dispute: order.dispute };
    }
    throw notFound('dispute');
  }

  /** @throws PayPalError 404 */
  findPayoutBatch(batchId: string): PayoutBatchRecord {
    const found = this.state.payoutBatches.find(({ id }) => id === batchId);
    if (!found) throw notFound('payout batch');
    return found;
  }

  /** @throws PayPalError 404 */
  findPayout(itemId: string): { batch: PayoutBatchRecord; item: PayoutItemRecord } {
    for (const batch of this.state.payoutBatches) {
      const item = batch.items.find(({ id }) => id === itemId);
      if (item) return { batch, item };
    }
    throw notFound('payout');
  }

  /** Returns the changes that the controls make to events. */
  alteration(): Alteration {
    const { alterAmount, alterCurrency } = this.controls;
    return {
      ...(alterAmount !== null && { amount: alterAmount }),
      ...(alterCurrency !== null && { currency: alterCurrency.toUpperCase() }),
    };
  }

  /** Returns the changes that the controls make to API responses. */
  apiAlteration(): Alteration {
    return this.controls.alterApi ? this.alteration() : {};
  }
}
