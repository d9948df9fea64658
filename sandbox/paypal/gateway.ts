import { type KeyObject, X509Certificate } from 'node:crypto';
import type { SigningKey } from '../keys/records';
import { ProviderGateway, type Surroundings } from '../provider/gateway';
import { notFound } from './errors';
import type { Alteration } from './money';
import type { CaptureRecord, DisputeRecord, OrderRecord, RefundRecord } from './records';

/** The app's account at PayPal. */
export type PayPalAccount = { clientId: string; clientSecret: string; webhookId: string };

/** All that the PayPal port shares between its API, its approval page and its controls. */
export class PayPalGateway extends ProviderGateway {
  /** @param account null refuses every credential */
  constructor(
    surroundings: Surroundings,
    readonly account: PayPalAccount | null,
    readonly key: SigningKey,
  ) {
    super('paypal', surroundings);
  }

  get state() {
    return this.store.state.paypal;
  }

  /** What webhooks are verified with. */
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
  captured(captureId: string): { order: OrderRecord; capture: CaptureRecord } {
    for (const order of this.state.orders) {
      if (order.capture?.id === captureId) return { order, capture: order.capture };
    }
    throw notFound('capture');
  }

  /** @throws PayPalError 404 */
  refunded(refundId: string): { order: OrderRecord; capture: CaptureRecord; refund: RefundRecord } {
    for (const order of this.state.orders) {
      const refund = order.capture?.refunds.find((one) => one.id === refundId);
      if (refund && order.capture) return { order, capture: order.capture, refund };
    }
    throw notFound('refund');
  }

  /** @throws PayPalError 404 */
  disputed(disputeId: string): { order: OrderRecord; dispute: DisputeRecord } {
    for (const order of this.state.orders) {
      if (order.dispute?.id === disputeId) return { order, dispute: order.dispute };
    }
    throw notFound('dispute');
  }

  /** What the controls falsify in an event. */
  alteration(): Alteration {
    const { alterAmount, alterCurrency } = this.controls;
    return {
      ...(alterAmount !== null && { amount: alterAmount }),
      ...(alterCurrency !== null && { currency: alterCurrency.toUpperCase() }),
    };
  }

  /** What they falsify in answers too. */
  falsified(): Alteration {
    return this.controls.alterApi ? this.alteration() : {};
  }
}
