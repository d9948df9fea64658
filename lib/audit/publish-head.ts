import { db } from '../../db/client';
import { auditUnsealed } from '../../db/schema/audit';
import { log } from '../log/log';
import { mailChainNotice } from './chain-notice';
import { getHeadSetting, readHead } from './head-setting';
import { sealAuditLogs } from './seal';

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
