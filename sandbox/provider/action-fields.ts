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

/** Parses whether to allow an action after the deadline. @throws ZodError */
export function parseForce(fields: unknown): boolean {
  return force.parse(fields).force;
}

/** Parses the amount to refund in minor units; null for the rest. @throws ZodError */
export function parseAmount(fields: unknown): number | null {
  return amount.parse(fields).amount;
}

/** Parses the number of days to backdate. @throws ZodError */
export function parseDays(fields: unknown): number {
  return days.parse(fields).days;
}
