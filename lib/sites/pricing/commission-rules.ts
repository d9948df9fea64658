import { eq, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db, type Executor } from '@/db/client';
import { auditLogs } from '@/db/schema/audit';
import { commissionRules } from '@/db/schema/sites';
import { users } from '@/db/schema/users';
import type { Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { newId } from '@/lib/ids';
import { toDecimalString } from '@/lib/money';
import { recordAudit } from '@/lib/platform/audit/record';
import { requireVersion } from '@/lib/platform/optimistic-lock';
import { requireOwner } from '@/lib/sites/create';
import { nicheKey } from '@/lib/taxonomy/contract';
import { type CommissionRule, compareRules, describeMargin } from './price-by-rule';
import type { commissionRuleInput, deleteCommissionRuleInput, editCommissionRuleInput } from './schemas';

/** Every approval reads all rules. */
const maxRules = 500;

type CommissionRuleInput = z.output<typeof commissionRuleInput>;

/** Lists all rules with the name of their seller, those that prevail first. */
export async function listCommissionRules() {
  const rows = await db()
    .select({ rule: commissionRules, sellerName: users.name, sellerEmail: users.email })
    .from(commissionRules)
    .leftJoin(users, eq(users.id, commissionRules.sellerId));
  return rows
    .sort((one, other) => compareRules(one.rule, other.rule))
    .map(({ rule, sellerName, sellerEmail }) => {
      const { id, version, sellerId, niche, currency, marginBasisPoints, minimumCents } = rule;
      const seller = sellerName || sellerEmail;
      return {
        ...{ id, version, sellerId, seller, niche, currency, marginBasisPoints, minimumCents },
        name: describeScope({ seller, niche, currency }),
        margin: String(marginBasisPoints / 100),
        minimum: toDecimalString(minimumCents),
      };
    });
}
export type CommissionRuleView = Awaited<ReturnType<typeof listCommissionRules>>[number];

/** Describes which sites a rule is for: "Ann, Casino, EUR", or "All sites" for the default. */
export const describeScope = ({ seller, niche, currency }: Record<'seller' | 'niche' | 'currency', string | null>) =>
  [seller, niche, currency].filter(Boolean).join(', ') || 'All sites';

/** Lists the newest changes of rules, from the audit log. */
export const listRuleChanges = (limit = 20) =>
  db()
    .select({ id: auditLogs.id, at: auditLogs.timestamp, by: auditLogs.user, details: auditLogs.details })
    .from(auditLogs)
    .where(eq(auditLogs.entityType, 'commission_rule'))
    // An expression, so that the index of the entity is read and not the whole log from its end.
    .orderBy(sql`${auditLogs.id} + 0 desc`)
    .limit(limit);

/**
 * Creates a rule. Prices that were set before, and orders, do not change.
 * @throws AppError conflict for a rule with the same seller, niche and currency
 */
export async function createCommissionRule(actor: Actor, input: CommissionRuleInput): Promise<void> {
  await savingRule(
    db().transaction(async (tx) => {
      if ((await tx.$count(commissionRules)) >= maxRules)
        throw new AppError('conflict', `There are ${maxRules} rules. Delete one before you add another.`);
      const seller = await findSeller(tx, input.sellerId);
      const values = { id: newId(), ...toColumns(input) };
      const [rule] = await tx.insert(commissionRules).values(values).returning();
      if (rule) await recordChange(tx, actor, 'created', seller, null, rule);
    }),
  );
}

/**
 * Changes a rule. Prices that were set before, and orders, do not change.
 * @throws AppError not_found, conflict for a stale `version` or a rule with the same seller, niche and currency
 */
export async function updateCommissionRule(
  actor: Actor,
  { id, version, ...input }: z.output<typeof editCommissionRuleInput>,
): Promise<void> {
  await savingRule(
    db().transaction(async (tx) => {
      const before = await lockRule(tx, id, version);
      const seller = await findSeller(tx, input.sellerId);
      const values = { ...toColumns(input), version: before.version + 1 };
      const [after] = await tx.update(commissionRules).set(values).where(eq(commissionRules.id, id)).returning();
      if (after) await recordChange(tx, actor, 'changed', seller, before, after);
    }),
  );
}

/** Deletes a rule. @throws AppError not_found, conflict for a stale `version` */
export async function deleteCommissionRule(
  actor: Actor,
  { id, version }: z.output<typeof deleteCommissionRuleInput>,
): Promise<void> {
  await db().transaction(async (tx) => {
    const before = await lockRule(tx, id, version);
    await tx.delete(commissionRules).where(eq(commissionRules.id, id));
    await recordChange(tx, actor, 'deleted', await findName(tx, before.sellerId), before, null);
  });
}

const toColumns = ({ sellerId, niche, currency, margin, minimum }: CommissionRuleInput) => ({
  ...{ sellerId, niche, nicheKey: niche === null ? null : nicheKey(niche), currency },
  ...{ marginBasisPoints: margin, minimumCents: minimum },
});

async function lockRule(tx: Executor, id: string, version: number): Promise<CommissionRule> {
  const [rule] = await tx.select().from(commissionRules).where(eq(commissionRules.id, id)).for('update');
  if (!rule) throw new AppError('not_found', 'This rule was deleted in the meantime.');
  requireVersion(rule, version, 'The rule');
  return rule;
}

async function findName(tx: Executor, sellerId: string | null): Promise<string | null> {
  if (sellerId === null) return null;
  const [user] = await tx.select({ email: users.email }).from(users).where(eq(users.id, sellerId));
  return user?.email ?? sellerId;
}

/** Returns the email of a rule's seller, who must exist. @throws AppError invalid_input */
async function findSeller(tx: Executor, sellerId: string | null): Promise<string | null> {
  if (sellerId !== null) await requireOwner(tx, sellerId, 'sellerId');
  return findName(tx, sellerId);
}

async function recordChange(
  tx: Executor,
  actor: Actor,
  verb: 'created' | 'changed' | 'deleted',
  seller: string | null,
  before: CommissionRule | null,
  after: CommissionRule | null,
): Promise<void> {
  const rule = after ?? before;
  if (!rule) return;
  const margins = [before, after].flatMap((one) => (one ? [describeMargin(one)] : []));
  await recordAudit(tx, actor, {
    action: `commission_rule.${verb}`,
    details: `The commission rule for ${describeScope({ seller, ...rule })} was ${verb}: ${[...new Set(margins)].join(' → ')}.`,
    entityType: 'commission_rule',
    entityId: rule.id,
    ...(before && { before: toFacts(before) }),
    ...(after && { after: toFacts(after) }),
  });
}

const toFacts = ({ sellerId, niche, currency, marginBasisPoints, minimumCents }: CommissionRule) => ({
  ...{ sellerId, niche, currency, marginBasisPoints, minimumCents },
});

const duplicateError = z.object({ cause: z.object({ constraint_name: z.literal('commission_rules_scope_key') }) });

/** Turns a violation of the unique index into an error for the form. */
function savingRule(saving: Promise<void>): Promise<void> {
  return saving.catch((thrown: unknown) => {
    if (!duplicateError.safeParse(thrown).success) throw thrown;
    throw new AppError('conflict', 'There is a rule for this seller, niche and currency. Change that one.');
  });
}
