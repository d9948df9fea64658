import type { z } from 'zod';
import { AppError } from '../errors';

/**
 * Parses what came in at the edge.
 * @throws AppError invalid_input, with a message by field; the first one is the error's own text
 */
export function parseInput<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  // PostgreSQL's text cannot hold it; refused here, it is a clear 400 wherever it stands.
  if (holdsNul(input)) throw new AppError('invalid_input', 'A text holds a NUL character, which cannot be stored.');
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const fields: Record<string, string> = {};
  for (const issue of parsed.error.issues) fields[issue.path.join('.')] ??= issue.message;
  const first = parsed.error.issues[0];
  const message = first ? sentence(first.path.join('.'), first.message) : 'Invalid input.';
  throw new AppError('invalid_input', message, { fields });
}

function holdsNul(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\u0000');
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([name, item]) => name.includes('\u0000') || holdsNul(item));
}

/** Search params as zod takes them: the last of a repeated name counts. */
export function searchParamsObject(params: URLSearchParams): Record<string, string> {
  return Object.fromEntries(params);
}

/** Our own messages are sentences and stand alone; zod's need the field's name to be understood. */
function sentence(field: string, message: string): string {
  if (message.endsWith('.')) return message;
  return field === '' ? `The request is not as expected: ${message}.` : `${field}: ${message}`;
}
