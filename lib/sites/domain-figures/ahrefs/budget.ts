import { z } from 'zod';
import { db, type Executor } from '@/db/client';
import type { Actor } from '@/lib/access/actor';
import { recordAudit } from '@/lib/platform/audit/record';
import { versionField } from '@/lib/platform/http/fields';
import { parseSetting, readSettings, saveSetting } from '@/lib/settings/settings';

const settingKey = 'domain-ratings';

/** What one run a minute over all instances can send in a day. */
export const maxRequestsPerDay = 50_000;
const message = `Enter a whole number from 0 to ${maxRequestsPerDay.toLocaleString('en-US')}.`;

/** The requests to Ahrefs in a day, in UTC; 0 sends none. */
const budget = z.object({ requestsPerDay: z.int(message).min(0, message).max(maxRequestsPerDay, message) });

export const ratingBudgetInput = budget.extend({ version: versionField });

/** Reads the budget, and the version for an edit. */
export async function readRatingBudget(executor?: Executor): Promise<{ requestsPerDay: number; version: number }> {
  const { value, version } = parseSetting(await readSettings(executor), settingKey, budget, {
    requestsPerDay: 1_000,
  });
  return { ...value, version };
}

/**
 * Saves the budget, which holds from the next request on.
 * @throws AppError conflict for a stale `version`
 */
export async function saveRatingBudget(
  actor: Actor,
  { requestsPerDay, version }: z.output<typeof ratingBudgetInput>,
): Promise<void> {
  await db().transaction(async (tx) => {
    const before = await readRatingBudget(tx);
    await saveSetting(tx, actor, { key: settingKey, value: { requestsPerDay }, version, name: 'The daily budget' });
    await recordAudit(tx, actor, {
      action: 'domain_ratings.budget_set',
      details: `Ahrefs is asked for at most ${requestsPerDay} domain ratings a day, previously ${before.requestsPerDay}.`,
      entityType: 'setting',
      entityId: settingKey,
      before: { requestsPerDay: before.requestsPerDay },
      after: { requestsPerDay },
    });
  });
}
