import { capitals, digits, randomText } from '@/sandbox/provider/random-text';

/** PayPal omits ambiguous characters: 0, 1, I and O. */
const payerCharacters = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';

const random = (length: number) => randomText(length, capitals);

/** Generates ids in PayPal's format. */
export const newPayPalId = {
  /** Id of an order, capture or refund. */
  transaction: () => random(17),
  /** Id of a payout or of a batch of payouts. */
  payout: () => random(13),
  payer: () => randomText(13, payerCharacters),
  event: () => `WH-${random(17)}-${random(17)}`,
  dispute: () => `PP-D-${randomText(5, digits)}`,
};
