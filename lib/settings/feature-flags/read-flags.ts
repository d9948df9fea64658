import { type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Executor } from '@/db/client';
import { settings } from '@/db/schema/settings';
import { AppError } from '../../errors';
import { readSettings, type SettingRows, selectSettings, settingOf } from '../settings';
import { type FlagName, flagKey, flagNames, flags } from './flags';

const stored = z.boolean();

export type FlagState = {
  name: FlagName;
  isOn: boolean;
  /** What an edit names; 0 until somebody turned it. */
  version: number;
  /** ISO 8601; null: never turned. */
  changedAt: string | null;
};

/** How every flag stands. */
export async function readFlags(): Promise<FlagState[]> {
  const rows = await readSettings();
  return flagNames.map((name) => stateIn(rows, name));
}

/** @param tx the transaction that depends on it, which must not wait for another connection */
export async function isFlagOn(name: FlagName, tx?: Executor): Promise<boolean> {
  return stateIn(tx ? await selectSettings(tx) : await readSettings(), name).isOn;
}

/** @throws AppError not_configured with the flag's words when the part is turned off */
export async function requireFlag(name: FlagName, tx?: Executor): Promise<void> {
  if (!(await isFlagOn(name, tx))) throw new AppError('not_configured', flags[name].off);
}

/** For who has read the settings already. */
export function stateIn(rows: SettingRows, name: FlagName): FlagState {
  const { value, version, row } = settingOf(rows, flagKey(name), stored, true);
  return { name, isOn: value, version, changedAt: row?.updatedAt.toISOString() ?? null };
}

/** What a text of SQL answers in place of itself while the part is turned off. */
export const turnedOff = 'turned off';

/** `text`, or `turnedOff`: for a request whose round trips count, which reads both in one. */
export function unlessTurnedOff(name: FlagName, text: SQL<string>): SQL<string> {
  const off = sql`exists (select 1 from ${settings} where ${settings.key} = ${flagKey(name)} and ${settings.value} = 'false'::jsonb)`;
  return sql<string>`case when ${off} then ${turnedOff} else ${text} end`;
}
