import { capitals, digits, randomText } from '../provider/random-text';

const random = (length: number) => randomText(length, capitals);

/** Identifiers of PayPal's form and length. */
export const newPayPalId = {
  /** Order, capture and refund alike. */
  transaction: () => random(17),
  payer: () => random(13),
  event: () => `WH-${random(17)}-${random(17)}`,
  dispute: () => `PP-D-${randomText(5, digits)}`,
};
