import { z } from 'zod';
import { db } from '../../db/client';
import { isAdminRole } from '../acl/permissions';
import { recordAudit } from '../audit/record';
import { AppError } from '../errors';
import { versionField } from '../http/version-field';
import { wholeNumberField } from '../http/whole-number-field';
import { queueAdminNotice } from '../mail/security-notices';
import { selectSettings } from '../settings/read-settings';
import { saveSetting } from '../settings/save-setting';
import type { Actor } from './actor';
import {
  type StaffSessionRules,
  staffSessionBounds,
  staffSessionKey,
  staffSessionRulesIn,
} from './staff-session-rules';

export const saveStaffSessionRulesInput = z.object({
  idleMinutes: wholeNumberField(staffSessionBounds.idleMinutes, 'minutes'),
  maxHours: wholeNumberField(staffSessionBounds.maxHours, 'hours'),
  version: versionField,
});

/**
 * Sets how long sessions of staff last, from the next request on and for running sessions too. Only an Admin may make
 * them last longer.
 * @throws AppError forbidden, conflict for a stale `version`
 */
export async function saveStaffSessionRules(
  actor: Actor,
  { version, ...after }: z.output<typeof saveStaffSessionRulesInput>,
): Promise<void> {
  await db().transaction(async (tx) => {
    const before = staffSessionRulesIn(await selectSettings(tx)).value;
    const isLonger = after.idleMinutes > before.idleMinutes || after.maxHours > before.maxHours;
    if (isLonger && !isAdminRole(actor.role)) {
      throw new AppError('forbidden', 'Only an Admin can make sessions of staff last longer.');
    }
    await saveSetting(tx, actor, { key: staffSessionKey, value: after, version, name: 'The rules for sessions' });
    const details = `Sessions of staff end after ${words(after)}; before, after ${words(before)}.`;
    await recordAudit(tx, actor, {
      action: 'session.rules_set',
      details,
      entityType: 'setting',
      entityId: staffSessionKey,
      before,
      after,
    });
    if (isLonger) await queueAdminNotice(tx, actor, { subject: 'Sessions of staff last longer', text: details });
  });
}

const words = ({ idleMinutes, maxHours }: StaffSessionRules) =>
  `${idleMinutes} minutes without a request and ${maxHours} hours in all`;
