import { format, stripVTControlCharacters } from 'node:util';
import { log } from './log';

/**
 * Redirects the console output of Next.js and libraries to the log, with redaction: Next.js prints a failed query with
 * its parameters. Errors of pages carry a digest and are skipped, because `logRequestError` logs them with their
 * request. Errors at level warn, e.g. of an unknown server action, are logged without a stack.
 */
export function captureConsole(): void {
  const createWriter =
    (level: 'debug' | 'info' | 'warn' | 'error') =>
    (...args: unknown[]) => {
      const err = args.find((part) => part instanceof Error);
      if (err && 'digest' in err) return;
      const values = level === 'error' ? args.filter((part) => part !== err) : args.map(withoutStack);
      const msg = stripVTControlCharacters(format(...values)).trim();
      log()[level]({ ...(level === 'error' && err && { err }) }, msg || 'Something failed.');
    };
  Object.assign(console, {
    debug: createWriter('debug'),
    log: createWriter('info'),
    info: createWriter('info'),
    warn: createWriter('warn'),
    error: createWriter('error'),
  });
}

const withoutStack = (part: unknown) => (part instanceof Error ? String(part) : part);
