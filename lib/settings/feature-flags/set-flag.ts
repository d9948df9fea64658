import { z } from 'zod';
import { db } from '@/db/client';
import type { Actor } from '@/lib/access/actor';
import { recordAudit } from '@/lib/platform/audit/record';
import { versionField } from '@/lib/platform/http/fields';
import { saveSetting, selectSettings } from '@/lib/settings/settings';
import { flagKey, flagNames, flags } from './flags';
import { parseFlag } from './read-flags';

export const setFlagInput = z.object({
  name: z.enum(flagNames),
  isOn: z.boolean(),
  version: versionField,
});
export type SetFlagInput = z.output<typeof setFlagInput>;

/**
 * Turns a feature flag on or off for all users, from the next request.
 * @throws AppError conflict for a stale `version`
 */
export async function setFlag(actor: Actor, { name, isOn, version }: SetFlagInput): Promise<void> {
  const { label } = flags[name];
  await db().transaction(async (tx) => {
    const before = parseFlag(await selectSettings(tx), name);
    await saveSetting(tx, actor, { key: flagKey(name), value: isOn, version, name: label });
    await recordAudit(tx, actor, {
      action: isOn ? 'flag.turned_on' : 'flag.turned_off',
      details: `${label} turned ${isOn ? 'on' : 'off'}.`,
      entityType: 'flag',
      entityId: name,
      before: { isOn: before.isOn },
      after: { isOn },
    });
  });
}
