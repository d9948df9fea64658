import type { z } from 'zod';
import { AppError } from '../errors';
import { requireStorable } from './require-storable';

/**
 * Parses what came in at the edge.
 * @throws AppError invalid_input, with a message by field; the first one is the error's own text
 */
export function parseInput<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  requireStorable(input);
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const fields: Record<string, string> = {};
  for (const issue of parsed.error.issues) fields[issue.path.join('.')] ??= issue.message;
  const first = parsed.error.issues[0];
  const message = first ? sentence(first.path.join('.'), first.message) : 'Invalid input.';
  throw new AppError('invalid_input', message, { fields });
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
