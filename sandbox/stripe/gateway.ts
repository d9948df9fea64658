import type { PostOffice } from '../deliveries/post-office';
import type { StateStore } from '../state';
import { defaultControls, type StripeControls } from './controls';
import { noSuch } from './errors';
import type { IntentRecord, SessionRecord } from './records';
import type { Alteration } from './session-object';

/** All that the Stripe port shares between its API, its hosted page and its controls. */
export class StripeGateway {
  /** Not kept over a restart: a fault that a test left behind should not puzzle the next run. */
  controls: StripeControls = defaultControls();

  constructor(
    readonly store: StateStore,
    readonly postOffice: PostOffice,
    /** Origin of the Stripe port. */
    readonly origin: string,
    /** Origin of inbox and controls, where an undecided payment is settled. */
    readonly deskOrigin: string,
  ) {}

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

  /** What the controls falsify in an event. */
  alteration(): Alteration {
    const { alterAmount, alterCurrency, alterLivemode } = this.controls;
    return {
      ...(alterAmount !== null && { amountTotal: alterAmount }),
      ...(alterCurrency !== null && { currency: alterCurrency }),
      ...(alterLivemode !== null && { livemode: alterLivemode }),
    };
  }
}
