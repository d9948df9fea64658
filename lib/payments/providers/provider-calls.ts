import type { z } from 'zod';
import type { PaymentProviderName } from '@/db/schema/topups';
import { AppError } from '@/lib/errors';
import { describeError } from '@/lib/platform/log/describe-error';
import { countProviderCall } from '@/lib/platform/metrics/process-metrics';
import { isOutage, ProviderError, ProviderRefusal } from './provider';

/**
 * Makes a call of a provider and counts it for /api/metrics by its outcome: `failed` if other calls would fail as well,
 * e.g. without an answer, with an invalid key or at a rate limit; `refused` if the provider rejected this request.
 */
export async function measureCall<T>(provider: PaymentProviderName, call: () => Promise<T>): Promise<T> {
  try {
    const result = await call();
    countProviderCall(provider, 'ok');
    return result;
  } catch (thrown) {
    const isRefusal = thrown instanceof ProviderError && !isOutage(thrown);
    countProviderCall(provider, isRefusal ? 'refused' : 'failed');
    throw thrown;
  }
}

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

/** Waits for a call. @returns null when the provider refuses it with one of the statuses, e.g. for an unknown object */
export async function unlessRefused<T>(call: Promise<T>, ...statuses: number[]): Promise<T | null> {
  try {
    return await call;
  } catch (thrown) {
    if (thrown instanceof ProviderRefusal && statuses.includes(thrown.httpStatus)) return null;
    throw thrown;
  }
}

/** Parses JSON from a provider. @returns undefined for an invalid text */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Parses the JSON of a webhook event. @throws AppError invalid_input when it is not JSON */
export function parseNotification(text: string): unknown {
  const json = parseJson(text);
  if (json === undefined) throw new AppError('invalid_input', 'The notification cannot be parsed.');
  return json;
}

/** Reads a response. @returns null for one with more bytes, whose rest is not read */
export async function readLimited(response: Response, maxBytes: number): Promise<Buffer | null> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.length;
    if (bytes > maxBytes) return null;
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** Stores the newest entry of a cache, and drops the oldest one of more than `max`. */
export function cacheNewest<Value>(cache: Map<string, Value>, key: string, value: Value, max: number): void {
  cache.delete(key);
  cache.set(key, value);
  const [oldest] = cache.keys();
  if (cache.size > max && oldest !== undefined) cache.delete(oldest);
}

const maxLength = 300;

/** Returns the reason of a failure for staff: at most 300 characters, without the parameters of a failed query. */
export function failureReason(thrown: unknown): string {
  return getReason(thrown).slice(0, maxLength);
}

function getReason(thrown: unknown): string {
  if (thrown instanceof ProviderError) return thrown.reason;
  if (thrown instanceof AppError) return thrown.message;
  const { message, cause } = describeError(thrown);
  // The database's message is more specific than the failed statement.
  return cause ? `${cause} (${message})` : message;
}
