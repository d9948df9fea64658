import { and, eq, sql } from 'drizzle-orm';
import { cache } from 'react';
import type { z } from 'zod';
import type { Executor } from '../../db/client';
import { prepared } from '../../db/prepared';
import { settings } from '../../db/schema/settings';
import type { AnyActor } from '../access/actor';
import { log } from '../platform/log/log';
import { changedMeanwhile } from '../platform/optimistic-lock';

type SettingEdit = {
  key: string;
  value: unknown;
  /** The version the edit started from; 0 when nobody had set it. */
  version: number;
  /** What it is, as a person calls it: "The branding". */
  name: string;
};

/**
 * Stores a setting, in the transaction that audits it.
 * @throws AppError conflict when somebody saved it since `version`
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
  if (saved.length === 0) throw changedMeanwhile(name);
}

/** A row of the settings table, its value unchecked. */
type SettingRow = { value: unknown; version: number; updatedBy: string | null; updatedAt: Date };
export type SettingRows = ReadonlyMap<string, SettingRow>;

/**
 * Every setting, in one statement: the table is as short as the list of what can be set, and most pages ask for two of
 * them. Read anew for every request, so that all instances obey a change at once.
 */
export async function selectSettings(executor: Executor): Promise<SettingRows> {
  return byKey(await executor.select().from(settings));
}

function byKey(rows: readonly (typeof settings.$inferSelect)[]): SettingRows {
  return new Map(rows.map(({ key, ...row }) => [key, row]));
}

/** The same, once per request (React `cache`). */
export const readSettings = cache(async () => byKey(await statement().execute()));

const statement = prepared((on) => on.select().from(settings).prepare('settings'));

/**
 * What a setting says, and the version an edit of it names (0: nobody set it yet). A stored value that its schema does
 * not know, after a downgrade for instance, is told in the log and counts as not set: no page shall break over it.
 */
export function settingOf<Schema extends z.ZodType>(
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
    log().error({ setting: key, paths }, 'A stored setting cannot be understood.');
  }
  return { value: parsed.success ? parsed.data : fallback, version: row.version, row };
}
