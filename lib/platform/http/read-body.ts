import { z } from 'zod';
import { AppError } from '@/lib/errors';
import { parseInput } from './parse';

/**
 * Reads the raw bytes of a request's body, and stops at the maximum size.
 * @throws AppError too_large
 */
export async function readBytes(request: Request, maxBytes: number): Promise<Buffer> {
  const tooLarge = () => new AppError('too_large', `The request is larger than ${Math.floor(maxBytes / 1024)} kB.`);
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throw tooLarge();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/**
 * Reads a JSON body. An empty body is read as an empty object, because some requests of the API have none.
 * @throws AppError too_large, invalid_input
 */
export async function readJson(request: Request, maxBytes = 256 * 1024): Promise<unknown> {
  const text = (await readBytes(request, maxBytes)).toString('utf8');
  if (text.trim() === '') return {};
  try {
    return JSON.parse(text);
  } catch {
    throw new AppError('invalid_input', 'The request is not valid JSON.');
  }
}

const rule = 'An Idempotency-Key must have 1 to 200 characters.';
const field = z.string().trim().min(1, rule).max(200, rule).nullable();

/** The declaration of the header, for `route()`. */
export const idempotencyKeyHeader = {
  'Idempotency-Key': 'Repeating a request with the same key returns the first response and does nothing else.',
};

/** Reads the Idempotency-Key header; null without one. @throws AppError invalid_input */
export function readIdempotencyKey({ headers }: Pick<Request, 'headers'>): string | null {
  return parseInput(field, headers.get('idempotency-key'));
}
