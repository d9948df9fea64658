import type { z } from 'zod';
import { ProviderError } from './provider';

/**
 * What a provider sent, by a schema.
 * @param sender as in "Stripe sent…"
 * @throws ProviderError naming the field that is not as promised, never its value
 */
export function parseProviderPayload<Schema extends z.ZodType>(
  sender: string,
  schema: Schema,
  json: unknown,
): z.output<Schema> {
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new ProviderError(`${sender} sent what cannot be understood: ${issue?.path.join('.') || 'the whole'}`);
}
