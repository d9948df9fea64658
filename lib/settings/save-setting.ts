import { and, eq, sql } from 'drizzle-orm';
import type { Executor } from '../../db/client';
import { settings } from '../../db/schema/settings';
import type { AnyActor } from '../auth/actor';
import { changedMeanwhile } from './require-version';

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
