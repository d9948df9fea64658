import { z } from 'zod';
import type { events } from '@/db/schema/events';
import {
  deliveryStates,
  endpointOffReasons,
  type webhookAttempts,
  type webhookDeliveries,
  type webhookEndpoints,
} from '@/db/schema/webhook-endpoints';
import { isEventType, subscribableTypes, testEventType } from '@/lib/events/types';
import { judgeUrl, maxUrlLength, type Refusal } from '@/lib/links/address-rules';
import { removeFormatCharacters } from '@/lib/network/visible-text';
import { choiceParam, idCursorField, integerParam, lineField } from '@/lib/platform/http/fields';

const refusals: Partial<Record<Refusal, string>> = {
  credentials: 'Enter an address without a user name and password.',
  port: 'Enter an address on port 443.',
  local_name: 'Enter a public address. This one belongs to a private network.',
  private_address: 'Enter a public address. This one belongs to a private network.',
  too_long: `Enter at most ${maxUrlLength} characters.`,
};
const urlText = 'Enter an address that begins with https://.';

/** The address is judged by its text here, and with the addresses of its name at each delivery. */
const endpointUrl = z
  .string(urlText)
  .overwrite(removeFormatCharacters)
  .trim()
  .min(1, urlText)
  .transform((text, context) => {
    const judged = judgeUrl(text);
    const isJudged = typeof judged !== 'string';
    if (isJudged && judged.url.protocol === 'https:') return judged.url.href;
    context.addIssue({ code: 'custom', message: (isJudged ? undefined : refusals[judged]) ?? urlText });
    return z.NEVER;
  })
  .describe('An https address that the internet can reach.');

const typesText = 'Select at least one event.';
const eventList = z
  .array(z.enum(subscribableTypes, 'Select events of the list.'), typesText)
  .min(1, typesText)
  .max(subscribableTypes.length)
  .transform((types) => subscribableTypes.filter((type) => types.includes(type)))
  .describe('The event types to send.');
const description = lineField(200, 'Enter at most 200 characters.');

/** The body of POST /api/webhooks. */
export const createEndpointBody = z.object({
  url: endpointUrl,
  events: eventList,
  description: description.default(''),
});
export type CreateEndpointInput = z.output<typeof createEndpointBody>;

/** The body of PATCH /api/webhooks/{id}; omitted fields stay. */
export const updateEndpointBody = z.object({
  url: endpointUrl.optional(),
  events: eventList.optional(),
  description: description.optional(),
  isEnabled: z.boolean().optional().describe('Turns the endpoint on or off.'),
});
export type UpdateEndpointInput = z.output<typeof updateEndpointBody>;

const id = z.string().trim().min(1).max(64);
export const endpointParams = z.object({ id });
export const deliveryParams = endpointParams.extend({ deliveryId: id });

/** The body of POST /api/webhooks/{id}/deliveries. */
export const replayBody = z.object({ eventId: id.describe('An event of GET /api/events.') });

export const deliveriesQuery = z.object({
  state: choiceParam(deliveryStates).optional(),
  limit: integerParam(1, 100).default(20),
  cursor: idCursorField,
});

export const eventsQuery = z.object({
  after: id.optional().describe('The id of the last event that was read; without it, the list begins 30 days ago.'),
  type: z.string().refine(isEventType, 'Use a type of the reference.').optional(),
  limit: integerParam(1, 100).default(100),
});

const eventType = z.enum([...subscribableTypes, testEventType]);

/** An endpoint. The secret is part of the answers that create it, and of no other. */
export const endpointResponse = z
  .object({
    id: z.string(),
    url: z.string(),
    events: z.array(z.string()),
    description: z.string(),
    isEnabled: z.boolean(),
    offReason: z.enum(endpointOffReasons).nullable().describe('Why it is off; null while it is on.'),
    disabledAt: z.iso.datetime().nullable(),
    failingSince: z.iso.datetime().nullable().describe('The first failed attempt since the last success.'),
    lastAttemptAt: z.iso.datetime().nullable(),
    lastStatus: z.int().nullable().describe('The status of the last answer; null without an answer.'),
    lastError: z.string().describe('Why the last attempt failed; empty after a success.'),
    previousSecretUntil: z.iso.datetime().nullable().describe('Until when the previous secret also signs.'),
    createdAt: z.iso.datetime(),
    ownerEmail: z.string().optional().describe('For the installation and for teams: who saved the endpoint last.'),
    isOwnerEntitled: z
      .boolean()
      .optional()
      .describe('For the installation and for teams: whether that person may still receive all its events.'),
  })
  .meta({ title: 'WebhookEndpoint' });

const secretField = {
  secret: z.string().describe('The signing secret, `whsec_…`. It is shown once.'),
};
export const newEndpointResponse = endpointResponse.extend(secretField).meta({ title: 'NewWebhookEndpoint' });
export const rotatedResponse = z.object({ ...secretField, previousSecretUntil: z.iso.datetime() });

/** A delivery, with the log of its attempts. */
export const deliveryResponse = z
  .object({
    id: z.string(),
    eventId: z.string(),
    type: z.string(),
    state: z.enum(deliveryStates),
    attempts: z.int(),
    nextAttemptAt: z.iso.datetime().nullable().describe('Null once it is finished.'),
    lastStatus: z.int().nullable(),
    lastError: z.string(),
    createdAt: z.iso.datetime(),
    finishedAt: z.iso.datetime().nullable(),
    body: z.string().describe('The body of the request.'),
    log: z
      .array(
        z.object({
          at: z.iso.datetime(),
          url: z.string(),
          requestHeaders: z.record(z.string(), z.string()),
          status: z.int().nullable(),
          answer: z.string().describe("The beginning of the answer's body."),
          error: z.string(),
          durationMs: z.int(),
        }),
      )
      .describe('The newest attempts, newest first.'),
  })
  .meta({ title: 'WebhookDelivery' });

export const eventResponse = z
  .object({
    id: z.string().describe('The `webhook-id` of its deliveries.'),
    type: eventType,
    timestamp: z.iso.datetime(),
    data: z.record(z.string(), z.unknown()).describe("The type's data; see the document's `webhooks`."),
  })
  .meta({ title: 'Event' });

type EventRow = Pick<typeof events.$inferSelect, 'id' | 'type' | 'createdAt' | 'data'>;

/** Returns an event as webhooks and GET /api/events send it. The data was limited to its audience when it was recorded. */
export const eventView = ({ id, type, createdAt, data }: EventRow) => ({
  id,
  type,
  timestamp: createdAt.toISOString(),
  data,
});

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
    ...((row.isInstallation || row.savedBy !== null) && {
      ownerEmail: row.ownerEmail,
      isOwnerEntitled: row.isOwnerEntitled,
    }),
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
