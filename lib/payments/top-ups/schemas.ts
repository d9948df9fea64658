import { z } from 'zod';
import { currencyField } from '@/lib/platform/http/fields';

/**
 * Body of the top-up endpoints. `amount` is in major units, a number or a string. `requireTopupAmount` validates it, so
 * that every invalid amount has the same error text.
 */
export const topupBody = z.object({
  amount: z.union([z.number(), z.string().max(40)]).catch(''),
  currency: currencyField,
  returnUrl: z.string().max(2000).default('/user/wallet'),
  cancelUrl: z.string().max(2000).optional(),
});

export const topupIdField = z.string().regex(/^[0-9a-z]{6,32}$/);

/** The parameters of the URL by which a buyer returns from a provider. */
export const topupReturnInput = z.object({
  topupId: topupIdField,
  /** The provider's reference, if it adds one. */
  reference: z.string().min(1).max(200).nullable(),
});
export type TopupReturn = z.output<typeof topupReturnInput>;
