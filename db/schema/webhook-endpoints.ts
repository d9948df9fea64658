import { sql } from 'drizzle-orm';
import { boolean, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { createdAt, idColumn, timestamptz, updatedAt, version } from '@/db/columns';
import { accounts } from './accounts';
import { events } from './events';
import { users } from './users';

/** Why an endpoint is off: its owner turned it off, it failed for days, or it answered 410 Gone. */
export const endpointOffReasons = ['owner', 'failing', 'gone'] as const;
export type EndpointOffReason = (typeof endpointOffReasons)[number];

/** What receives: an endpoint for webhooks, or a chat of a person, which gets the notices of the bell as texts. */
export const endpointChannels = ['webhook', 'slack', 'telegram'] as const;
export type EndpointChannel = (typeof endpointChannels)[number];

/** Where events are sent: an address of a person, or of the installation. */
export const webhookEndpoints = pgTable(
  'webhook_endpoints',
  {
    id: idColumn(),
    /** The account whose events are sent; for the installation, the person who saved the endpoint last. */
    ownerId: text()
      .notNull()
      .references(() => accounts.id),
    /** For a team, the member who saved the endpoint last: nothing is sent after that one lost the right to it. */
    savedBy: text().references(() => users.id),
    /** Whether it receives the installation's events instead of the owner's. */
    isInstallation: boolean().notNull().default(false),
    channel: text({ enum: endpointChannels }).notNull().default('webhook'),
    /** Of a chat without what identifies it. */
    url: text().notNull(),
    /** The event types that are sent. */
    events: text().array().notNull(),
    description: text().notNull().default(''),
    /**
     * The signing secret, Slack's whole address, or the number of Telegram's chat, encrypted with SECRET_KEYS and bound
     * to the row (lib/developers/webhooks/secrets.ts).
     */
    sealedSecret: text().notNull(),
    /** The secret before the last rotation, which also signs until `previousSecretUntil`. */
    sealedPreviousSecret: text(),
    previousSecretUntil: timestamptz(),
    isEnabled: boolean().notNull().default(true),
    offReason: text({ enum: endpointOffReasons }),
    disabledAt: timestamptz(),
    /** The first failed attempt since the last success, and the number of failed attempts since then. */
    failingSince: timestamptz(),
    failures: integer().notNull().default(0),
    /** No worker sends to it before: another worker has it until then. */
    leasedUntil: timestamptz().notNull().defaultNow(),
    /** After an attempt without an answer, the job sends nothing before this time. */
    pausedUntil: timestamptz().notNull().defaultNow(),
    /** Whether the last attempt had no answer, or took long: few workers serve such endpoints. */
    isSlow: boolean().notNull().default(false),
    lastAttemptAt: timestamptz(),
    /** The status of the last answer; null without an answer. */
    lastStatus: integer(),
    /** Why the last attempt failed; empty after a success. */
    lastError: text().notNull().default(''),
    version: version(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    index('webhook_endpoints_owner_idx').on(table.ownerId, table.id),
    uniqueIndex('webhook_endpoints_chat_key').on(table.ownerId, table.channel).where(sql`channel <> 'webhook'`),
    index('webhook_endpoints_installation_idx').on(table.id).where(sql`is_installation`),
    index('webhook_endpoints_turn_idx').on(table.leasedUntil).where(sql`is_enabled`),
  ],
);

export const deliveryStates = ['pending', 'delivered', 'failed', 'canceled'] as const;

/** One event for one endpoint. A replay opens the same row again, so that the endpoint knows it by its id. */
export const webhookDeliveries = pgTable(
  'webhook_deliveries',
  {
    id: idColumn(),
    endpointId: text()
      .notNull()
      .references(() => webhookEndpoints.id, { onDelete: 'cascade' }),
    eventId: text()
      .notNull()
      .references(() => events.id, { onDelete: 'cascade' }),
    state: text({ enum: deliveryStates }).notNull().default('pending'),
    attempts: integer().notNull().default(0),
    /** The failed attempts since it was created or opened again; they determine the next pause. */
    retries: integer().notNull().default(0),
    /** When it is due; null once it is finished. */
    nextAttemptAt: timestamptz().defaultNow(),
    /** No attempt follows after this time. */
    giveUpAt: timestamptz().notNull(),
    /** The status of the last answer, and why the last attempt failed. */
    lastStatus: integer(),
    lastError: text().notNull().default(''),
    finishedAt: timestamptz(),
    createdAt: createdAt(),
  },
  (table) => [
    uniqueIndex('webhook_deliveries_event_key').on(table.endpointId, table.eventId),
    index('webhook_deliveries_event_idx').on(table.eventId),
    index('webhook_deliveries_endpoint_idx').on(table.endpointId, table.id),
    index('webhook_deliveries_due_idx')
      .on(table.endpointId, table.nextAttemptAt)
      .where(sql`next_attempt_at is not null`),
    index('webhook_deliveries_give_up_idx').on(table.giveUpAt).where(sql`next_attempt_at is not null`),
  ],
);

/** The log of attempts. The body of the request is that of the event. */
export const webhookAttempts = pgTable(
  'webhook_attempts',
  {
    id: idColumn(),
    deliveryId: text()
      .notNull()
      .references(() => webhookDeliveries.id, { onDelete: 'cascade' }),
    /** The address at the time of the attempt. */
    url: text().notNull(),
    requestHeaders: jsonb().$type<Record<string, string>>().notNull(),
    /** Null without an answer. */
    status: integer(),
    /** The beginning of the answer's body. */
    answer: text().notNull().default(''),
    /** Why it failed; empty for a success. */
    error: text().notNull().default(''),
    durationMs: integer().notNull(),
    at: createdAt(),
  },
  (table) => [index('webhook_attempts_delivery_idx').on(table.deliveryId, table.id)],
);
