import { z } from 'zod';
import { type OptionKind, optionKinds, optionTopics, type siteOptions } from '@/db/schema/site-options';
import { currencies } from '@/lib/money';
import type { OptionRules } from '@/lib/settings/option-rules';
import { kindNames, nameOption } from './names';

/** The maximum number of options in a request: more than a listing can have. */
const maxOptions = 50;

const daysMessage = 'Enter the number of days.';
const percentMessage = 'Enter a whole number of percent.';
const amountMessage = 'Enter an amount.';

/** An option as its seller sends it. The limits are the operator's (`checkOptions`). */
const optionInput = z.object({
  kind: z.enum(optionKinds, { error: `Choose one of ${optionKinds.join(', ')}.` }),
  days: z
    .int(daysMessage)
    .min(1, daysMessage)
    .nullish()
    .describe('For `guarantee`, the days that the link is guaranteed; for `homepage`, the days of the mention.'),
  topic: z
    .enum(optionTopics, { error: `Choose one of ${optionTopics.join(', ')}.` })
    .nullish()
    .describe('For `topic`.'),
  isRefused: z.boolean('Send true or false.').nullish().describe('For `topic`: the site does not accept it.'),
  surchargeCents: z
    .int(amountMessage)
    .min(0, amountMessage)
    .nullish()
    .describe("In minor units of the listing's currency; for `writing`, the price of 100 words."),
  surchargePercent: z
    .int(percentMessage)
    .min(0, percentMessage)
    .nullish()
    .describe('Instead of `surchargeCents`: in percent of the price of the placement. Not for `writing`.'),
  minimumCents: z
    .int(amountMessage)
    .min(0, amountMessage)
    .nullish()
    .describe('For `writing`: the least that an article costs, in minor units. Default: 0.'),
});
type OptionInput = z.output<typeof optionInput>;

/** The body of PUT /api/seller/sites/{id}/options: the whole list. */
export const saveOptionsBody = z.object({
  options: z.array(optionInput, 'Enter the list of options.').max(maxOptions, `Enter at most ${maxOptions} options.`),
});
export type SaveOptionsInput = z.output<typeof saveOptionsBody>;

const ownOptionResponse = z
  .object({
    id: z.string(),
    kind: z.enum(optionKinds),
    days: z.int().optional(),
    topic: z.enum(optionTopics).optional(),
    isRefused: z.literal(true).optional().describe('Present if the site does not accept the topic.'),
    surchargeCents: z.int().optional().describe("The seller's price in minor units of `currency`."),
    surchargePercent: z.int().optional().describe('In percent of the price of the placement.'),
    minimumCents: z.int().optional(),
  })
  .meta({ title: 'OwnSiteOption' });

/** The response of GET and PUT /api/seller/sites/{id}/options. */
export const siteOptionsResponse = z
  .object({ currency: z.enum(currencies), options: z.array(ownOptionResponse) })
  .meta({ title: 'SiteOptions' });
export type SiteOptionsView = z.output<typeof siteOptionsResponse>;

export type SiteOptionRow = typeof siteOptions.$inferSelect;
/** The values of an option that its seller sets. */
export type OptionValues = Omit<SiteOptionRow, 'id' | 'siteId' | 'createdAt' | 'updatedAt'>;

/** Returns what an option is, without its prices. */
export const optionView = ({ id, kind, days, topic, isRefused }: SiteOptionRow) => ({
  ...{ id, kind },
  ...(days !== null && { days }),
  ...(topic !== null && { topic }),
  ...(isRefused && { isRefused: true as const }),
});

/** Returns an option in the seller's prices. */
export function ownOptionView(row: SiteOptionRow): SiteOptionsView['options'][number] {
  const { sellerCents, percent, minimumCents } = row;
  return {
    ...optionView(row),
    ...(sellerCents !== null && { surchargeCents: sellerCents }),
    ...(percent !== null && { surchargePercent: percent }),
    ...(minimumCents !== null && { minimumCents }),
  };
}

/** The limits that a list of options is checked against. */
export type OptionLimits = {
  rules: OptionRules;
  /** The days of the guarantee that every order has. */
  guaranteeDays: number;
};

/**
 * Checks a list of options.
 * @returns the values to store, and a message for each invalid field, e.g. `options.0.days`
 */
