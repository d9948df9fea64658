import type { z } from 'zod';
import { AppError } from '../../errors';

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

/** Deeper than any body of ours; what walks or writes out a deeper one would run out of stack. */
const maxDepth = 64;

/**
 * Refuses what PostgreSQL's text or JSON cannot hold, wherever in an input it stands, names of fields included: a NUL
 * character, half of a character (a surrogate without its other half), and values inside one another without end.
 * @throws AppError invalid_input
 */
function requireStorable(input: unknown): void {
  const waiting: { value: unknown; depth: number }[] = [{ value: input, depth: 0 }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { value, depth } = next;
    if (typeof value === 'string') requireStorableText(value);
    if (typeof value !== 'object' || value === null) continue;
    if (depth === maxDepth) throw new AppError('invalid_input', 'The request is nested too deeply.');
    for (const [name, item] of Object.entries(value)) {
      requireStorableText(name);
      waiting.push({ value: item, depth: depth + 1 });
    }
  }
}

function requireStorableText(text: string): void {
  if (text.includes('\u0000')) {
    throw new AppError('invalid_input', 'A text holds a NUL character, which cannot be stored.');
  }
  if (/\p{Cs}/u.test(text)) {
    throw new AppError('invalid_input', 'A text holds half of a character, which cannot be stored. Enter it again.');
  }
}
