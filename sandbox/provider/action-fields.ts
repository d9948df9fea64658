import { z } from 'zod';

const force = z.object({ force: z.union([z.boolean(), z.stringbool()]).default(false) });
const amount = z.object({
  amount: z
    .preprocess(
      (value) => (value === '' ? null : value),
      z.union([z.null(), z.coerce.number().int().min(1).max(99_999_999)]),
    )
    .default(null),
});

/** Whether something is to happen although it is too late. @throws ZodError */
export function forceOf(fields: unknown): boolean {
  return force.parse(fields).force;
}

/** How much to give back, in minor units; null for the rest. @throws ZodError */
export function amountOf(fields: unknown): number | null {
  return amount.parse(fields).amount;
}
