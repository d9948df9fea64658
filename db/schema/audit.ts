import { bigint, index, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { createdAt, minorUnits } from '../columns';

/** Who did what, when, to what. Rows are only ever added: the database refuses the rest. */
export const auditLogs = pgTable(
  'audit_logs',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    /** A verb of the domain, e.g. order.created. */
    action: text().notNull(),
    /** One sentence a person reads. */
    details: text().notNull(),
    /** Null for what the system did by itself. The name is a copy, so that it outlives the account. */
    userId: text(),
    user: text().notNull(),
    role: text().notNull(),
    /** USD cents moved by it, if any. */
    amountCents: minorUnits(),
    /** Where it came from: web, api, webhook, job, or a script. */
    source: text().notNull(),
    entityType: text().notNull(),
    entityId: text().notNull(),
    before: jsonb().$type<Record<string, unknown>>(),
    after: jsonb().$type<Record<string, unknown>>(),
    ip: text().notNull().default(''),
    requestId: text().notNull().default(''),
    /** Authenticates the row with a key of SECRET_KEYS (lib/platform/audit/keys.ts). Null in rows of a version before. */
    mac: text(),
    timestamp: createdAt(),
  },
  (table) => [
    index('audit_logs_entity_idx').on(table.entityType, table.entityId, table.id),
    index('audit_logs_user_idx').on(table.userId, table.id),
    index('audit_logs_action_idx').on(table.action, table.id),
  ],
);

/**
 * The chain over the audit log: each seal's hash covers its row's content and the hash before it, so that a row that is
 * changed, taken out or put between others breaks the chain (docs/audit.md). Written by the sealing job; the database
 * refuses changes.
 */
export const auditSeals = pgTable('audit_seals', {
  /** 1, 2, 3… without a gap, in the order of sealing. */
  position: bigint({ mode: 'number' }).primaryKey(),
  auditId: bigint({ mode: 'number' }).notNull().unique(),
  /** HMAC-SHA256 in lower-case hex, by `keyId`. Without one: SHA-256, of a version before. */
  hash: text().notNull(),
  keyId: text(),
  sealedAt: createdAt(),
});

/** Rows of the audit log that wait for their seal. A trigger writes them with the row itself; the sealing job empties it. */
export const auditUnsealed = pgTable('audit_unsealed', {
  auditId: bigint({ mode: 'number' }).primaryKey(),
});
