import { sql } from 'drizzle-orm';
import { bigint, index, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { createdAt, idColumn, minorUnits } from '@/db/columns';

/** The texts of an entry that searches cover, as the index `audit_logs_search_idx` holds them. */
export const auditSearchText = sql`lower(audit_logs.details || E'\\n' || audit_logs."user")`;

/** The day of an entry in UTC, as the index `audit_logs_day_idx` holds it. */
export const auditLogDay = sql`((audit_logs."timestamp" at time zone 'UTC')::date)`;

/** Who did what, when, to which record. Append-only: the database refuses updates and deletions. */
export const auditLogs = pgTable(
  'audit_logs',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    /** The action, e.g. order.created. */
    action: text().notNull(),
    /** One sentence for human readers. */
    details: text().notNull(),
    /** Null for actions of the system. The name is a copy, so that it outlives the account. */
    userId: text(),
    user: text().notNull(),
    role: text().notNull(),
    /** USD cents that the action moved, if any. */
    amountCents: minorUnits(),
    /** The origin: web, api, webhook, job, or script. */
    source: text().notNull(),
    entityType: text().notNull(),
    entityId: text().notNull(),
    before: jsonb().$type<Record<string, unknown>>(),
    after: jsonb().$type<Record<string, unknown>>(),
    ip: text().notNull().default(''),
    requestId: text().notNull().default(''),
    /** Authenticates the row with a key of SECRET_KEYS (lib/platform/audit/keys.ts). */
    mac: text().notNull(),
    timestamp: createdAt(),
  },
  (table) => [
    index('audit_logs_entity_idx').on(table.entityType, table.entityId, table.id),
    // Any combination of the filters is a few ranges of these two, each in the order of ids (lib/audit/queries.ts).
    index('audit_logs_kind_idx').on(table.action, table.entityType, table.source, table.id),
    index('audit_logs_user_kind_idx').on(table.userId, table.action, table.entityType, table.source, table.id),
    index('audit_logs_day_idx').on(sql`${auditLogDay}`, table.id),
    index('audit_logs_search_idx')
      .using('gin', sql`(${auditSearchText}) gin_trgm_ops`)
      .with({ gin_pending_list_limit: 512 }),
  ],
);

/**
 * The hash chain over the audit log: each seal's hash covers its row's content and the previous hash, so that a changed,
 * removed or inserted row breaks the chain (docs/internals/audit.md). Written by the sealing job; the database refuses
 * changes.
 */
export const auditSeals = pgTable('audit_seals', {
  /** 1, 2, 3… without gaps, in the order of sealing. */
  position: bigint({ mode: 'number' }).primaryKey(),
  auditId: bigint({ mode: 'number' }).notNull().unique(),
  /** HMAC-SHA256 in lower-case hex, by `keyId`. */
  hash: text().notNull(),
  keyId: text().notNull(),
  sealedAt: createdAt(),
});

/**
 * Results of verifying the chain. Signed, so that a database administrator without SECRET_KEYS cannot mark entries as
 * verified; the database refuses changes.
 */
export const chainProofs = pgTable('chain_proofs', {
  id: idColumn(),
  ranAt: createdAt(),
  /** JSON, as lib/audit/chain-proofs.ts writes it. */
  statement: text().notNull(),
  /** Authenticates the statement with a key of SECRET_KEYS. */
  mac: text().notNull(),
});

/** The queue of audit rows to seal. A trigger inserts each with its row; the sealing job deletes it. */
export const auditUnsealed = pgTable('audit_unsealed', {
  auditId: bigint({ mode: 'number' }).primaryKey(),
});
