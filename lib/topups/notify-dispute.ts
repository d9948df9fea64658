import { eq } from 'drizzle-orm';
import { createElement } from 'react';
import type { Executor } from '../../db/client';
import { notices } from '../../db/schema/notices';
import type { paymentReversals, topups } from '../../db/schema/topups';
import { users } from '../../db/schema/users';
import { env } from '../env';
import { queueMail } from '../mail/queue';
import { selectStaffReaders, staffWith } from '../mail/readers';
import { PaymentDisputeMail } from '../mail/templates/payment-dispute';
import { formatMoney } from '../money';
import { disputeReason } from '../payments/dispute-reason';
import { disputeDashboardUrl } from '../payments/dispute-url';
import { providerNames } from '../payments/names';

type Dispute = typeof paymentReversals.$inferSelect;

const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });

/**
 * Tells the staff with ManagePayments that a dispute was opened: in the bell, and by mail to those who want it. In the
 * transaction that books it.
 */
export async function notifyDispute(
  tx: Executor,
  { userId }: Pick<typeof topups.$inferSelect, 'userId'>,
  dispute: Dispute,
): Promise<void> {
  const provider = providerNames[dispute.provider];
  const money = formatMoney(dispute.amountMinor, dispute.currency);
  const staff = await tx.select({ id: users.id }).from(users).where(staffWith(tx, 'ManagePayments'));
  if (staff.length === 0) return;
  const subject = `${money} at ${provider}`;
  await tx.insert(notices).values(staff.map(({ id }) => ({ userId: id, kind: 'payment.disputed' as const, subject })));
  const [buyer] = await tx.select({ email: users.email }).from(users).where(eq(users.id, userId));
  const readers = await selectStaffReaders(tx, 'ManagePayments', 'payment-dispute', '');
  await queueMail(tx, {
    kind: 'payment-dispute',
    to: readers.map(({ email }) => email),
    subject: `${money} disputed at ${provider}`,
    body: (context) =>
      createElement(PaymentDisputeMail, {
        ...context,
        heading: `${money} disputed at ${provider}`,
        summary: `${buyer?.email ?? userId} disputes a top-up: ${disputeReason(dispute.reason)}.`,
        deadline: dispute.evidenceDueBy
          ? `${provider} takes evidence until ${day.format(dispute.evidenceDueBy)} (UTC).`
          : `${provider} states no deadline for evidence.`,
        providerUrl: disputeDashboardUrl(dispute),
        provider,
        url: `${env().APP_URL}/dashboard/features/payments/disputes`,
      }),
  });
}
