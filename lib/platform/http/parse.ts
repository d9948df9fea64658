import { z } from 'zod';
import { AppError } from '@/lib/errors';

/**
 * Parses external input.
 * @throws AppError invalid_input, with a message for each field; the first one is also the error's message
 */
export function parseInput<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  requireStorable(input);
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const fields: Record<string, string> = {};
  for (const issue of parsed.error.issues) fields[issue.path.join('.')] ??= issue.message;
  const first = parsed.error.issues[0];
  const message = first ? formatMessage(first.path.join('.'), first.message) : 'Invalid input.';
  throw new AppError('invalid_input', message, { fields });
}

/**
 * Converts search params to an object for zod.
 * @param lists the names whose values become an array when they are repeated; of other names the last value wins
 */
export function searchParamsObject(
  params: URLSearchParams,
  lists: ReadonlySet<string>,
): Record<string, string | string[]> {
  const input: Record<string, string | string[]> = Object.fromEntries(params);
  for (const name of lists) {
    const values = params.getAll(name);
    if (values.length > 1) input[name] = values;
  }
  return input;
}

const listParams = new WeakMap<z.ZodType, ReadonlySet<string>>();

/** Returns the query parameters that can be repeated: those whose schema accepts an array. */
export function getListParams(query: z.ZodType): ReadonlySet<string> {
  const known = listParams.get(query);
  if (known) return known;
  const { properties = {} } = z.toJSONSchema(query, { io: 'input', unrepresentable: 'any' });
  const found = new Set(
    Object.entries(properties)
      .filter(([, property]) => acceptsArray(property))
      .map(([name]) => name),
  );
  listParams.set(query, found);
  return found;
}

type Property = NonNullable<z.core.JSONSchema.BaseSchema['properties']>[string];

const acceptsArray = (property: Property): boolean =>
  typeof property === 'object' && (property.type === 'array' || (property.anyOf ?? []).some(acceptsArray));

/** Formats a message: the app's own are complete sentences; zod's need the name of the field. */
function formatMessage(field: string, message: string): string {
  if (message.endsWith('.')) return message;
  return field === '' ? `Invalid request: ${message}.` : `${field}: ${message}`;
}

/** More than any valid body needs; protects recursive code from a stack overflow. */
const maxDepth = 64;

/**
 * Rejects values that PostgreSQL's text or JSON cannot store, anywhere in the input and in property names: NUL
 * characters, unpaired surrogates, and excessive nesting.
 * @throws AppError invalid_input
 */
function requireStorable(input: unknown): void {
  const pending: { value: unknown; depth: number }[] = [{ value: input, depth: 0 }];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { value, depth } = next;
    if (typeof value === 'string') requireStorableText(value);
    if (typeof value !== 'object' || value === null) continue;
    if (depth === maxDepth) throw new AppError('invalid_input', 'The request is nested too deeply.');
    for (const [name, item] of Object.entries(value)) {
      requireStorableText(name);
      pending.push({ value: item, depth: depth + 1 });
    }
  }
}

function requireStorableText(text: string): void {
  if (text.includes('\u0000')) {
    throw new AppError('invalid_input', 'Text cannot contain a NUL character.');
  }
  if (/\p{Cs}/u.test(text)) {
    throw new AppError(
      'invalid_input',
      'The text contains an incomplete character, which cannot be stored. Enter it again.',
    );
  }
}

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
export function parseIdempotencyKey({ headers }: Pick<Request, 'headers'>): string | null {
  return parseInput(field, headers.get('idempotency-key'));
}
