import { capitals, digits, randomText } from '../provider/random-text';

/** PayPal leaves out what is easily mistaken for another: 0, 1, I and O. */
const payerCharacters = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';

const random = (length: number) => randomText(length, capitals);

/** Identifiers of PayPal's form and length. */
export const newPayPalId = {
  /** Order, capture and refund alike. */
  transaction: () => random(17),
  payer: () => randomText(13, payerCharacters),
  event: () => `WH-${random(17)}-${random(17)}`,
  dispute: () => `PP-D-${randomText(5, digits)}`,
};
