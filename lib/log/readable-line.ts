import { inspect } from 'node:util';
import { z } from 'zod';

const lineSchema = z.looseObject({ level: z.string(), time: z.string(), msg: z.string().optional() });
const errSchema = z.object({ message: z.string(), cause: z.string().optional(), stack: z.string().optional() });

/** A log line for the eyes of a developer: time, level, what happened, its fields, and below it an error's stack. */
export function readableLine(json: string): string {
  const { level, time, msg = '', err, ...fields } = lineSchema.parse(JSON.parse(json));
  const rest = Object.entries(fields).map(
    ([name, value]) => `${name}=${typeof value === 'string' ? value : inspect(value)}`,
  );
  const head = [time.slice(11, 23), level.toUpperCase().padEnd(5), msg, ...rest].filter(Boolean).join(' ');
  const failure = errSchema.safeParse(err);
  if (!failure.success) return `${head}\n`;
  const { message, cause, stack } = failure.data;
  return [head, stack ?? message, cause && `caused by ${cause}`, ''].filter((part) => part !== undefined).join('\n');
}
