import { sql } from 'drizzle-orm';
import { check, date, index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { createdAt, idColumn, minorUnits, timestamptz, updatedAt } from '@/db/columns';
import { accounts } from './accounts';
import { orders } from './orders';
import { projects } from './projects';
import { brandLogos } from './settings';

/** `none`: no prices. `markup`: what the buyer paid and a percentage. `fixed`: one amount a link. */
export const reportPrices = ['none', 'markup', 'fixed'] as const;
export type ReportPrices = (typeof reportPrices)[number];

/** What a report and a monthly mail have in common: the prices, the password, and the look of the agency. */
const options = () => ({
  projectId: text()
    .notNull()
    .references(() => projects.id),
  accountId: text()
    .notNull()
    .references(() => accounts.id),
  prices: text({ enum: reportPrices }).notNull(),
  /** With the prices `markup`, in percent. */
  markupPercent: integer(),
  /** With the prices `fixed`, in USD cents. */
  fixedCents: minorUnits(),
  /** argon2id in PHC string format; null without a password. */
  passwordHash: text(),
  brandName: text().notNull(),
  /** #rrggbb. */
  brandColor: text().notNull(),
  /** SHA-256 of the logo; null without one. */
  brandLogoId: text().references(() => brandLogos.id),
});

/**
 * Reports that buyers share with their clients. The token of a report is derived from its id with SECRET_KEYS
 * (lib/orders/client-reports/token.ts), so that a copy of the database opens none. A restore empties the table, because a
 * backup has reports that were revoked after it.
 */
export const clientReports = pgTable(
  'client_reports',
  {
    id: idColumn(),
    ...options(),
    /** The first and the last day of the period, in UTC. */
    fromDay: date({ mode: 'string' }).notNull(),
    toDay: date({ mode: 'string' }).notNull(),
    expiresAt: timestamptz(),
    createdAt: createdAt(),
    revokedAt: timestamptz(),
  },
  (table) => [
    index('client_reports_project_idx').on(table.projectId, table.createdAt),
    index('client_reports_account_idx').on(table.accountId, table.createdAt),
    check('client_reports_period', sql`${table.fromDay} <= ${table.toDay}`),
  ],
);

/** The monthly report of a project, which is mailed to clients of its buyer. */
export const clientReportMails = pgTable(
  'client_report_mails',
  {
    ...options(),
    projectId: text()
      .primaryKey()
      .references(() => projects.id),
    recipients: jsonb().$type<string[]>().notNull(),
    /** Addresses whose owners turned the mail off: the buyer cannot add them again, in any project. */
    stopped: jsonb().$type<string[]>().notNull().default([]),
    /** When the next report is created and mailed; null while the mail is off. */
    dueAt: timestamptz(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    index('client_report_mails_due_idx').on(table.dueAt).where(sql`due_at is not null`),
    index('client_report_mails_account_idx').on(table.accountId),
  ],
);

/** What a buyer adds to an order for the reports of its project. */
export const clientReportNotes = pgTable('client_report_notes', {
  orderId: integer()
    .primaryKey()
    .references(() => orders.id),
  /** The number or name by which the buyer's client knows the link. */
  reference: text().notNull().default(''),
  note: text().notNull().default(''),
  updatedAt: updatedAt(),
});
