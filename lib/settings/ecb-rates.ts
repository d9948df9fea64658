import { z } from 'zod';
import { db, type Executor } from '@/db/client';
import type { Actor } from '@/lib/access/actor';
import { type RateCurrency, walletCurrency } from '@/lib/money';
import { recordAudit } from '@/lib/platform/audit/record';
import { dayMs } from '@/lib/platform/durations';
import { versionField } from '@/lib/platform/http/fields';
import { listCurrentRates, pricedCurrencies } from './exchange-rates';
import type { ReferenceRate } from './reference-rates';
import { parseSetting, readSettings, saveSetting } from './settings';

/** The newest file of the European Central Bank. Rates are in millionths of a USD per unit. */
const ecbFileSchema = z.object({
  day: z.iso.date(),
  /** When the file of this day was first read. */
  readAt: z.iso.datetime(),
  rates: z.partialRecord(z.enum(pricedCurrencies), z.number().int().positive()),
});
type EcbFile = z.output<typeof ecbFileSchema>;

const switchKey = 'ecb-rates';
export const ecbFileKey = 'ecb-file';

/** The age at which a rate is stale. */
export const staleDays = 7;

/** The change, in percent of the rate in force, above which a rate of the file is not taken by itself. */
export const jumpPercent = 10;

/** Whether a rate differs from the one in force by more than `jumpPercent`. */
export const isJump = (rate: number, inForce: number): boolean =>
  Math.abs(rate - inForce) * 100 > inForce * jumpPercent;

const attribute = (name: string) => new RegExp(`\\b${name}\\s*=\\s*['"]([^'"]*)['"]`);
const unitsPerEuro = z.coerce.number().positive().max(1e9);

/**
 * Parses eurofxref-daily.xml: the units of each currency for one euro on a day, which are converted to USD.
 * @returns `rates` of the currencies of prices, and `all` currencies of the file and the euro, except the US dollar
 * @throws Error when the text is not such a file, or has no rate of the US dollar
 */
export function parseEcbFile(text: string): Pick<EcbFile, 'day' | 'rates'> & { all: ReferenceRate[] } {
  const tags = text.match(/<Cube\b[^<>]*>/g) ?? [];
  const read = (tag: string, name: string) => attribute(name).exec(tag)?.[1];
  const days = tags.flatMap((tag) => read(tag, 'time') ?? []);
  const [day] = days;
  if (!day || days.length > 1 || !z.iso.date().safeParse(day).success)
    throw new Error('The file of the European Central Bank has no day, or several.');
  const perEuro = new Map<string, number>([['EUR', 1]]);
  for (const tag of tags) {
    const currency = read(tag, 'currency');
    if (currency === undefined) continue;
    const units = unitsPerEuro.safeParse(read(tag, 'rate'));
    if (!units.success || perEuro.has(currency))
      throw new Error(`The file of the European Central Bank has no usable rate of ${currency.slice(0, 20)}.`);
    perEuro.set(currency, units.data);
  }
  const dollars = perEuro.get('USD');
  if (dollars === undefined) throw new Error('The file of the European Central Bank has no rate of USD.');
  perEuro.delete(walletCurrency);
  const all = [...perEuro]
    .map(([currency, units]) => ({
      day,
      currency,
      usdMicrosPerUnit: Math.round((dollars / units) * 1_000_000),
      unitMicrosPerUsd: Math.round((units / dollars) * 1_000_000),
    }))
    .filter(({ usdMicrosPerUnit, unitMicrosPerUsd }) => usdMicrosPerUnit > 0 && unitMicrosPerUsd > 0);
  const rates: EcbFile['rates'] = {};
  for (const currency of pricedCurrencies) {
    const found = all.find((rate) => rate.currency === currency);
    if (found) rates[currency] = found.usdMicrosPerUnit;
  }
  return { day, rates, all };
}

/** Reads whether the rates of the European Central Bank are taken, with the version for an edit, and the newest file. */
export async function readEcbRates(
  executor?: Executor,
): Promise<{ isOn: boolean; version: number; file: EcbFile | null }> {
  const rows = await readSettings(executor);
  const { value, version } = parseSetting(rows, switchKey, z.object({ isOn: z.boolean() }), { isOn: false });
  return {
    isOn: value.isOn,
    version,
    file: parseSetting(rows, ecbFileKey, ecbFileSchema.nullable(), null).value,
  };
}

export const ecbSwitchInput = z.object({ isOn: z.boolean(), version: versionField });

/**
 * Turns the daily rates of the European Central Bank on or off.
 * @throws AppError conflict for a stale `version`
 */
export async function saveEcbSwitch(actor: Actor, { isOn, version }: z.output<typeof ecbSwitchInput>): Promise<void> {
  await db().transaction(async (tx) => {
    await saveSetting(tx, actor, { key: switchKey, value: { isOn }, version, name: 'The source of exchange rates' });
    await recordAudit(tx, actor, {
      action: 'exchange_rate.source_set',
      details: `The daily rates of the European Central Bank are ${isOn ? 'taken' : 'no longer taken'}.`,
      entityType: 'setting',
      entityId: switchKey,
      after: { isOn },
    });
  });
}

type HeldRate = { currency: RateCurrency; rate: number; inForce: number; day: string };

/**
 * Lists what staff must look at: rates of the newest file that were not taken because they jump, until staff set the rate
 * of the currency, and rates that are older than `staleDays`.
 */
export async function listRateIssues(): Promise<{ held: HeldRate[]; stale: RateCurrency[]; isEmpty: boolean }> {
  const [{ isOn, file }, rates] = await Promise.all([readEcbRates(), listCurrentRates()]);
  const limit = Date.now() - staleDays * dayMs;
  const current = pricedCurrencies.flatMap((currency) => {
    const found = rates.find((rate) => rate.currency === currency);
    return found ? [{ currency, inForce: found.usdMicrosPerUnit, since: found.since }] : [];
  });
  return {
    held: current.flatMap(({ currency, inForce, since }) => {
      const rate = isOn ? file?.rates[currency] : undefined;
      const isHeld = file && rate !== undefined && isJump(rate, inForce) && since < new Date(file.readAt);
      return isHeld ? [{ currency, rate, inForce, day: file.day }] : [];
    }),
    stale: current.filter(({ since }) => since.getTime() < limit).map(({ currency }) => currency),
    isEmpty: current.length === 0,
  };
}
