import { eq, sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import type { LinkRel } from '@/db/enums';
import { accounts } from '@/db/schema/accounts';
import type { RequestReason } from '@/db/schema/order-requests';
import type { orders } from '@/db/schema/orders';
import { lockAccount } from '@/lib/access/accounts';
import type { Actor } from '@/lib/access/actor';
import { requireMember } from '@/lib/accounts/require-member';
import { AppError } from '@/lib/errors';
import { InsufficientFunds } from '@/lib/orders/shortage';
import { checkRel, decideSpend, describeReason, type RefusalReason } from './decide-spend';
import { hasLimits, isMemberLimited, readSpendFacts, type Spender, type Wanted } from './facts';

/**
 * Decides whether an order may be paid. Call it in the transaction of the payment, after `lockAccount`.
 * @param isApproved limits do not apply to an order that was approved
 * @returns why it needs an approval; none if it does not
 * @throws InsufficientFunds, and AppError policy with the sites as fields
 */
export async function requireSpend(
  tx: Executor,
  spender: Spender,
  { isApproved, ...spend }: { totalCents: number; items: readonly Wanted[]; isApproved: boolean },
): Promise<RequestReason[]> {
  const decision = decideSpend({ ...(await readSpendFacts(tx, spender, spend)), isApproved });
  if (decision.decision === 'refused') throw toError(decision.reasons, spend.totalCents);
  return decision.decision === 'needs_approval' ? decision.reasons : [];
}

function toError(reasons: readonly RefusalReason[], totalCents: number): Error {
  const byPolicy = reasons.filter((reason) => reason.code === 'policy');
  const [first] = byPolicy;
  if (!first) return new InsufficientFunds(totalCents);
  const fields = new Map<string, string>();
  for (const { siteId, text } of byPolicy) {
    const field = siteId === null ? 'packageId' : String(siteId);
    fields.set(field, [fields.get(field), text].filter(Boolean).join(' '));
  }
  const others = fields.size - 1;
  const more = others === 0 ? '' : ` It refuses ${others} more ${others === 1 ? 'site' : 'sites'}.`;
  return new AppError('policy', `${first.text}${more} Nothing was ordered.`, { fields: Object.fromEntries(fields) });
}

/**
 * Requires that the changed brief of an order still asks for the `rel` of the policy.
 * @throws AppError policy
 */
export async function requireRel(
  tx: Executor,
  { accountId, siteId }: Pick<typeof orders.$inferSelect, 'accountId' | 'siteId'>,
  rel: LinkRel,
): Promise<void> {
  const [row] = await tx.select({ policy: accounts.policy }).from(accounts).where(eq(accounts.id, accountId));
  const [message] = checkRel({ siteId, rel, follow: true }, row?.policy.rel);
  if (message !== undefined) throw new AppError('policy', message, { fields: { rel: message } });
}

/** Thrown when a payment for an existing order is above a limit: it cannot wait for an approval. */
export class AboveLimit extends AppError {
  constructor(reasons: readonly string[]) {
    super('forbidden', `${reasons.join(' ')} Nothing was paid. Ask an owner of the account to change the limit.`);
  }
}

type PaidOrder = Pick<typeof orders.$inferSelect, 'accountId' | 'orderedBy' | 'projectId'>;

/**
 * Requires that a payment for an existing order, a paid change or a longer guarantee, is within the limits of the account.
 * It counts against the month of the member who ordered; a member with a monthly limit therefore pays for the own orders
 * only. Call it in the transaction of the payment; the account stays locked until its end.
 * @param actor the member who pays; null for a payment that was agreed to before
 * @throws AboveLimit
 */
export async function requireWithinLimits(
  tx: Executor,
  actor: Actor | null,
  { accountId, orderedBy, projectId }: PaidOrder,
  totalCents: number,
): Promise<void> {
  const spender = { accountId, memberId: orderedBy, projectId };
  // Statements of one Promise.all are sent together and executed in its order: `lockSpending` waits for the first one, or
  // the second one sees the new limit.
  const [, [found]] = await Promise.all([
    tx.select({ id: accounts.id }).from(accounts).where(eq(accounts.id, accountId)).for('key share'),
    tx
      .select({
        isLimited: hasLimits(spender),
        isPayerLimited: isMemberLimited({ accountId, memberId: actor?.userId ?? '' }),
      })
      .from(sql`(values (1)) as once`),
  ]);
  if (actor && actor.userId !== orderedBy && found?.isPayerLimited)
    throw new AboveLimit([
      'Another member placed this order, against whose limit it counts, and you have a monthly limit.',
    ]);
  if (!found?.isLimited) return;
  await lockAccount(tx, accountId);
  // The limit of who left meanwhile left as well.
  if (actor) await requireMember(tx, actor, accountId, 'account:orders');
  const facts = await readSpendFacts(tx, spender, { totalCents, items: [] });
  // The ledger refuses what the wallet does not cover.
  const decision = decideSpend({ ...facts, balanceCents: totalCents });
  if (decision.decision !== 'needs_approval') return;
  // The limit of another member and what that one spent are not the payer's to read.
  const describe = (reason: RequestReason) =>
    reason.code === 'member_limit' && actor?.userId !== orderedBy
      ? 'This is above the monthly limit of the member who placed the order.'
      : describeReason(reason);
  throw new AboveLimit(decision.reasons.map(describe));
}
