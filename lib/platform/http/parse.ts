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
 * Parses the query of a request. In a request that reads, an empty parameter counts as absent, because a form sends its
 * blank fields too. Parameters that the schema does not declare are ignored.
 * @throws AppError invalid_input, also for a parameter in brackets, and for a repeated one that accepts one value
 */
export function parseQuery<Schema extends z.ZodType>(
  schema: Schema,
  searchParams: URLSearchParams,
  method: string,
): z.output<Schema> {
  const { names, lists } = getParams(schema);
  const isRead = method === 'GET' || method === 'HEAD';
  const input: Record<string, string | string[]> = {};
  const fields: Record<string, string> = {};
  for (const [name, value] of searchParams) {
    requireStorableText(name, '');
    requireStorableText(value, name);
  }
  for (const name of new Set(searchParams.keys())) {
    const stem = name.replace(/\[.*/s, '');
    const values = searchParams.getAll(name).filter((value) => value !== '' || !isRead);
    const [value] = values;
    if (stem !== name && names.has(stem)) fields[stem] = `Send ${stem} without brackets.`;
    else if (!names.has(name) || value === undefined) continue;
    else if (values.length === 1) input[name] = value;
    else if (lists.has(name)) input[name] = values;
    else fields[name] = `Send ${name} only once.`;
  }
  const [refusal] = Object.values(fields);
  if (refusal !== undefined) throw new AppError('invalid_input', refusal, { fields });
  return parseInput(schema, input);
}

/**
 * Parses the filters of a screen's address. Invalid values, for example of an edited link, are ignored and named, where
 * the API and exports refuse them.
 */
export function parseFilters<Shape extends z.ZodRawShape>(
  schema: z.ZodObject<Shape>,
  input: Readonly<Record<string, unknown>>,
): { filter: z.output<z.ZodObject<Shape>>; ignored: string[] } {
  const { success, data, error } = schema.safeParse(input);
  if (success) return { filter: data, ignored: [] };
  const refused = new Set(error.issues.map(({ path }) => String(path[0])));
  const kept = Object.entries(input).filter(([name]) => !refused.has(name));
  return {
    filter: schema.parse(Object.fromEntries(kept)),
    ignored: Object.keys(schema.shape).filter((name) => refused.has(name)),
  };
}

type Params = { names: ReadonlySet<string>; lists: ReadonlySet<string> };
const knownParams = new WeakMap<z.ZodType, Params>();

function getParams(query: z.ZodType): Params {
  const known = knownParams.get(query);
  if (known) return known;
  const { properties = {} } = z.toJSONSchema(query, { io: 'input', unrepresentable: 'any' });
  const names = Object.keys(properties);
  const isList = (name: string) => acceptsArray(properties[name] ?? false);
  const found = { names: new Set(names), lists: new Set(names.filter(isList)) };
  knownParams.set(query, found);
  return found;
}

/** Returns the query parameters that can be repeated: those whose schema accepts an array. */
export const getListParams = (query: z.ZodType): ReadonlySet<string> => getParams(query).lists;

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
  const pending: { value: unknown; depth: number; field: string }[] = [{ value: input, depth: 0, field: '' }];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { value, depth, field } = next;
    if (typeof value === 'string') requireStorableText(value, field);
    if (typeof value !== 'object' || value === null) continue;
    if (depth === maxDepth) throw new AppError('invalid_input', 'The request is nested too deeply.');
    for (const [name, item] of Object.entries(value)) {
      requireStorableText(name, field);
      pending.push({ value: item, depth: depth + 1, field: field === '' ? name : `${field}.${name}` });
    }
  }
}

function requireStorableText(text: string, field: string): void {
  const refuse = (message: string) => new AppError('invalid_input', message, { fields: { [field]: message } });
  if (text.includes('\u0000')) throw refuse('Text cannot contain a NUL character.');
  if (/\p{Cs}/u.test(text))
    throw refuse('The text contains an incomplete character, which cannot be stored. Enter it again.');
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
