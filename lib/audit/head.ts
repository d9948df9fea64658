import { desc } from 'drizzle-orm';
import { z } from 'zod';
import { db, type Executor } from '@/db/client';
import { auditSeals, auditUnsealed } from '@/db/schema/audit';
import type { Actor } from '@/lib/access/actor';
import { hasAllPermissions } from '@/lib/access/permissions';
import { AppError } from '@/lib/errors';
import { queueAdminNotice } from '@/lib/mail/security-notices';
import { recordAudit } from '@/lib/platform/audit/record';
import { versionField } from '@/lib/platform/http/fields';
import { log } from '@/lib/platform/log/log';
import { parseSetting, readSettings, saveSetting } from '@/lib/settings/settings';
import { mailChainNotice, sealAuditLogs } from './seal';

const settingKey = 'audit-head';
const maxRecipients = 5;

const stored = z.object({
  /** The recipients of the daily mail. */
  recipients: z.array(z.email()).max(maxRecipients),
  /** Whether the head is written to the server's log. */
  isLogged: z.boolean(),
});
type HeadSetting = z.output<typeof stored>;

/** The default: the server's log only. */
const defaultSetting: HeadSetting = { recipients: [], isLogged: true };

/** Reads where the head of the audit log is published, and the version for an edit. */
export async function getHeadSetting(tx?: Executor): Promise<HeadSetting & { version: number }> {
  const { value, version } = parseSetting(await readSettings(tx), settingKey, stored, defaultSetting);
  return { ...value, version };
}

export const headSettingInput = z.object({
  /** Email addresses, separated by commas, semicolons or whitespace. */
  recipients: z
    .string()
    .max(1_000)
    .transform((text) => [
      ...new Set(
        text
          .toLowerCase()
          .split(/[\s,;]+/)
          .filter(Boolean),
      ),
    ])
    .pipe(
      z
        .array(z.email('Enter email addresses, separated by commas.'))
        .max(maxRecipients, `Enter at most ${maxRecipients} addresses.`),
    ),
  isLogged: z.boolean(),
  version: versionField,
});

/**
 * Sets where the head is published every day. All previous recipients are mailed about the change, with the current
 * head, so that the last mail explains why further ones stop. Only an Admin may remove a destination.
 * @throws AppError forbidden, conflict for a stale `version`
 */
export async function setHeadSetting(actor: Actor, { version, ...after }: z.output<typeof headSettingInput>) {
  await db().transaction(async (tx) => {
    const { version: _, ...before } = await getHeadSetting(tx);
    const isWeaker =
      (before.isLogged && !after.isLogged) ||
      before.recipients.some((recipient) => !after.recipients.includes(recipient));
    if (isWeaker && !hasAllPermissions(actor)) {
      throw new AppError('forbidden', 'Only an Admin can remove a destination of the audit log head.');
    }
    await saveSetting(tx, actor, {
      key: settingKey,
      value: after,
      version,
      name: 'The destinations of the audit log head',
    });
    const details = `The head of the audit log is written daily to ${formatDestinations(after)}; previously to ${formatDestinations(before)}.`;
    await recordAudit(tx, actor, {
      action: 'audit.head_setting_changed',
      details,
      entityType: 'setting',
      entityId: settingKey,
      before,
      after,
    });
    if (isWeaker)
      await queueAdminNotice(tx, actor, { subject: 'The audit log head is written to fewer places', text: details });
    await mailChainNotice(tx, [...new Set([...before.recipients, ...after.recipients])], {
      subject: 'The daily audit log email was changed',
      text: `${actor.email} changed it. ${details} Current head: ${(await getAuditHead(tx)) ?? 'none yet'}.`,
      advice: 'If you did not expect this, ask an admin, and keep this email: its head proves all entries up to now.',
    });
  });
}

const formatDestinations = ({ recipients, isLogged }: HeadSetting) =>
  [...recipients, ...(isLogged ? ['the server log'] : [])].join(', ') || 'nowhere';

/** Returns the last seal as `<position>:<hash>`, with its time and key; null for an empty chain. */
export async function getAuditHead(tx: Executor): Promise<string | null> {
  const [seal] = await tx.select().from(auditSeals).orderBy(desc(auditSeals.position)).limit(1);
  if (!seal) return null;
  return `${seal.position}:${seal.hash} (sealed ${seal.sealedAt.toISOString()}, key ${seal.keyId ?? 'none'})`;
}

/**
 * Publishes the head of the audit log as configured. With this copy outside the database `audit:verify --head` can
 * later verify that the log was neither truncated nor replaced.
 * @returns the number of mailed addresses
 */
export async function publishAuditHead(): Promise<Record<'mailed', number>> {
  await sealAuditLogs();
  return db().transaction(async (tx) => {
    const { recipients, isLogged } = await getHeadSetting(tx);
    const head = await getAuditHead(tx);
    if (head === null) return { mailed: 0 };
    const [proof] = head.split(' ');
    const waiting = await tx.$count(auditUnsealed);
    if (isLogged) log().info({ head, waiting }, 'Audit log head.');
    await mailChainNotice(tx, recipients, {
      subject: 'Audit log head',
      text: `The audit log ends with ${head}. ${waiting} entries are waiting for their seal. Keep this email.`,
      advice: `To verify that everything up to this entry still exists, run "npm run audit:verify -- --head=${proof}" on the server. If these emails stop, the last one says who changed them. If it does not, find out why.`,
    });
    return { mailed: recipients.length };
  });
}
