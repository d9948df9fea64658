import { parseCreateParams } from './create-params';
import type { StripeGateway } from './gateway';
import { newStripeId } from './ids';
import type { SessionRecord } from './records';

const defaultLifeSeconds = 24 * 60 * 60;
const maxSessions = 500;
/** For clients that send no version. */
const fallbackVersion = '2026-10-28.endive';

/** Creates an open session from the form of checkout.sessions.create. @throws StripeError 400 */
export function createSession(gateway: StripeGateway, body: string, apiVersion: string | undefined): SessionRecord {
  const created = Math.floor(Date.now() / 1_000);
  const params = parseCreateParams(body, created);
  const items = params.line_items.map(({ quantity, price_data: price }) => ({
    name: price.product_data.name,
    description: price.product_data.description ?? null,
    unitAmount: price.unit_amount,
    quantity,
  }));
  const session: SessionRecord = {
    id: newStripeId.session(),
    created,
    expiresAt: params.expires_at ?? created + defaultLifeSeconds,
    status: 'open',
    paymentStatus: 'unpaid',
    amountTotal: items.reduce((sum, item) => sum + item.unitAmount * item.quantity, 0),
    currency: params.line_items[0]?.price_data.currency ?? '',
    items,
    successUrl: params.success_url,
    cancelUrl: params.cancel_url ?? null,
    clientReferenceId: params.client_reference_id ?? null,
    customerEmail: params.customer_email ?? null,
    adaptivePricing: params.adaptive_pricing?.enabled ?? true,
    metadata: params.metadata ?? {},
    intentMetadata: params.payment_intent_data?.metadata ?? {},
    intentDescription: params.payment_intent_data?.description ?? null,
    intentId: null,
    apiVersion: apiVersion ?? fallbackVersion,
  };
  gateway.state.sessions.push(session);
  evictOldest(gateway);
  return session;
}

function evictOldest(gateway: StripeGateway): void {
  const { sessions } = gateway.state;
  if (sessions.length <= maxSessions) return;
  const gone = new Set(sessions.splice(0, sessions.length - maxSessions).map((session) => session.id));
  gateway.state.intents = gateway.state.intents.filter((intent) => !gone.has(intent.sessionId));
}
