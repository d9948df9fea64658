import { z } from 'zod';
import { providerNames } from '@/sandbox/provider-names';

/** A webhook event of a provider. Its body is stored, so that every delivery has the same bytes and event id. */
const eventSchema = z.object({
  id: z.string(),
  provider: z.enum(providerNames),
  type: z.string(),
  /** The provider's id of its object, e.g. the checkout session. */
  subjectId: z.string(),
  body: z.string(),
  /** Additional signed value: PayPal's webhook id, WeChat's serial number. */
  signedAs: z.string().default(''),
  createdAt: z.number().int(),
});

const attemptSchema = z.object({
  /** Unix milliseconds. */
  at: z.number().int(),
  durationMs: z.number().int(),
  /** Null without a response. */
  status: z.number().int().nullable(),
  error: z.string().nullable(),
});

export const signatures = ['valid', 'forged', 'old'] as const;

/**
 * held: waits for a manual delivery; waiting: the next attempt is at `nextAttemptAt`; lost: dropped by the controls;
 * given_up: the last retry failed.
 */
const deliverySchema = z.object({
  id: z.string(),
  eventId: z.string(),
  reason: z.enum(['event', 'duplicate', 'redelivery']),
  signature: z.enum(signatures),
  state: z.enum(['held', 'waiting', 'delivered', 'lost', 'given_up']),
  createdAt: z.number().int(),
  nextAttemptAt: z.number().int().nullable(),
  attempts: z.array(attemptSchema),
});

export const deliveryStateSchema = z.object({
  events: z.array(eventSchema),
  deliveries: z.array(deliverySchema),
});

export type ProviderEvent = z.infer<typeof eventSchema>;
export type Attempt = z.infer<typeof attemptSchema>;
export type Delivery = z.infer<typeof deliverySchema>;
export type Signature = (typeof signatures)[number];
