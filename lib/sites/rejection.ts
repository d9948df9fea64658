import { createElement } from 'react';
import type { Executor } from '@/db/client';
import type { Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { queueMail } from '@/lib/mail/compose';
import { findMailRecipient } from '@/lib/mail/recipients';
import { RejectedSitesMail } from '@/lib/mail/templates/sellers';
import type { SiteChanges } from './edit-schemas';
import { explainRejection } from './rejection-reasons';
import type { SiteRow } from './views';

type Rejection = Pick<SiteRow, 'status' | 'rejectionReason' | 'rejectionNote'>;

/**
 * Determines the reason of a rejection after a change. A site that is not rejected has none.
 * @throws AppError invalid_input for a reason of a site that is not rejected, and for `other` without a note
 */
export function resolveRejection(
  before: Rejection,
  changes: Partial<Pick<SiteChanges, 'status' | 'rejectionReason' | 'rejectionNote'>>,
): Pick<Rejection, 'rejectionReason' | 'rejectionNote'> {
  const { status = before.status, rejectionReason = before.rejectionReason } = changes;
  const { rejectionNote = before.rejectionNote } = changes;
  if (status !== 'Rejected') {
    if (!changes.rejectionReason && !changes.rejectionNote) return { rejectionReason: null, rejectionNote: '' };
    const message = 'Only a rejected site has a reason. Set the status to Rejected.';
    const field = changes.rejectionReason ? 'rejectionReason' : 'rejectionNote';
    throw new AppError('invalid_input', message, { fields: { [field]: message } });
  }
  if (rejectionReason === 'other' && rejectionNote === '') {
    const message = 'Write the reason.';
    throw new AppError('invalid_input', message, { fields: { rejectionNote: message } });
  }
  return { rejectionReason, rejectionNote };
}

/** Checks whether a change rejects a site, or changes the reason of its rejection. */
export const isRejection = (before: Rejection, after: Rejection): boolean =>
  after.status === 'Rejected' &&
  (before.status !== 'Rejected' ||
    before.rejectionReason !== after.rejectionReason ||
    before.rejectionNote !== after.rejectionNote);

/** The number of sites that a mail names. */
const maxNamed = 20;

/**
 * Mails the owners of sites that were rejected for one reason: one mail for each owner, except the actor. Runs in the
 * transaction of the change.
 */
export async function queueRejectionMails(tx: Executor, actor: Actor, rejected: readonly SiteRow[]): Promise<void> {
  for (const ownerId of new Set(rejected.map((site) => site.ownerId))) {
    const owned = rejected.filter((site) => site.ownerId === ownerId);
    const [first] = owned;
    if (!first || ownerId === actor.userId) continue;
    const recipient = await findMailRecipient(tx, ownerId);
    if (!recipient || recipient.off.has('seller-site')) continue;
    const isOne = owned.length === 1;
    const subject = isOne ? `${first.name} was rejected` : `${owned.length} of your sites were rejected`;
    const { rejectionReason: reason, rejectionNote: note } = first;
    const path = `/seller/my-sites?${isOne ? `site=${first.id}` : 'status=Rejected'}`;
    await queueMail(tx, {
      kind: 'seller-site',
      to: recipient.email,
      subject,
      news: { userId: ownerId, text: subject, path },
      body: (context) =>
        createElement(RejectedSitesMail, {
          ...context,
          heading: subject,
          ...explainRejection({ reason, note }),
          sites: owned.slice(0, maxNamed).map(({ name, url }) => `${name} (${url})`),
          more: Math.max(owned.length - maxNamed, 0),
          url: `${context.appUrl}${path}`,
        }),
    });
  }
}
