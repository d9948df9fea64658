import { z } from 'zod';

/** A whole number of a form field, within bounds; an empty field is no number. @param unit as the message names it */
export function wholeNumberField({ min, max }: { min: number; max: number }, unit: string) {
  const message = `Enter ${min} to ${max} ${unit}.`;
  return z
    .string(message)
    .trim()
    .regex(/^\d{1,9}$/, message)
    .transform(Number)
    .pipe(z.int().min(min, message).max(max, message));
}
