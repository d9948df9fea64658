import { sql } from 'drizzle-orm';
import { type PaymentProviderName, topups } from '../../db/schema/topups';
import { providerNames } from './names';
import type { CollectionRefusal } from './provider';

/** Begins the reason of a top-up that failed because of our account at the provider. */
const accountProblem = 'Account problem: ';

/** Why the provider did not collect a payment, for staff, with the provider's own code. */
export function refusalReason(provider: PaymentProviderName, { kind, code }: CollectionRefusal): string {
  const name = providerNames[provider];
  const what = `${name} refused to collect the payment: ${code}.`;
  switch (kind) {
    case 'merchant_action':
      return `${accountProblem}${what} Check the account and its permissions at ${name}.`;
    case 'payer_action':
      return `${what} The buyer has to go back to ${name} and choose another way to pay.`;
    case 'temporary':
      return `${what} The request is repeated.`;
    case 'final':
      return what;
  }
}

/** Top-ups of the last seven days that failed because of our account at the provider. */
export const failedByAccount = () =>
  sql`(${topups.status} = 'failed' and starts_with(${topups.reason}, ${accountProblem})
    and ${topups.updatedAt} > now() - interval '7 days')`;
