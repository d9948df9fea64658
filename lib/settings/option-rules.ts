import { z } from 'zod';
import { db, type Executor } from '@/db/client';
import { type OptionKind, optionKinds } from '@/db/schema/site-options';
import type { Actor } from '@/lib/access/actor';
import { computeChanges, recordAudit } from '@/lib/platform/audit/record';
import { versionField } from '@/lib/platform/http/fields';
import { parseSetting, readSettings, saveSetting } from './settings';

const settingKey = 'option-rules';

const wholeNumber = (min: number, max: number) => {
  const message = `Enter a whole number from ${min.toLocaleString('en-US')} to ${max.toLocaleString('en-US')}.`;
  return z.int(message).min(min, message).max(max, message);
};

const marginMessage = 'Use a percentage from 0 to 1,000 with at most two decimals, or leave it empty.';

/** The limits of the options of listings, apart from their kinds. */
const limits = {
  /** Guarantees that a listing can offer. */
  maxGuarantees: wholeNumber(1, 10),
  maxGuaranteeDays: wholeNumber(1, 3_650),
  maxHomepageDays: wholeNumber(1, 365),
  /** The highest surcharge in percent of the price of the placement. */
  maxPercent: wholeNumber(1, 1_000),
  /** The highest surcharge as an amount, in minor units of the listing's currency. */
  maxCents: wholeNumber(1, 100_000_000),
  /** The highest price of 100 words, in minor units of the listing's currency. */
  maxCentsPer100Words: wholeNumber(1, 10_000_000),
  /** A shorter article that the publisher writes is charged as one of this length. */
  minWords: wholeNumber(0, 10_000),
  /** The price of a paid change in percent of the order, for a listing that does not set its own. */
  changePercent: wholeNumber(0, 100),
};

const kindRule = z.object({
  isOffered: z.boolean('Choose whether sellers can offer it.'),
  /** The platform's margin on the seller's price in hundredths of a percent; null applies that of the listing's price. */
  marginBasisPoints: z.int(marginMessage).min(0, marginMessage).max(100_000, marginMessage).nullable(),
});

const rules = z.object({
  kinds: z.object({
    guarantee: kindRule,
    topic: kindRule,
    writing: kindRule,
    homepage: kindRule,
    change: kindRule,
  } satisfies Record<OptionKind, typeof kindRule>),
  ...limits,
});
export type OptionRules = z.output<typeof rules>;

const offered = { isOffered: true, marginBasisPoints: null };

/** The rules of an installation that never changed them. */
export const defaultOptionRules: OptionRules = {
  kinds: { guarantee: offered, topic: offered, writing: offered, homepage: offered, change: offered },
  maxGuarantees: 3,
  maxGuaranteeDays: 1_825,
  maxHomepageDays: 365,
  maxPercent: 300,
  maxCents: 1_000_000,
  maxCentsPer100Words: 10_000,
  minWords: 300,
  changePercent: 25,
};

/** A rule that a later version added has its default. */
const stored = z
  .record(z.string(), z.unknown())
  .transform((saved) => ({ ...defaultOptionRules, ...saved }))
  .pipe(rules);

export const optionRulesInput = rules.extend({ version: versionField });

/** Reads the rules of options, and the version for an edit. */
export async function readOptionRules(tx?: Executor): Promise<{ rules: OptionRules; version: number }> {
  const { value, version } = parseSetting(await readSettings(tx), settingKey, stored, defaultOptionRules);
  return { rules: value, version };
}

/** Reads the rules of options. @param tx the transaction to read in */
export const getOptionRules = async (tx?: Executor): Promise<OptionRules> => (await readOptionRules(tx)).rules;

/**
 * Saves the rules of options. Options of listings beyond new limits stay until their seller saves them again; a kind that
 * is not offered is no longer sold.
 * @throws AppError conflict for a stale `version`
 */
export async function saveOptionRules(
  actor: Actor,
  { version, ...after }: z.output<typeof optionRulesInput>,
): Promise<void> {
  await db().transaction(async (tx) => {
    const changes = computeChanges(flatten(await getOptionRules(tx)), flatten(after));
    await saveSetting(tx, actor, { key: settingKey, value: after, version, name: 'The rules of options' });
    await recordAudit(tx, actor, {
      action: 'option_rules.set',
      details: `The rules of options were saved; changed: ${changes.fields.join(', ') || 'none'}.`,
      entityType: 'setting',
      entityId: settingKey,
      before: changes.before,
      after: changes.after,
    });
  });
}

/** Lists each rule of a kind as a field of its own, for the audit log. */
const flatten = ({ kinds, ...others }: OptionRules): Record<string, unknown> => ({
  ...others,
  ...Object.fromEntries(
    optionKinds.flatMap((kind) => [
      [`${kind}.isOffered`, kinds[kind].isOffered],
      [`${kind}.marginBasisPoints`, kinds[kind].marginBasisPoints],
    ]),
  ),
});
