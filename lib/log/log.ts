import pino, { type Logger } from 'pino';
import { logLevel } from '../env';
import { describeFailure } from './describe-failure';
import { readableLine } from './readable-line';
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
