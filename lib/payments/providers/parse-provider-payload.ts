import type { z } from 'zod';
import { ProviderError } from './provider';

/**
 * Parses a provider's payload with a schema.
 * @param sender the provider's name in the error message, e.g. "Stripe"
 * @throws ProviderError with the path of the invalid field, never its value
 */
export function parseProviderPayload<Schema extends z.ZodType>(
  sender: string,
  schema: Schema,
  json: unknown,
): z.output<Schema> {
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new ProviderError(`${sender} sent an invalid payload: ${issue?.path.join('.') || 'root'}`);
}
