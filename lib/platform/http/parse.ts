import type { z } from 'zod';
import { AppError } from '../../errors';

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

/** Converts search params to an object for zod; the last of a repeated name wins. */
export function searchParamsObject(params: URLSearchParams): Record<string, string> {
  return Object.fromEntries(params);
}

/** The app's own messages are complete sentences; zod's messages need the name of the field. */
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
