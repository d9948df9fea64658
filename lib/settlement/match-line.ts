import { eq, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Executor } from '../../db/client';
import { settlementLines } from '../../db/schema/settlement';

type Line = typeof settlementLines.$inferSelect;

const found = z.array(z.object({ id: z.string() }));

/**
 * The top-up that a line belongs to: the one that the payment names, else the one with this payment, refund or dispute,
 * else that of another line about the same object. Stores it.
 * @returns null for a payment of another shop at the same account, and for the account's own lines
 */
export async function matchLine(tx: Executor, line: Line): Promise<string | null> {
  if (line.topupId !== null) return line.topupId;
  const { provider, mode, namedTopupId: named, paymentReference: payment } = line;
  const objects = sql.join(
    [payment, line.source].filter((name) => name !== null && name !== '').map((name) => sql`${name}`),
    sql`, `,
  );
  const [match] = found.parse(
    await tx.execute(sql`
      with objects as (select unnest(array[${objects}]::text[]) as name)
      (select id from public.topups where id = ${named}::text and provider = ${provider} and mode = ${mode})
      union all
      (select id from public.topups
        where provider = ${provider} and mode = ${mode} and payment_reference in (select name from objects) limit 1)
      union all
      (select topup_id from public.payment_reversals
        where provider = ${provider} and mode = ${mode}
          and (reference in (select name from objects) or payment_reference in (select name from objects)) limit 1)
      union all
      (select topup_id from public.settlement_lines
        where provider = ${provider} and mode = ${mode} and topup_id is not null
          and (source in (select name from objects) or payment_reference in (select name from objects)) limit 1)
      limit 1`),
  );
  if (!match) return null;
  await tx.update(settlementLines).set({ topupId: match.id }).where(eq(settlementLines.id, line.id));
  return match.id;
}
