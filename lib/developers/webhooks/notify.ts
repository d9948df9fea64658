import type { Executor } from '@/db/client';
import type { Actor } from '@/lib/access/actor';
import { queueAccountNotice, queueAdminNotice } from '@/lib/mail/security-notices';
import type { Scope } from './rights';

/** Mails a change of where events go, or of a secret, to the owner, or to all admins for the installation. */
export async function notifyOfChange(
  tx: Executor,
  actor: Actor,
  scope: Scope,
  notice: { subject: string; text: string },
): Promise<void> {
  if (scope === 'installation') await queueAdminNotice(tx, actor, notice);
  else await queueAccountNotice(tx, actor.email, { ...notice, from: actor.ip });
}
