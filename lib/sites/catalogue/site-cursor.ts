import { z } from 'zod';
import { type SiteSortKey, siteSortKeys } from '@/lib/sites/sort-keys';

/** A position in a sorted list: after the last site of a page or before its first. Stable while sites are added and removed. */
export type SiteCursor = {
  toward: 'next' | 'previous';
  sort: SiteSortKey;
  order: 'asc' | 'desc';
  /** The value of the sorted column at this position; null if it is unknown. */
  value: string | number | null;
  id: number;
};

const parts = z.tuple([
  z.enum(['next', 'previous']),
  z.enum(siteSortKeys),
  z.enum(['asc', 'desc']),
  z.union([z.string().max(400), z.number(), z.null()]),
  z.int().min(1).max(2_147_483_647),
]);

const score = z.number().nullable();

/** Valid values of each sorted column (db/schema/sites.ts); PostgreSQL rejects a fraction for a bigint. */
const cursorValue: Record<SiteSortKey, z.ZodType> = {
  name: z.string().refine((name) => !name.includes('\u0000')),
  price: z.int(),
  traffic: z.int().nullable(),
  dr: score,
  da: score,
  added: z.number(),
  value: z.int().nullable(),
};

/** Encodes a cursor as URL-safe base64. */
export function encodeCursor({ toward, sort, order, value, id }: SiteCursor): string {
  return Buffer.from(JSON.stringify([toward, sort, order, value, id])).toString('base64url');
}

/** Decodes a cursor. @returns null for an invalid cursor */
export function decodeCursor(text: string): SiteCursor | null {
  const parsed = parts.safeParse(parseJson(Buffer.from(text, 'base64url').toString()));
  if (!parsed.success) return null;
  const [toward, sort, order, value, id] = parsed.data;
  return cursorValue[sort].safeParse(value).success ? { toward, sort, order, value, id } : null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
