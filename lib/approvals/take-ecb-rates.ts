import { and, eq, gte, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { exchangeRates, settings } from '@/db/schema/settings';
import { systemActor } from '@/lib/access/actor';
import { systemActors } from '@/lib/access/system-actors';
import { env } from '@/lib/env';
import { dayMs } from '@/lib/platform/durations';
import { log } from '@/lib/platform/log/log';
import { ecbFileKey, isJump, parseEcbFile, readEcbRates, staleDays } from '@/lib/settings/ecb-rates';
import { getExchangeRates, lockRates, pricedCurrencies } from '@/lib/settings/exchange-rates';
import { storeReferenceRates } from '@/lib/settings/reference-rates';
import { recordAnswer, type Service } from '@/lib/settings/service-answers';
import { applyExchangeRate } from './set-exchange-rate';

const timeoutMs = 10_000;
/** The file has about 2 kB. */
const maxBytes = 100_000;

/** Returns the European Central Bank as a service; it has no credentials. */
export const getEcbService = (): Service => ({ name: 'ecb', credentials: env().ECB_BASE_URL ?? '' });

/**
 * Reads the European Central Bank's daily file while its rates are turned on or documents need them, and stores all of its
 * rates as reference rates. While they are turned on, those of prices come into force: a rate that staff entered stays
 * until the file of the next day, and a rate that jumps is not taken: staff decide (`listRateIssues`).
 * @param isNeeded whether documents need the rates (`needsReferenceRates`)
 * @returns the number of rates taken, and of those not taken; `failed` when the file could not be read
 */
export async function takeEcbRates(isNeeded = false): Promise<{ taken: number; held: number; failed: number }> {
  const counts = { taken: 0, held: 0, failed: 0 };
  if (!isNeeded && !(await readEcbRates()).isOn) return counts;
  try {
    const { day, rates, all } = parseEcbFile(await fetchFile());
    const now = new Date().toISOString();
    // A copy that a proxy kept, or a wrong clock: its rates would count as fresh ones.
    const oldest = new Date(Date.now() - staleDays * dayMs).toISOString().slice(0, 10);
    if (day > now.slice(0, 10) || day < oldest) throw new Error(`The European Central Bank’s file is of ${day}.`);
    await storeReferenceRates(all);
    await db().transaction(async (tx) => {
      await lockRates(tx);
      const { isOn, file } = await readEcbRates(tx);
      if (!isOn || (file && file.day > day)) return;
      const value = { day, readAt: file?.day === day ? file.readAt : now, rates };
      await tx
        .insert(settings)
        .values({ key: ecbFileKey, value })
        .onConflictDoUpdate({ target: settings.key, set: { value, updatedAt: sql`now()` } });
      const inForce = await getExchangeRates(tx);
      for (const currency of pricedCurrencies) {
        const rate = rates[currency];
        const taken = and(eq(exchangeRates.currency, currency), gte(exchangeRates.sourceDay, day));
        if (rate === undefined || (await tx.$count(exchangeRates, taken)) > 0) continue;
        const before = inForce.get(currency);
        if (before !== undefined && isJump(rate, before)) {
          counts.held += 1;
          continue;
        }
        await applyExchangeRate(tx, systemActor(systemActors.exchangeRates, 'job'), { currency, rate, sourceDay: day });
        counts.taken += 1;
      }
    });
    await recordAnswer(getEcbService(), { ok: true, message: `The file of ${day} was read.` });
  } catch (thrown) {
    log().warn({ err: thrown }, 'The rates of the European Central Bank could not be taken.');
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    await recordAnswer(getEcbService(), { ok: false, message });
    counts.failed = 1;
  }
  return counts;
}

/** @throws Error for a status other than 200, no response in time, or a longer file */
async function fetchFile(): Promise<string> {
  const origin = env().ECB_BASE_URL ?? 'https://www.ecb.europa.eu';
  const response = await fetch(`${origin}/stats/eurofxref/eurofxref-daily.xml`, {
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  }).catch((cause: unknown) => {
    throw new Error('The European Central Bank could not be reached.', { cause });
  });
  if (!response.ok || !response.body) {
    await response.body?.cancel();
    throw new Error(`The European Central Bank answered with status ${response.status}.`);
  }
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body) {
    bytes += part.byteLength;
    if (bytes > maxBytes) throw new Error('The file of the European Central Bank is too long.');
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}
