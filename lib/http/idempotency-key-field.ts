import { z } from 'zod';

const rule = 'An Idempotency-Key has 1 to 200 characters.';

/** The header as addresses declare it. */
export const idempotencyKeyHeader = {
  'Idempotency-Key': 'A repeat with the same key and request answers what the first answered, and does nothing more.',
};

/** The Idempotency-Key header; null without one. */
export const idempotencyKeyField = z.string().trim().min(1, rule).max(200, rule).nullable();
