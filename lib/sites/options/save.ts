import { and, asc, eq, inArray, isNull, sql } from 'drizzle-orm';
import { db, type Executor } from '@/db/client';
import { siteOptions } from '@/db/schema/site-options';
import { sites } from '@/db/schema/sites';
import type { Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { newId } from '@/lib/ids';
import { recordAudit } from '@/lib/platform/audit/record';
import { getOptionRules } from '@/lib/settings/option-rules';
import { getPlacementRules } from '@/lib/settings/placement-rules';
import { lockSite, siteNotFoundError } from '@/lib/sites/lock';
import {
  checkOptions,
  keyOf,
  type OptionLimits,
  type OptionValues,
  ownOptionView,
  type SaveOptionsInput,
  type SiteOptionRow,
  type SiteOptionsView,
} from './contract';
import { nameOption } from './names';

/** Reads the limits of options. */
export async function getOptionLimits(tx?: Executor): Promise<OptionLimits> {
  const [rules, { guaranteeDays }] = await Promise.all([getOptionRules(tx), getPlacementRules(tx)]);
  return { rules, guaranteeDays };
}

/** Lists the options of sites, in the order of their kinds, days and topics. */
export const listSiteOptions = (siteIds: readonly number[], on: Executor = db()): Promise<SiteOptionRow[]> =>
  siteIds.length === 0
    ? Promise.resolve([])
    : on
        .select()
        .from(siteOptions)
        .where(inArray(siteOptions.siteId, [...siteIds]))
        .orderBy(
          asc(sql`array_position(array['guarantee', 'topic', 'writing', 'homepage', 'change'], ${siteOptions.kind})`),
          asc(siteOptions.days),
          asc(sql`array_position(array['casino', 'crypto', 'cbd', 'adult', 'loans'], ${siteOptions.topic})`),
          asc(siteOptions.id),
        );

/**
 * Returns the options of a seller's own site.
 * @throws AppError not_found for a site that the user does not own
 */
export async function getOwnOptions(userId: string, siteId: number, on: Executor = db()): Promise<SiteOptionsView> {
  const [site] = await on
    .select({ currency: sites.publicCurrency })
    .from(sites)
    .where(and(eq(sites.id, siteId), eq(sites.ownerId, userId), isNull(sites.deletedAt)));
  if (!site) throw siteNotFoundError(siteId);
  return { currency: site.currency, options: (await listSiteOptions([siteId], on)).map(ownOptionView) };
}

/**
 * Replaces the options of a seller's own site. One of the same kind, days and topic keeps its id. No review follows: the
 * operator sets the limits.
 * @throws AppError not_found for a site that the actor does not own; invalid_input with a message for each field beyond
 * the limits, e.g. `options.0.days`
 */
export async function saveOptions(
  actor: Actor,
  siteId: number,
  { options }: SaveOptionsInput,
): Promise<SiteOptionsView> {
  return db().transaction(async (tx) => {
    const site = await lockSite(tx, siteId, actor.userId);
    const { values, fields } = checkOptions(options, await getOptionLimits(tx));
    const [message] = Object.values(fields);
    if (message !== undefined) throw new AppError('invalid_input', message, { fields });
    const before = await listSiteOptions([siteId], tx);
    const known = new Map(before.map((row) => [keyOf(row), row]));
    const wanted = new Set(values.map(keyOf));
    const removed = before.filter((row) => !wanted.has(keyOf(row)));
    const changed = values.filter((value) => !isSame(known.get(keyOf(value)), value));
    if (removed.length === 0 && changed.length === 0) return getOwnOptions(actor.userId, siteId, tx);
    if (removed.length > 0)
      await tx.delete(siteOptions).where(
        inArray(
          siteOptions.id,
          removed.map(({ id }) => id),
        ),
      );
    for (const value of changed) {
      const row = known.get(keyOf(value));
      if (row) await tx.update(siteOptions).set(value).where(eq(siteOptions.id, row.id));
      else await tx.insert(siteOptions).values({ id: newId(), siteId, ...value });
    }
    await recordAudit(tx, actor, {
      action: 'site.options_set',
      details: `Site #${siteId} ${site.url}: options saved (${values.map(nameOption).join('; ') || 'none'}).`,
      entityType: 'site',
      entityId: siteId,
      before: { options: before.map(toStored) },
      after: { options: values },
    });
    return getOwnOptions(actor.userId, siteId, tx);
  });
}

const toStored = ({
  kind,
  days,
  topic,
  isRefused,
  sellerCents,
  percent,
  minimumCents,
}: OptionValues): OptionValues => ({
  ...{ kind, days, topic, isRefused, sellerCents, percent, minimumCents },
});

const isSame = (row: SiteOptionRow | undefined, value: OptionValues): boolean =>
  row !== undefined && JSON.stringify(toStored(row)) === JSON.stringify(toStored(value));
