import { inspect } from 'node:util';
import pino, { type Logger } from 'pino';
import { z } from 'zod';
import { logLevel } from '../../env';
import { describeFailure } from './describe-failure';
import { redactFields, redactText } from './redact';

// Kept on globalThis: the bundler gives the instrumentation and the pages a copy of this module each.
const isDevelopment = process.env.NODE_ENV === 'development';
const holder: typeof globalThis & { linkmarketLog?: Logger } = globalThis;

/**
 * The server's log: one JSON object a line, errors to stderr, the rest to stdout. Called pino's way:
 * `log().error({ err: thrown, requestId }, 'What could not be done.')`. Secrets and e-mail addresses are taken out of
 * the text and of every field (redact.ts). Development gets the same lines for the eye, without those that Next.js
 * prints itself.
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
    serializers: { err: (thrown: unknown) => redactFields(describeFailure(thrown)), msg: redactText },
  };
  const streams = [
    { level: 'trace' as const, stream: writeTo('stdout') },
    { level: 'error' as const, stream: writeTo('stderr') },
  ];
  return pino(options, pino.multistream(streams, { dedupe: true }));
}

/** Pipes and files are written at once (Node.js, "A note on process I/O"), so that a crash loses no line. */
function writeTo(name: 'stdout' | 'stderr') {
  const asShown = isDevelopment ? readableLine : (line: string) => line;
  return { write: (line: string) => void process[name].write(asShown(line)) };
}

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