export function checkOptions(
  options: readonly OptionInput[],
  limits: OptionLimits,
): { values: OptionValues[]; fields: Record<string, string> } {
  const fields: Record<string, string> = {};
  const seen = new Set<string>();
  let guarantees = 0;
  const values = options.map((option, index) => {
    const refuse = (field: string, message: string) => {
      fields[`options.${index}.${field}`] ??= message;
    };
    for (const [field, message] of checkOption(option, limits)) refuse(field, message);
    const { maxGuarantees } = limits.rules;
    if (option.kind === 'guarantee' && ++guarantees > maxGuarantees)
      refuse('kind', `Offer at most ${maxGuarantees} ${maxGuarantees === 1 ? 'guarantee' : 'guarantees'}.`);
    const value = toValues(option);
    const key = keyOf(value);
    if (seen.has(key))
      refuse(
        value.topic ? 'topic' : value.days ? 'days' : 'kind',
        `This is in the list already: ${nameOption(value)}.`,
      );
    seen.add(key);
    return value;
  });
  return { values, fields };
}

/** Identifies an option within its listing. Several guarantees and mentions differ by their days. */
export const keyOf = ({ kind, days, topic }: Pick<OptionValues, 'kind' | 'days' | 'topic'>): string =>
  [kind, days, topic].join(':');

const hasDays = (kind: OptionKind) => kind === 'guarantee' || kind === 'homepage';

function* checkOption(option: OptionInput, { rules, guaranteeDays }: OptionLimits): Generator<[string, string]> {
  const { kind, days, topic, isRefused } = option;
  if (!rules.kinds[kind].isOffered) yield ['kind', `The marketplace does not offer this: ${kindNames[kind]}.`];
  if (kind === 'guarantee') {
    const least = guaranteeDays + 1;
    if (days == null) yield ['days', daysMessage];
    else if (days < least || days > rules.maxGuaranteeDays)
      yield [
        'days',
        `Enter ${least} to ${rules.maxGuaranteeDays} days. Every order has a guarantee of ${guaranteeDays} days.`,
      ];
  } else if (kind === 'homepage') {
    if (days == null) yield ['days', daysMessage];
    else if (days > rules.maxHomepageDays) yield ['days', `Enter 1 to ${rules.maxHomepageDays} days.`];
  } else if (days != null) yield ['days', `Leave the days empty: ${kindNames[kind]}.`];
  if (kind === 'topic' && topic == null) yield ['topic', 'Choose a topic.'];
  if (kind !== 'topic' && topic != null) yield ['topic', 'Choose a topic only for a topic.'];
  if (isRefused && kind !== 'topic') yield ['isRefused', 'Only a topic can be refused.'];
  if (!isRefused) yield* checkPrice(option, rules);
}

function* checkPrice(option: OptionInput, rules: OptionRules): Generator<[string, string]> {
  const { kind, surchargeCents: cents, surchargePercent: percent, minimumCents } = option;
  const maxCents = kind === 'writing' ? rules.maxCentsPer100Words : rules.maxCents;
  const atMost = (limit: number) => `Enter at most ${(limit / 100).toFixed(2)}.`;
  if (cents == null && percent == null) yield ['surchargeCents', 'Enter an amount or a percentage.'];
  if (cents != null && percent != null) yield ['surchargePercent', 'Enter either an amount or a percentage.'];
  if (cents != null && cents > maxCents) yield ['surchargeCents', atMost(maxCents)];
  if (percent != null && kind === 'writing') yield ['surchargePercent', 'Enter the price of 100 words as an amount.'];
  if (percent != null && percent > rules.maxPercent)
    yield ['surchargePercent', `Enter at most ${rules.maxPercent} percent.`];
  if (minimumCents != null && kind !== 'writing') yield ['minimumCents', 'Only an article has a minimum.'];
  if (minimumCents != null && minimumCents > rules.maxCents) yield ['minimumCents', atMost(rules.maxCents)];
}

function toValues({ kind, days, topic, isRefused, surchargeCents, surchargePercent, minimumCents }: OptionInput) {
  const isWithoutPrice = kind === 'topic' && isRefused === true;
  const values: OptionValues = {
    kind,
    days: hasDays(kind) ? (days ?? null) : null,
    topic: kind === 'topic' ? (topic ?? null) : null,
    isRefused: isWithoutPrice,
    sellerCents: isWithoutPrice ? null : (surchargeCents ?? null),
    percent: isWithoutPrice ? null : (surchargePercent ?? null),
    minimumCents: kind === 'writing' ? (minimumCents ?? 0) : null,
  };
  return values;
}
