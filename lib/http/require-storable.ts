import { AppError } from '../errors';

/** Deeper than any body of ours; what walks or writes out a deeper one would run out of stack. */
const maxDepth = 64;

/**
 * Refuses what PostgreSQL's text or JSON cannot hold, wherever in an input it stands, names of fields included: a NUL
 * character, half of a character (a surrogate without its other half), and values inside one another without end.
 * @throws AppError invalid_input
 */
export function requireStorable(input: unknown): void {
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
