import { z } from 'zod';

/** limit and offset of the contract's lists. */
export function pageQuery(defaultLimit: number, maxLimit: number) {
  return z.object({
    limit: z.coerce.number().int().min(1).max(maxLimit).default(defaultLimit),
    offset: z.coerce.number().int().min(0).max(10_000_000).default(0),
  });
}

export type Page<T> = { rows: T[]; total: number };
