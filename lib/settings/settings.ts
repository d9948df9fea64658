import { and, eq, sql } from 'drizzle-orm';
import { cache } from 'react';
import type { z } from 'zod';
import type { Executor } from '@/db/client';
import { prepared } from '@/db/prepared';
import { settings } from '@/db/schema/settings';
import type { AnyActor } from '@/lib/access/actor';
import { log } from '@/lib/platform/log/log';
import { createConflictError } from '@/lib/platform/optimistic-lock';

type SettingEdit = {
  key: string;
  value: unknown;
  /** The version on which the edit is based; 0 when the setting was never saved. */
  version: number;
  /** The name of the setting in messages: "The branding". */
  name: string;
};

/**
 * Saves a setting, in the transaction that audits it.
 * @throws AppError conflict for a stale `version`
 */
export async function saveSetting(tx: Executor, actor: AnyActor, edit: SettingEdit): Promise<void> {
  const { key, value, version, name } = edit;
  const saved =
    version === 0
      ? await tx
          .insert(settings)
          .values({ key, value, updatedBy: actor.userId })
          .onConflictDoNothing()
          .returning({ key: settings.key })
      : await tx
          .update(settings)
          .set({ value, version: sql`${settings.version} + 1`, updatedBy: actor.userId })
          .where(and(eq(settings.key, key), eq(settings.version, version)))
          .returning({ key: settings.key });
  if (saved.length === 0) throw createConflictError(name);
}

/** A row of the settings table; the value is not validated. */
type SettingRow = { value: unknown; version: number; updatedBy: string | null; updatedAt: Date };
export type SettingRows = ReadonlyMap<string, SettingRow>;

/**
 * Reads all settings in one statement: the table is small, and most pages need two of them. Not cached across requests,
 * so that a change takes effect on all instances immediately.
 */
export async function selectSettings(executor: Executor): Promise<SettingRows> {
  return byKey(await statement(executor).execute());
}

function byKey(rows: readonly (typeof settings.$inferSelect)[]): SettingRows {
  return new Map(rows.map(({ key, ...row }) => [key, row]));
}

/** Reads all settings, once per request (React `cache`). */
export const getSettings = cache(async () => byKey(await statement().execute()));

const statement = prepared((on) => on.select().from(settings).prepare('settings'));

/**
 * Returns the value of a setting and the version for an edit (0: never saved). A stored value that does not match its
 * schema, e.g. after a downgrade, is logged and replaced by the default, so that pages keep working.
 */
export function parseSetting<Schema extends z.ZodType>(
  rows: SettingRows,
  key: string,
  schema: Schema,
  fallback: z.output<Schema>,
): { value: z.output<Schema>; version: number; row: SettingRow | null } {
  const row = rows.get(key);
  if (!row) return { value: fallback, version: 0, row: null };
  const parsed = schema.safeParse(row.value);
  if (!parsed.success) {
    const paths = parsed.error.issues.map(({ path }) => path.join('.'));
    log().error({ setting: key, paths }, 'A stored setting is invalid.');
  }
  return { value: parsed.success ? parsed.data : fallback, version: row.version, row };
}
