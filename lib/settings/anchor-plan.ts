import { z } from 'zod';
import { db, type Executor } from '@/db/client';
import { anchorKinds } from '@/db/enums';
import type { AnchorPlan } from '@/db/schema/anchor-plans';
import type { Actor } from '@/lib/access/actor';
import { computeChanges, recordAudit } from '@/lib/platform/audit/record';
import { versionField } from '@/lib/platform/http/fields';
import { parseSetting, readSettings, saveSetting } from './settings';

const settingKey = 'anchor-plan';

const message = 'Enter a whole number from 0 to 100.';
const percent = z.int(message).min(0, message).max(100, message);

const sumOf = (plan: AnchorPlan) => anchorKinds.reduce((sum, kind) => sum + plan[kind], 0);

/** The shares of a plan, which add up to 100 percent. */
export const anchorPlanField = z
  .object(
    {
      ...{ brand: percent, address: percent, generic: percent, partial: percent },
      ...{ exact: percent, image: percent, none: percent },
    },
    'Enter the plan as an object with a percentage for each kind.',
  )
  .superRefine((plan, context) => {
    const sum = sumOf(plan);
    if (sum === 100) return;
    context.addIssue({ code: 'custom', message: `The percentages add up to ${sum}. They must add up to 100.` });
  });

/** The plan of an installation that never changed it. */
export const defaultAnchorPlan: AnchorPlan = {
  ...{ brand: 45, address: 20, generic: 15, partial: 12 },
  ...{ exact: 5, image: 3, none: 0 },
};

export const defaultAnchorPlanInput = z.object({ plan: anchorPlanField, version: versionField });

/** Reads the plan of projects that have none of their own, and the version for an edit. */
export async function readDefaultAnchorPlan(tx?: Executor): Promise<{ plan: AnchorPlan; version: number }> {
  const { value, version } = parseSetting(await readSettings(tx), settingKey, anchorPlanField, defaultAnchorPlan);
  return { plan: value, version };
}

/**
 * Saves the plan of projects that have none of their own.
 * @throws AppError conflict for a stale `version`
 */
export async function saveDefaultAnchorPlan(
  actor: Actor,
  { plan, version }: z.output<typeof defaultAnchorPlanInput>,
): Promise<void> {
  await db().transaction(async (tx) => {
    const changes = computeChanges((await readDefaultAnchorPlan(tx)).plan, plan);
    await saveSetting(tx, actor, { key: settingKey, value: plan, version, name: 'The anchor plan' });
    await recordAudit(tx, actor, {
      action: 'anchor_plan.default_set',
      details: `The anchor plan of projects without their own was saved; changed: ${changes.fields.join(', ') || 'none'}.`,
      entityType: 'setting',
      entityId: settingKey,
      before: changes.before,
      after: changes.after,
    });
  });
}
