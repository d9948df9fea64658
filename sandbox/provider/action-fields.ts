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

const days = z.object({ days: z.coerce.number().int().min(1).max(365).default(1) });

/** Whether something is to happen although it is too late. @throws ZodError */
export function forceOf(fields: unknown): boolean {
  return force.parse(fields).force;
}

/** How much to give back, in minor units; null for the rest. @throws ZodError */
export function amountOf(fields: unknown): number | null {
  return amount.parse(fields).amount;
}

/** How many days something is moved back. @throws ZodError */
export function daysOf(fields: unknown): number {
  return days.parse(fields).days;
}
