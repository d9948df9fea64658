import type { PostOffice } from './post-office';
import type { Delivery } from './records';

/** A line of the delivery log; times in ISO 8601. */
export type DeliveryEntry = ReturnType<typeof deliveryEntry>;

/** A delivery together with what it carries. */
export function deliveryEntry(postOffice: PostOffice, delivery: Delivery) {
  const event = postOffice.eventOf(delivery);
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
