import { desc } from 'drizzle-orm';
import { z } from 'zod';
import { db, type Executor } from '../../db/client';
import { auditSeals, auditUnsealed } from '../../db/schema/audit';
import type { Actor } from '../access/actor';
import { isAdminRole } from '../access/permissions';
import { AppError } from '../errors';
import { queueAdminNotice } from '../mail/security-notices';
import { recordAudit } from '../platform/audit/record';
import { versionField } from '../platform/http/fields';
import { log } from '../platform/log/log';
import { saveSetting, selectSettings, settingOf } from '../settings/settings';
import { mailChainNotice, sealAuditLogs } from './seal';

const settingKey = 'audit-head';
const maxRecipients = 5;

const stored = z.object({
  /** Who is mailed the head every day; none: no mail. */
  recipients: z.array(z.email()).max(maxRecipients),
  /** Whether it becomes a line of the server's log. */
  isLogged: z.boolean(),
});
type HeadSetting = z.output<typeof stored>;

/** Until an admin sets it: into the log. */
const standard: HeadSetting = { recipients: [], isLogged: true };

/** Where the head of the audit log is written every day, and the version that an edit of it names. */
export async function getHeadSetting(tx: Executor = db()): Promise<HeadSetting & { version: number }> {
  const { value, version } = settingOf(await selectSettings(tx), settingKey, stored, standard);
  return { ...value, version };
}

export const headSettingInput = z.object({
  /** Addresses, apart by commas, spaces or lines. */
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
 * Sets where the head is written every day. Everybody who was mailed before is mailed about the change, with the head at
 * that moment: mails that stop are explained by the last one.
 * Only an Admin may remove a place.
 * @throws AppError forbidden, conflict for a stale `version`
 */
export async function setHeadSetting(
  actor: Actor,
  { version, ...after }: z.output<typeof headSettingInput>,
): Promise<void> {
  await db().transaction(async (tx) => {
    const { version: _, ...before } = await getHeadSetting(tx);
    const isWeaker =
      (before.isLogged && !after.isLogged) ||
      before.recipients.some((recipient) => !after.recipients.includes(recipient));
    if (isWeaker && !isAdminRole(actor.role)) {
      throw new AppError('forbidden', 'Only an Admin can remove a place to which the head is written.');
    }
    await saveSetting(tx, actor, { key: settingKey, value: after, version, name: 'Where the head is written' });
    const details = `The head of the audit log is written daily to ${places(after)}; was ${places(before)}.`;
    await recordAudit(tx, actor, {
      action: 'audit.head_setting_changed',
      details,
      entityType: 'setting',
      entityId: settingKey,
      before,
      after,
    });
    if (isWeaker)
      await queueAdminNotice(tx, actor, { subject: 'The audit log is proved in fewer places', text: details });
    await mailChainNotice(tx, [...new Set([...before.recipients, ...after.recipients])], {
      subject: 'The daily mail of the audit log was changed',
      text: `${actor.email} changed it. ${details} The head now: ${(await readHead(tx)) ?? 'none yet'}.`,
      advice:
        'If you did not expect this, ask an admin, and keep this mail: the head in it proves the entries until now.',
    });
  });
}

const places = ({ recipients, isLogged }: HeadSetting) =>
  [...recipients, ...(isLogged ? ["the server's log"] : [])].join(', ') || 'no place';

/** The last seal as `<place>:<hash>`, with its time and key; null for an empty chain. */
export async function readHead(tx: Executor): Promise<string | null> {
  const [seal] = await tx.select().from(auditSeals).orderBy(desc(auditSeals.position)).limit(1);
  if (!seal) return null;
  return `${seal.position}:${seal.hash} (sealed ${seal.sealedAt.toISOString()}, key ${seal.keyId ?? 'none'})`;
}

/**
 * Writes the head of the audit log where the setting says: a copy outside the database, with which `audit:verify --head`
 * proves later that the end of the log was not cut off and nothing before it was replaced.
 * @returns how many addresses are mailed
 */
export async function publishAuditHead(): Promise<Record<'mailed', number>> {
  await sealAuditLogs();
  return db().transaction(async (tx) => {
    const { recipients, isLogged } = await getHeadSetting(tx);
    const head = await readHead(tx);
    if (head === null) return { mailed: 0 };
    const [proof] = head.split(' ');
    const waiting = await tx.$count(auditUnsealed);
    if (isLogged) log().info({ head, waiting }, 'The head of the audit log.');
    await mailChainNotice(tx, recipients, {
      subject: 'Head of the audit log',
      text: `The audit log ends with ${head}. ${waiting} entries wait for their seal. Keep this mail.`,
      advice: `"npm run audit:verify -- --head=${proof}" proves on the server that everything up to this entry is still there. When these mails stop, the last one says who changed them; if it does not, ask why.`,
    });
    return { mailed: recipients.length };
  });
}
