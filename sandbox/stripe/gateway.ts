import { type GatewayContext, ProviderGateway } from '@/sandbox/provider/gateway';
import { noSuch } from './errors';
import type { DisputeRecord, IntentRecord, RefundRecord, SessionRecord } from './records';
import type { Alteration } from './session-object';

/** State shared by the Stripe port's API, hosted page and controls. */
export class StripeGateway extends ProviderGateway {
  constructor(gatewayContext: GatewayContext) {
    super('stripe', gatewayContext);
  }

  get state() {
    return this.store.state.stripe;
  }

  /** @throws StripeError 404 */
  session(id: string): SessionRecord {
    const found = this.state.sessions.find((session) => session.id === id);
    if (!found) throw noSuch('checkout.session', id);
    return found;
  }

  /** @throws StripeError 404 */
  intent(id: string): IntentRecord {
    const found = this.state.intents.find((intent) => intent.id === id);
    if (!found) throw noSuch('payment_intent', id);
    return found;
  }

  /** Returns the payment intent of a charge. @throws StripeError 404 */
  charged(chargeId: string): IntentRecord {
    const found = this.state.intents.find((intent) => intent.chargeId === chargeId);
    if (!found) throw noSuch('charge', chargeId);
    return found;
  }

  /** @throws StripeError 404 */
  refund(id: string): { refund: RefundRecord; intent: IntentRecord } {
    for (const intent of this.state.intents) {
      const refund = intent.refunds.find((one) => one.id === id);
      if (refund) return { refund, intent };
    }
    throw noSuch('refund', id);
  }

  /** @throws StripeError 404 */
  dispute(id: string): { dispute: DisputeRecord; intent: IntentRecord } {
    for (const intent of this.state.intents) {
      if (intent.dispute?.id === id) return { dispute: intent.dispute, intent };
    }
    throw noSuch('dispute', id);
  }

  /** Returns the changes that the controls make to events. */
  alteration(): Alteration {
    const { alterAmount, alterCurrency, alterLivemode } = this.controls;
    return {
      ...(alterAmount !== null && { amountTotal: alterAmount }),
      ...(alterCurrency !== null && { currency: alterCurrency }),
      ...(alterLivemode !== null && { livemode: alterLivemode }),
    };
  }
}
