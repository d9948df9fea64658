import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { providerNames } from '@/lib/payments/providers/names';

/** A row of a wallet: a transfer from the wallet's side, or a pending top-up. */
export const transactionRow = z.object({
  id: z.string(),
  userId: z.string(),
  type: z.enum(['credit', 'debit']),
  /** Integer USD cents, never negative; `type` gives the direction. */
  amountCents: z.coerce.number().int(),
  status: z.enum(['Completed', 'Pending']),
  method: z.string(),
  note: z.string(),
  /** ISO 8601 in UTC. */
  createdAt: z.string(),
  orderId: z.number().int().nullable(),
  topupId: z.string().nullable(),
  /** The provider's mode unless it was live; then no real money moved. */
  mode: z.string().nullable(),
});

/** The columns of `transactionRow`, except the user, from a CTE `lines l`. */
export const transactionColumns = sql`
  l.id, l.type, l.amount_cents as "amountCents", l.status, l.method, l.note, l.order_id as "orderId",
  l.topup_id as "topupId", l.mode,
  to_char(l.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "createdAt"`;

/**
 * The eight searchable fields of a row of the CTE `lines l`, as the user sees them: the amount as "$1,234.50" and as
 * "1234.50", the date as in the table and as in the API.
 */
export const transactionTexts = sql`
  l.id, l.type, l.status, l.method, l.note,
  to_char(l.amount_cents / 100.0, 'FM$999,999,999,999,990.00'), to_char(l.amount_cents / 100.0, 'FM999999999999990.00'),
  to_char(l.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS'),
  to_char(l.created_at at time zone 'UTC', 'FMMon FMDD, YYYY')`;

/**
 * Condition that the text is a case-insensitive substring of one of the fields. The line feed prevents a match across
 * two fields.
 */
export const containsText = (text: string, texts: typeof transactionTexts) =>
  sql`position(lower(${text}) in lower(concat_ws(E'\n', ${texts}))) > 0`;

/** The method of a pending top-up: the provider's display name. */
export const topupMethod = sql`case provider ${sql.join(
  Object.entries(providerNames).map(([name, label]) => sql`when ${name} then ${label}`),
  sql` `,
)} end`;
