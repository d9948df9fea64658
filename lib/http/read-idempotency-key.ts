import { z } from 'zod';
import { parseInput } from './parse';

const rule = 'An Idempotency-Key has 1 to 200 characters.';
const field = z.string().trim().min(1, rule).max(200, rule).nullable();

/** The header as addresses declare it. */
export const idempotencyKeyHeader = {
  'Idempotency-Key': 'A repeat with the same key and request answers what the first answered, and does nothing more.',
};

/** The Idempotency-Key header; null without one. @throws AppError invalid_input */
export function readIdempotencyKey({ headers }: Pick<Request, 'headers'>): string | null {
  return parseInput(field, headers.get('idempotency-key'));
}
