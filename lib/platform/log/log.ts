import { inspect } from 'node:util';
import pino, { type Logger } from 'pino';
import { z } from 'zod';
import { logLevel } from '@/lib/env';
import { describeError } from './describe-error';
import { redactFields, redactText } from './redact';

// On globalThis, because the instrumentation and the pages are bundled separately.
const isDevelopment = process.env.NODE_ENV === 'development';
const holder: typeof globalThis & { linkmarketLog?: Logger } = globalThis;

/**
 * Returns the server's log: one JSON object per line, errors to stderr, all other levels to stdout. It is a pino
 * logger: `log().error({ err: thrown, requestId }, 'What failed.')`. Secrets and email addresses are redacted in the
 * message and in all fields (redact.ts). Development prints a readable format, without lines that Next.js prints
 * itself.
 */
export function log(): Logger {
  holder.linkmarketLog ??= openLog();
  return holder.linkmarketLog;
}

function openLog(): Logger {
  const options = {
    level: logLevel() ?? (isDevelopment ? 'warn' : 'info'),
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (level: string) => ({ level }), log: redactFields },
    serializers: { err: (thrown: unknown) => redactFields(describeError(thrown)), msg: redactText },
  };
  const streams = [
    { level: 'trace' as const, stream: writeTo('stdout') },
    { level: 'error' as const, stream: writeTo('stderr') },
  ];
  return pino(options, pino.multistream(streams, { dedupe: true }));
}

/** Writes to pipes and files are synchronous (Node.js, "A note on process I/O"), so that a crash loses no line. */
function writeTo(name: 'stdout' | 'stderr') {
  const asShown = isDevelopment ? readableLine : (line: string) => line;
  return { write: (line: string) => void process[name].write(asShown(line)) };
}

const lineSchema = z.looseObject({ level: z.string(), time: z.string(), msg: z.string().optional() });
const errSchema = z.object({ message: z.string(), cause: z.string().optional(), stack: z.string().optional() });

/** Formats a log line for development: time, level, message, fields, and the stack of an error below it. */
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
