import { z } from 'zod';
import { db } from '../../db/client';
import { roles } from '../../db/schema/users';
import { isAdminRole } from '../acl/permissions';
import { recordAudit } from '../audit/record';
import { AppError } from '../errors';
import { versionField } from '../http/version-field';
import { wholeNumberField } from '../http/whole-number-field';
import { queueAdminNotice } from '../mail/security-notices';
import { selectSettings } from '../settings/read-settings';
import { saveSetting } from '../settings/save-setting';
import type { Actor } from './actor';
import { maxGraceDays, type TwoStepRule, twoStepKey, twoStepRuleIn } from './two-step-rule';

export const saveTwoStepRuleInput = z.object({
  /** Names of the roles that require a second factor. */
  roles: z.array(z.string().max(200)).max(1000),
  graceDays: wholeNumberField({ min: 0, max: maxGraceDays }, 'days'),
  version: versionField,
});

/**
 * Sets which roles require two-step sign-in, and how long their people have to set it up. A role that required it before
 * keeps its start. Only an Admin may weaken the rule.
 * @throws AppError invalid_input for an unknown role, forbidden, conflict for a stale `version`
 */
export async function saveTwoStepRule(actor: Actor, input: z.output<typeof saveTwoStepRuleInput>): Promise<void> {
  const { graceDays, version } = input;
  await db().transaction(async (tx) => {
    const names = new Set((await tx.select({ name: roles.name }).from(roles)).map(({ name }) => name));
    const unknown = input.roles.find((name) => !names.has(name));
    if (unknown !== undefined) {
      const message = `The role “${unknown}” does not exist any more. Reload the page.`;
      throw new AppError('invalid_input', message, { fields: { roles: message } });
    }
    const before = twoStepRuleIn(await selectSettings(tx)).value;
    const inForce = Object.entries(before.roles).filter(([name]) => names.has(name));
    const dropped = inForce.filter(([name]) => !input.roles.includes(name)).map(([name]) => name);
    const isWeaker = dropped.length > 0 || (inForce.length > 0 && graceDays > before.graceDays);
    if (isWeaker && !isAdminRole(actor.role)) {
      throw new AppError('forbidden', 'Only an Admin can remove a role from this list or lengthen the grace period.');
    }
    const now = Math.floor(Date.now() / 1000);
    const started = new Map(inForce);
    const after: TwoStepRule = {
      roles: Object.fromEntries(input.roles.map((name) => [name, started.get(name) ?? now])),
      graceDays,
    };
    await saveSetting(tx, actor, { key: twoStepKey, value: after, version, name: 'The rule for two-step sign-in' });
    const required = Object.keys(after.roles);
    const details =
      required.length === 0
        ? 'No role requires two-step sign-in.'
        : `Two-step sign-in is required for ${required.join(', ')}, with ${graceDays} days to set it up.`;
    await recordAudit(tx, actor, {
      action: 'two_step.rule_set',
      details,
      entityType: 'setting',
      entityId: twoStepKey,
      before,
      after,
    });
    await queueAdminNotice(tx, actor, { subject: 'The rule for two-step sign-in changed', text: details });
  });
}
