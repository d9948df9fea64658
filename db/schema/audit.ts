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
    timestamp: createdAt(),
  },
  (table) => [
    index('audit_logs_entity_idx').on(table.entityType, table.entityId, table.id),
    index('audit_logs_user_idx').on(table.userId, table.id),
    index('audit_logs_action_idx').on(table.action, table.id),
  ],
);
