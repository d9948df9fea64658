import { z } from 'zod';

const rule = 'An Idempotency-Key has 1 to 200 characters.';

/** The Idempotency-Key header; null without one. */
export const idempotencyKeyField = z.string().trim().min(1, rule).max(200, rule).nullable();
