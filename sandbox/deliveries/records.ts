import { z } from 'zod';
import { providerNames } from '../provider/names';

/** A notification of a provider: its body is fixed once, so that every delivery carries the same bytes and event id. */
const eventSchema = z.object({
  id: z.string(),
  provider: z.enum(providerNames),
  type: z.string(),
  /** The provider's id of what it is about, e.g. the checkout session. */
  subjectId: z.string(),
  body: z.string(),
  /** What the signature names besides the body: PayPal's webhook id, WeChat's serial number. */
  signedAs: z.string().default(''),
  createdAt: z.number().int(),
});

const attemptSchema = z.object({
  /** Unix milliseconds. */
  at: z.number().int(),
  durationMs: z.number().int(),
  /** Null when no answer came. */
  status: z.number().int().nullable(),
  error: z.string().nullable(),
});

export const signatures = ['valid', 'forged', 'old'] as const;

/**
 * held: waits for a person or a test; waiting: will be tried at `nextAttemptAt`; lost: dropped on purpose;
 * given_up: the last retry failed too.
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
