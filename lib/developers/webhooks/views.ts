import type { z } from 'zod';
import type { events } from '@/db/schema/events';
import type { webhookAttempts, webhookDeliveries, webhookEndpoints } from '@/db/schema/webhook-endpoints';
import { eventView } from './event-view';
import type { deliveryResponse, endpointResponse } from './schemas';

export type EndpointRow = typeof webhookEndpoints.$inferSelect & { ownerEmail: string; isOwnerEntitled: boolean };
export type DeliveryRow = typeof webhookDeliveries.$inferSelect & {
  event: typeof events.$inferSelect;
  log: (typeof webhookAttempts.$inferSelect)[];
};

export type EndpointView = z.output<typeof endpointResponse>;
export type DeliveryView = z.output<typeof deliveryResponse>;

/** Returns an endpoint without its secrets. */
export function endpointView(row: EndpointRow, now = new Date()): EndpointView {
  const { previousSecretUntil } = row;
  return {
    id: row.id,
    url: row.url,
    events: row.events,
    description: row.description,
    isEnabled: row.isEnabled,
    offReason: row.offReason,
    disabledAt: row.disabledAt?.toISOString() ?? null,
    failingSince: row.failingSince?.toISOString() ?? null,
    lastAttemptAt: row.lastAttemptAt?.toISOString() ?? null,
    lastStatus: row.lastStatus,
    lastError: row.lastError,
    previousSecretUntil:
      previousSecretUntil !== null && previousSecretUntil > now ? previousSecretUntil.toISOString() : null,
    createdAt: row.createdAt.toISOString(),
    ...(row.isInstallation && { ownerEmail: row.ownerEmail, isOwnerEntitled: row.isOwnerEntitled }),
  };
}

export const deliveryView = (row: DeliveryRow): DeliveryView => ({
  id: row.id,
  eventId: row.eventId,
  type: row.event.type,
  state: row.state,
  attempts: row.attempts,
  nextAttemptAt: row.nextAttemptAt?.toISOString() ?? null,
  lastStatus: row.lastStatus,
  lastError: row.lastError,
  createdAt: row.createdAt.toISOString(),
  finishedAt: row.finishedAt?.toISOString() ?? null,
  body: JSON.stringify(eventView(row.event)),
  log: row.log.map(({ at, url, requestHeaders, status, answer, error, durationMs }) => ({
    at: at.toISOString(),
    ...{ url, requestHeaders, status, answer, error, durationMs },
  })),
});
