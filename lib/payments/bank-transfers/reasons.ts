import type { BankLineReason } from '@/db/schema/bank-transfers';

/** Why a line was not credited, and what to do, for staff. */
export const reasonTexts: Readonly<Record<BankLineReason, string>> = {
  pending: 'Its credit was interrupted. Credit it, or upload the file again.',
  no_reference: 'The transfer has no reference. Find its buyer by the payer and the amount.',
  unknown_reference: 'No request has this reference. Find its buyer by the payer and the amount.',
  several_references: 'The transfer has the references of several requests. Ask the buyer which one it pays.',
  amount_differs: 'The amount differs from the request. Credit what arrived, or send it back.',
  paid_twice: 'The request was paid before. Check that it is not the same payment from another file.',
  other_currency:
    'The transfer is in another currency than the request. Credit it at the rate of its day, or send it back.',
  no_rate: 'There is no exchange rate of its day yet. Credit it when there is one.',
  account_closed: 'The buyer’s account was deleted. Send the money back.',
  own_wallet: 'The person who uploaded the statement is the buyer. Another person credits it.',
  needs_approval: 'The credit exceeds the limit of one person. A second person approves it.',
  credit_deleted: 'An admin deleted its credit.',
  reversal: 'The bank took an earlier transfer back. Take it back from the buyer, or close this line.',
  sent_back: 'Sent back to the payer.',
  taken_back: 'Taken back by the bank.',
  not_a_topup: 'No payment of a buyer.',
};
