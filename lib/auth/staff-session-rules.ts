import { type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db } from '@/db/client';
import { sessions } from '@/db/schema/users';
import type { Actor } from '@/lib/access/actor';
import { hasAllPermissions } from '@/lib/access/permissions';
import { AppError } from '@/lib/errors';
import { queueAdminNotice } from '@/lib/mail/security-notices';
import { recordAudit } from '@/lib/platform/audit/record';
import { versionField, wholeNumberField } from '@/lib/platform/http/fields';
import { parseSetting, type SettingRows, saveSetting, selectSettings } from '@/lib/settings/settings';

/** The key of the rules in `settings`. */
export const staffSessionKey = 'staff-sessions';

/** The allowed idle time in minutes, and maximum duration in hours. */
const staffSessionBounds = { idleMinutes: { min: 5, max: 240 }, maxHours: { min: 1, max: 12 } } as const;

const storedStaffSessionRules = z.object({
  idleMinutes: z.int().min(staffSessionBounds.idleMinutes.min).max(staffSessionBounds.idleMinutes.max),
  maxHours: z.int().min(staffSessionBounds.maxHours.min).max(staffSessionBounds.maxHours.max),
});

/** The maximum idle time and duration of a session of staff. */
export type StaffSessionRules = z.output<typeof storedStaffSessionRules>;

const defaultStaffSession: StaffSessionRules = { idleMinutes: 30, maxHours: 12 };

/** Reads the current rules and the version for an edit. */
export function getStaffSessionRules(rows: SettingRows): { value: StaffSessionRules; version: number } {
  return parseSetting(rows, staffSessionKey, storedStaffSessionRules, defaultStaffSession);
}

/**
 * Builds the SQL of a stored number, or its default when none is stored. A value beyond the bounds, which only a direct
 * change in the database can cause, is clamped.
 */
const storedNumber = (name: keyof StaffSessionRules): SQL => {
  const { min, max } = staffSessionBounds[name];
  return sql.raw(`coalesce((
    select case when jsonb_typeof(value -> '${name}') = 'number'
      then greatest(least((value ->> '${name}')::numeric, ${max}), ${min}) end
    from settings where key = '${staffSessionKey}'
  ), ${defaultStaffSession[name]})`);
};

/** Whether a session exceeds the rules for staff; for a query that selects from `sessions`. */
export const exceedsStaffRules = sql<boolean>`(
  ${sessions.lastSeenAt} < now() - make_interval(mins => ${storedNumber('idleMinutes')}::int)
  or ${sessions.createdAt} < now() - make_interval(hours => ${storedNumber('maxHours')}::int))`;

export const saveStaffSessionRulesInput = z.object({
  idleMinutes: wholeNumberField(staffSessionBounds.idleMinutes, 'minutes'),
  maxHours: wholeNumberField(staffSessionBounds.maxHours, 'hours'),
  version: versionField,
});

/**
 * Sets the limits of staff sessions, which also apply to active sessions from the next request. Only an Admin may
 * extend them.
 * @throws AppError forbidden, conflict for a stale `version`
 */
export async function saveStaffSessionRules(
  actor: Actor,
  { version, ...after }: z.output<typeof saveStaffSessionRulesInput>,
): Promise<void> {
  await db().transaction(async (tx) => {
    const before = getStaffSessionRules(await selectSettings(tx)).value;
    const isLonger = after.idleMinutes > before.idleMinutes || after.maxHours > before.maxHours;
    if (isLonger && !hasAllPermissions(actor)) {
      throw new AppError('forbidden', 'Only an Admin can extend staff sessions.');
    }
    await saveSetting(tx, actor, { key: staffSessionKey, value: after, version, name: 'The staff session rules' });
    const details = `Staff sessions end after ${describeRules(after)}; previously after ${describeRules(before)}.`;
    await recordAudit(tx, actor, {
      action: 'session.rules_set',
      details,
      entityType: 'setting',
      entityId: staffSessionKey,
      before,
      after,
    });
    if (isLonger) await queueAdminNotice(tx, actor, { subject: 'Staff sessions were extended', text: details });
  });
}

const describeRules = ({ idleMinutes, maxHours }: StaffSessionRules) =>
  `${idleMinutes} minutes without a request and ${maxHours} hours in total`;
