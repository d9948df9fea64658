import { createElement } from 'react';
import type { Executor } from '../../db/client';
import { queueMail } from '../mail/queue';
import { SecurityNotice } from '../mail/templates/security-notice';

/** Mails about the chain of the audit log itself. @param to none: nothing is mailed */
export async function mailChainNotice(
  tx: Executor,
  to: readonly string[],
  { subject, text, advice }: { subject: string; text: string; advice: string },
): Promise<void> {
  if (to.length === 0) return;
  await queueMail(tx, {
    kind: 'audit-head',
    to: [...to],
    subject,
    body: (context) =>
      createElement(SecurityNotice, {
        ...context,
        ...{ heading: subject, text, advice },
        url: `${context.appUrl}/dashboard/features/audit-logs`,
        linkLabel: 'Open the audit log',
      }),
  });
}
