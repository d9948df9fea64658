import { createElement } from 'react';
import type { Executor } from '../../db/client';
import { queueMail } from '../mail/queue';
import { PasskeyNotice } from '../mail/templates/passkey-notice';

/** Tells a person that a passkey was added to the account or removed from it. */
export async function queuePasskeyNotice(
  tx: Executor,
  { to, name, change }: { to: string; name: string; change: 'added' | 'removed' },
): Promise<void> {
  await queueMail(tx, {
    kind: 'passkey-notice',
    to,
    subject: change === 'added' ? 'A passkey was added to your account' : 'A passkey was removed from your account',
    body: (context) => createElement(PasskeyNotice, { ...context, name, change }),
  });
}
