import { and, eq, sql } from 'drizzle-orm';
import { cache } from 'react';
import type { z } from 'zod';
import type { Executor } from '@/db/client';
import { prepared } from '@/db/prepared';
import { rowsAsJson } from '@/db/rows-as-json';
import { settings, settingsStamps } from '@/db/schema/settings';
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

/** Reads all settings in the caller's transaction, because a second connection could deadlock the pool. */
export async function selectSettings(executor: Executor): Promise<SettingRows> {
  return byKey(await everySetting(executor).execute());
}

const everySetting = prepared((on) => on.select().from(settings).prepare('settings'));

function byKey(rows: readonly (typeof settings.$inferSelect)[]): SettingRows {
  return new Map(rows.map(({ key, ...row }) => [key, row]));
}

/**
 * The version of the settings as an SQL expression, for use inside another query. Every committed write to the settings
 * changes it (db/schema/settings.ts), on any instance, and versions are never reused.
 */
export const settingsVersion = sql<string>`(select coalesce(string_agg(${settingsStamps.stamp}::text, ' ' order by ${settingsStamps.slot}), 'new') from ${settingsStamps})`;

/** The settings that this process read last. They are used only for the version with which they were read. */
let held: { version: string; rows: SettingRows } | undefined;

/**
 * The version of the settings that the query of the request's session reads; undefined where there is no session. React
 * `cache` keeps it for one request.
 */
const versionOfRequest = cache((): { version: Promise<string | undefined> | undefined } => ({ version: undefined }));

/** Lets `getSettings` of this page use the version that another query reads. */
export function shareSettingsVersion(version: Promise<string | undefined>): void {
  versionOfRequest().version = version;
}

/**
 * Reads all settings, as they were at some time after the request began. A page whose session query has read the version
 * reads nothing more; others ask in one statement whether those of the process are still current. Once per page (React
 * `cache`).
 */
export const getSettings = cache(async (): Promise<SettingRows> => {
  const version = await versionOfRequest().version;
  // Another request may replace them meanwhile.
  const known = held;
  if (known && known.version === version) return known.rows;
  const [row] = await newerSettings().execute({ known: known?.version ?? '' });
  if (!row) throw new Error('The query for the settings returned no row.');
  if (row.settings === null && known) return known.rows;
  const rows = byKey((row.settings ?? []).map((one) => ({ ...one, updatedAt: new Date(one.updatedAt) })));
  held = { version: row.version, rows };
  return rows;
});

const newerSettings = prepared((on) => {
  const all = on
    .select({
      key: settings.key,
      value: settings.value,
      version: settings.version,
      updatedBy: sql<string | null>`${settings.updatedBy}`.as('updatedBy'),
      updatedAt: sql<string>`${settings.updatedAt}`.as('updatedAt'),
    })
    .from(settings);
  const current = on.$with('current').as(on.select({ version: settingsVersion.as('version') }).from(once));
  return on
    .with(current)
    .select({
      version: current.version,
      settings: sql<Awaited<
        typeof all
      > | null>`case when ${current.version} <> ${sql.placeholder('known')} then ${rowsAsJson(all)} end`,
    })
    .from(current)
    .prepare('settings-since');
});

const once = sql`(values (1)) as once`;

/** Reads all settings, in the caller's transaction if there is one. */
export const readSettings = (tx: Executor | undefined): Promise<SettingRows> =>
  tx ? selectSettings(tx) : getSettings();

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
