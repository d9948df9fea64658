import { type Placeholder, type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Executor } from '@/db/client';
import { settings } from '@/db/schema/settings';
import { AppError } from '@/lib/errors';
import { parseSetting, readSettings, type SettingRows, selectSettings } from '@/lib/settings/settings';
import { type FlagName, flagKey, flagNames, flags } from './flags';

const stored = z.boolean();

export type FlagState = {
  name: FlagName;
  isOn: boolean;
  /** The version for an edit; 0 when the flag was never changed. */
  version: number;
  /** ISO 8601; null when the flag was never changed. */
  changedAt: string | null;
};

/** Reads the state of all flags. */
export async function readFlags(): Promise<FlagState[]> {
  const rows = await readSettings();
  return flagNames.map((name) => parseFlag(rows, name));
}

/** @param tx the caller's transaction, because a second connection could deadlock the pool */
export async function isFlagOn(name: FlagName, tx?: Executor): Promise<boolean> {
  return parseFlag(tx ? await selectSettings(tx) : await readSettings(), name).isOn;
}

/** @throws AppError not_configured with the flag's message when it is off */
export async function requireFlag(name: FlagName, tx?: Executor): Promise<void> {
  if (!(await isFlagOn(name, tx))) throw new AppError('not_configured', flags[name].off);
}

/** Returns the state of a flag from settings that were already read. */
export function parseFlag(rows: SettingRows, name: FlagName): FlagState {
  const { value, version, row } = parseSetting(rows, flagKey(name), stored, flags[name].startsOn);
  return { name, isOn: value, version, changedAt: row?.updatedAt.toISOString() ?? null };
}

/** The result of `selectIfFlagOn` while the flag is off. */
export const flagOffMarker = 'turned off';

/** Builds SQL that returns `text`, or `flagOffMarker`: reads both in one round trip. */
export function selectIfFlagOn(name: FlagName, text: SQL<string>): SQL<string> {
  return sql<string>`case when ${isFlagOffIn(flagKey(name))} then ${flagOffMarker} else ${text} end`;
}

/** Builds SQL that is true while a flag is off, to read it with other values in one statement. @param key `flagKey` */
export const isFlagOffIn = (key: string | Placeholder): SQL<boolean> =>
  sql<boolean>`exists (select 1 from ${settings} where ${settings.key} = ${key} and ${settings.value} = 'false'::jsonb)`;
