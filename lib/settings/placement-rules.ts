import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { db, type Executor } from '@/db/client';
import { settings } from '@/db/schema/settings';
import type { Actor } from '@/lib/access/actor';
import { computeChanges, recordAudit } from '@/lib/platform/audit/record';
import { versionField } from '@/lib/platform/http/fields';
import { parseSetting, readSettings, type SettingRows, saveSetting } from './settings';

const settingKey = 'placement-rules';

const wholeNumber = (min: number, max: number) => {
  const message = `Enter a whole number from ${min} to ${max}.`;
  return z.int(message).min(min, message).max(max, message);
};

/** The days that the turnaround and the days after it count: all, or from Monday to Friday in UTC. */
const dayKinds = ['calendar', 'business'] as const;
export type DayKind = (typeof dayKinds)[number];

/** The clocks and limits of placements. */
const rules = z.object({
  /** Hours in which the seller answers an offer. */
  answerHours: wholeNumber(1, 720),
  /** Hours before the end of that time at which the seller is reminded. */
  answerReminderHours: wholeNumber(0, 720),
  /** The days of the turnaround and of the grace after it. */
  dayKind: z.enum(dayKinds, 'Choose calendar or business days.'),
  /** Days after the site's turnaround at which a delivery is due. */
  deliveryGraceDays: wholeNumber(0, 90),
  /** Days before a delivery is due at which the seller is reminded. */
  deliveryReminderDays: wholeNumber(0, 90),
  /** Days after a delivery was due at which the placement is canceled. */
  lateCancelDays: wholeNumber(1, 365),
  /** Days in which the buyer answers a delivery; then it is approved. */
  approveDays: wholeNumber(1, 90),
  /** Changes that the buyer can request for one order. */
  maxRevisions: wholeNumber(0, 20),
  /** Days without an answer after which a proposal in a dispute is accepted. */
  silenceDays: wholeNumber(1, 90),
  /** Minutes after which the mail about an unread message is sent. */
  unreadMailMinutes: wholeNumber(1, 1440),
  /** The percentage of the seller's share that is payable at the approval. */
  approvalPercent: wholeNumber(0, 100),
  /** Days after the approval in which the link must stand, and over which the rest becomes payable. */
  guaranteeDays: wholeNumber(0, 730),
  /** Days in which a seller repairs a link that was confirmed broken. */
  repairDays: wholeNumber(1, 90),
  /** Checks of pages on one host in an hour, over all orders. */
  checksPerHostHour: wholeNumber(1, 1000),
});
export type PlacementRules = z.output<typeof rules>;

/** The rules of an installation that never changed them. */
export const defaultRules: PlacementRules = {
  answerHours: 72,
  answerReminderHours: 24,
  dayKind: 'calendar',
  deliveryGraceDays: 2,
  deliveryReminderDays: 1,
  lateCancelDays: 14,
  approveDays: 7,
  maxRevisions: 3,
  silenceDays: 3,
  unreadMailMinutes: 10,
  approvalPercent: 40,
  guaranteeDays: 90,
  repairDays: 7,
  checksPerHostHour: 30,
};

/** A rule that a later version added has its default. */
const stored = z
  .record(z.string(), z.unknown())
  .transform((saved) => ({ ...defaultRules, ...saved }))
  .pipe(rules);

export const placementRulesInput = rules.extend({ version: versionField });

/** Reads the rules, and the version for an edit. */
export async function readPlacementRules(tx?: Executor): Promise<{ rules: PlacementRules; version: number }> {
  const { value, version } = parseSetting(await readSettings(tx), settingKey, stored, defaultRules);
  return { rules: value, version };
}

/** Returns the rules from settings that were already read. */
export const parsePlacementRules = (rows: SettingRows): PlacementRules =>
  parseSetting(rows, settingKey, stored, defaultRules).value;

/** Reads the rules. @param tx the transaction to read in */
export const getPlacementRules = async (tx?: Executor): Promise<PlacementRules> => (await readPlacementRules(tx)).rules;

/** The number of changes that a buyer can request, as SQL: lists read it in their statement. */
export const maxRevisionsInSql = sql<number>`coalesce(
  (select (${settings.value} ->> 'maxRevisions')::int from ${settings} where ${settings.key} = ${settingKey}),
  ${defaultRules.maxRevisions})`.mapWith(Number);

/**
 * Saves the rules. Dates that are already set stay; reminders and late cancellations follow the new rules.
 * @throws AppError conflict for a stale `version`
 */
export async function savePlacementRules(
  actor: Actor,
  { version, ...after }: z.output<typeof placementRulesInput>,
): Promise<void> {
  await db().transaction(async (tx) => {
    const changes = computeChanges(await getPlacementRules(tx), after);
    await saveSetting(tx, actor, { key: settingKey, value: after, version, name: 'The rules of placements' });
    await recordAudit(tx, actor, {
      action: 'placement_rules.set',
      details: `The rules of placements were saved; changed: ${changes.fields.join(', ') || 'none'}.`,
      entityType: 'setting',
      entityId: settingKey,
      before: changes.before,
      after: changes.after,
    });
  });
}
