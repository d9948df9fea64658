import type { Delivery } from './records';
import type { WebhookQueue } from './webhook-queue';

/** An entry of the delivery log; times in ISO 8601. */
export type DeliveryEntry = ReturnType<typeof deliveryEntry>;

/** Combines a delivery with its event. */
export function deliveryEntry(webhookQueue: WebhookQueue, delivery: Delivery) {
  const event = webhookQueue.eventOf(delivery);
  return {
    id: delivery.id,
    event: event.id,
    provider: event.provider,
    type: event.type,
    subject: event.subjectId,
    reason: delivery.reason,
    signature: delivery.signature,
    state: delivery.state,
    created: new Date(delivery.createdAt).toISOString(),
    next_attempt: delivery.nextAttemptAt === null ? null : new Date(delivery.nextAttemptAt).toISOString(),
    attempts: delivery.attempts.map(({ at, durationMs, status, error }) => ({
      at: new Date(at).toISOString(),
      duration_ms: durationMs,
      status,
      error,
    })),
  };
}
