import { z } from 'zod';
import type { Executor } from '@/db/client';
import type { PayoutMethodKind } from '@/db/schema/payouts';
import type { Actor } from '@/lib/access/actor';
import { ApprovalRequired, changeOrRequest, hasOtherDecider } from '@/lib/approvals/request';
import { formatUsd } from '@/lib/money';
import { computeChanges, recordAudit } from '@/lib/platform/audit/record';
import { versionField } from '@/lib/platform/http/fields';
import { parseSetting, readSettings, saveSetting } from '@/lib/settings/settings';
import { bankDetails, lastFourOf } from './methods/contract';

const settingKey = 'payout-rules';

const amountText = 'Enter an amount in USD, e.g. 50.';
const cents = (max: number, message: string) => z.int(amountText).min(0, amountText).max(max, message);
const fee = cents(100_000, 'Enter at most $1,000.00.');

/** The rules of payouts. Amounts in USD cents. */
const rules = z.object({
  /** The smallest amount of a request. */
  minimumCents: cents(10_000_000, 'Enter at most $100,000.00.'),
  /** The fee of a payout by the kind of its method, which the seller pays. */
  feeCents: z.object({ bank: fee, paypal: fee, agreement: fee } satisfies Record<PayoutMethodKind, z.ZodType>),
  /** A seller's payouts of 24 hours above this amount need the approval of two persons (limits.ts). */
  approvalLimitCents: cents(100_000_000, 'Enter at most $1,000,000.00.'),
  /** The account that bank files are paid from; null until it is entered. */
  payer: bankDetails.nullable(),
});
export type PayoutRules = z.output<typeof rules>;

/** The rules of an installation that never changed them. */
const defaultRules: PayoutRules = {
  minimumCents: 5_000,
  feeCents: { bank: 0, paypal: 0, agreement: 0 },
  approvalLimitCents: 100_000,
  payer: null,
};

/** A rule that a later version added has its default. */
const stored = z
  .record(z.string(), z.unknown())
  .transform((saved) => ({ ...defaultRules, ...saved }))
  .pipe(rules);

export const payoutRulesInput = rules.extend({ version: versionField });

/** Reads the rules, and the version for an edit. */
export async function getPayoutRules(tx?: Executor): Promise<{ rules: PayoutRules; version: number }> {
  const { value, version } = parseSetting(await readSettings(tx), settingKey, stored, defaultRules);
  return { rules: value, version };
}

/**
 * Saves the rules. A higher limit for the approval by one person and another account of the payer need the approval
 * of a second person with ManagePayouts, if there is one.
 * @returns the pending request, or null when the rules were saved
 * @throws AppError conflict for a stale `version`
 */
export async function savePayoutRules(actor: Actor, { version, ...after }: z.output<typeof payoutRulesInput>) {
  return changeOrRequest(actor, async (tx) => {
    const { rules: before } = await getPayoutRules(tx);
    const summary = describeRisk(before, after);
    if (summary !== null && (await hasOtherDecider(tx, actor.userId, { kind: 'payout_rules' }))) {
      throw new ApprovalRequired({
        kind: 'payout_rules',
        subject: settingKey,
        payload: { rules: after, version },
        summary,
      });
    }
    await storeRules(tx, actor, after, version);
  });
}

/** Describes what of a change needs a second person: a higher limit, or another account of the payer; null for nothing. */
function describeRisk(before: PayoutRules, after: PayoutRules): string | null {
  const risks = [
    after.approvalLimitCents > before.approvalLimitCents
      ? `Raise the limit for payouts approved by one person from ${formatUsd(before.approvalLimitCents)} to ${formatUsd(after.approvalLimitCents)}.`
      : '',
    before.payer && JSON.stringify(before.payer) !== JSON.stringify(after.payer)
      ? `Pay bank files from another account: ${describePayer(before.payer)} → ${describePayer(after.payer)}.`
      : '',
  ].filter(Boolean);
  return risks.length > 0 ? risks.join(' ') : null;
}

/** Stores rules in the transaction of their approval. @throws AppError conflict for a stale `version` */
export const saveApprovedPayoutRules = (
  tx: Executor,
  actor: Actor,
  approved: { rules: Record<string, unknown>; version: number },
): Promise<void> => storeRules(tx, actor, rules.parse(approved.rules), approved.version);

async function storeRules(tx: Executor, actor: Actor, after: PayoutRules, version: number): Promise<void> {
  const { rules: before } = await getPayoutRules(tx);
  const changes = computeChanges(toFacts(before), toFacts(after));
  await saveSetting(tx, actor, { key: settingKey, value: after, version, name: 'The rules of payouts' });
  await recordAudit(tx, actor, {
    action: 'payout_rules.set',
    details: `The rules of payouts were saved; changed: ${changes.fields.join(', ') || 'none'}.`,
    entityType: 'setting',
    entityId: settingKey,
    before: changes.before,
    after: changes.after,
  });
}

/** Returns the holder and the last four characters of the account. */
const describePayer = (payer: PayoutRules['payer']) => (payer ? `${payer.holder} •••• ${lastFourOf(payer)}` : 'none');

/** Returns the rules as the audit log stores them: without the account number. */
const toFacts = ({ payer, feeCents: { bank, paypal, agreement }, ...rest }: PayoutRules) => ({
  ...rest,
  bankFeeCents: bank,
  paypalFeeCents: paypal,
  agreementFeeCents: agreement,
  payer: [describePayer(payer), ...(payer ? [...payer.addressLines, payer.postalCode, payer.town, payer.country] : [])]
    .filter(Boolean)
    .join(', '),
});
