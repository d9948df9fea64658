import { z } from 'zod';
import { AppError } from '../../errors';
import { parseInput } from './parse';

/**
 * The raw bytes of a request's body, refused beyond a size without reading the rest.
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
 * The JSON of a request's body; an empty body is an empty object, since several calls of the contract send none.
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
