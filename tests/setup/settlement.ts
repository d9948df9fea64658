import { eq, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db } from '@/db/client';
import type { AccountKind } from '@/db/schema/ledger';
import { type PaymentProviderName, topups } from '@/db/schema/topups';
import { settleStatements } from '@/lib/payments/settlement/settle-statements';

const balances = z.array(z.object({ currency: z.string(), minor: z.coerce.number() }));

/** The ledger's balances of a provider's account by currency, without zeros. Money withdrawn from it is negative. */
export async function ledgerBalances(
  kind: Extract<AccountKind, 'clearing' | 'bank' | 'fees' | 'exchange' | 'pass_through'>,
  provider: PaymentProviderName,
): Promise<Record<string, number>> {
  const rows = await db().execute(sql`
    select a.currency, sum(case when t.to_account = a.id then t.amount_cents else -t.amount_cents end) as minor
    from ledger.accounts a join ledger.transfers t on a.id in (t.from_account, t.to_account)
    where a.kind = ${kind} and a.owner = ${provider} group by a.currency order by a.currency`);
  const found = balances.parse(rows).filter(({ minor }) => minor !== 0);
  return Object.fromEntries(found.map(({ currency, minor }) => [currency, minor]));
}

/**
 * Makes all unbooked settlement lines due, and WeChat Pay's bills of the last days. Leaves out lines that a running job
 * has locked, which it takes in its own order.
 */
export async function makeSettlementDue(): Promise<void> {
  await db().execute(sql`
    update public.settlement_lines set next_check_at = now()
    where id in (select id from public.settlement_lines where outcome <> 'booked' for update skip locked)`);
  await db().execute(sql`
    update public.settlement_positions set read_until = now() - interval '6 days', window_from = null, lease_until = null
    where provider = 'wechat'`);
}

/** Runs the job three times, which books all movements of the providers. */
export async function settleAll(): Promise<void> {
  for (let round = 0; round < 3; round += 1) {
    await makeSettlementDue();
    await settleStatements(inAMoment());
  }
}

/** Stripe and PayPal have a resolution of one second; this time includes the current second. */
export const inAMoment = (): Date => new Date(Date.now() + 2_000);

/**
 * Moves a top-up into the past. WeChat Pay's days are in the past in tests, and a payout must not precede the first
 * top-up.
 */
export async function makeOlder(topupId: string): Promise<void> {
  await db().update(topups).set({ createdAt: sql`now() - interval '5 days'` }).where(eq(topups.id, topupId));
}
