import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { providerNames } from '../payments/providers/names';

/** A line of a wallet as it is read: a transfer from the wallet's own side, or a top-up still pending. */
export const transactionRow = z.object({
  id: z.string(),
  userId: z.string(),
  type: z.enum(['credit', 'debit']),
  /** Integer USD cents, never negative; `type` says which way. */
  amountCents: z.coerce.number().int(),
  status: z.enum(['Completed', 'Pending']),
  method: z.string(),
  note: z.string(),
  /** ISO 8601 in UTC. */
  createdAt: z.string(),
  orderId: z.number().int().nullable(),
  topupId: z.string().nullable(),
  /** The provider's mode where it was not live: no real money. */
  mode: z.string().nullable(),
});

/** The fields of `transactionRow`, but for whose wallet it is, of a CTE `lines l`. */
export const transactionColumns = sql`
  l.id, l.type, l.amount_cents as "amountCents", l.status, l.method, l.note, l.order_id as "orderId",
  l.topup_id as "topupId", l.mode,
  to_char(l.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "createdAt"`;

/**
 * The 8 fields of spec 001, "Wallet screen details", of a CTE `lines l` as a person may know them: the amount as
 * "$1,234.50" and as "1234.50", the date as in the table and as in the API.
 */
export const transactionTexts = sql`
  l.id, l.type, l.status, l.method, l.note,
  to_char(l.amount_cents / 100.0, 'FM$999,999,999,999,990.00'), to_char(l.amount_cents / 100.0, 'FM999999999999990.00'),
  to_char(l.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS'),
  to_char(l.created_at at time zone 'UTC', 'FMMon FMDD, YYYY')`;

/** Whether a text occurs in one of these, in any case. A line feed keeps a search from matching across two of them. */
export const occursIn = (text: string, texts: typeof transactionTexts) =>
  sql`position(lower(${text}) in lower(concat_ws(E'\n', ${texts}))) > 0`;

/** The method of a pending top-up: the provider as people know it. */
export const topupMethod = sql`case provider ${sql.join(
  Object.entries(providerNames).map(([name, label]) => sql`when ${name} then ${label}`),
  sql` `,
)} end`;
