import type { StripeGateway } from './gateway';
import { isUndecided } from './outcomes';
import type { SessionRecord } from './records';
import { hostedUrl } from './session-object';

/** A session in `GET /sessions`; amounts in integer minor units, times in Unix seconds. */
export function summaryOf(gateway: StripeGateway, session: SessionRecord) {
  return {
    id: session.id,
    provider: 'stripe' as const,
    url: hostedUrl(session.id, gateway.origin),
    status: session.status,
    payment_status: session.paymentStatus,
    undecided: isUndecided(gateway, session),
    /** Webhooks that have not reached the app: held, waiting for a retry, lost or given up. */
    undelivered: gateway.postOffice.undelivered(session.id).length,
    amount_total: session.amountTotal,
    currency: session.currency,
    customer_email: session.customerEmail,
    client_reference_id: session.clientReferenceId,
    metadata: session.metadata,
    payment_intent: session.intentId,
    created: session.created,
    expires_at: session.expiresAt,
  };
}
