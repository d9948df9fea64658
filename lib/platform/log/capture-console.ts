import { format, stripVTControlCharacters } from 'node:util';
import { log } from './log';

/**
 * Redirects the console output of Next.js and libraries to the log, with redaction: Next.js prints a failed query with
 * its parameters. Errors of pages carry a digest and are skipped, because `logPageFailure` logs them with their
 * request. Errors at level warn, e.g. of an unknown server action, are logged without a stack.
 */
export function captureConsole(): void {
  const asLine =
    (level: 'debug' | 'info' | 'warn' | 'error') =>
    (...said: unknown[]) => {
      const err = said.find((part) => part instanceof Error);
      if (err && 'digest' in err) return;
      const told = level === 'error' ? said.filter((part) => part !== err) : said.map(withoutStack);
      const msg = stripVTControlCharacters(format(...told)).trim();
      log()[level]({ ...(level === 'error' && err && { err }) }, msg || 'Something failed.');
    };
  Object.assign(console, {
    debug: asLine('debug'),
    log: asLine('info'),
    info: asLine('info'),
    warn: asLine('warn'),
    error: asLine('error'),
  });
}

const withoutStack = (part: unknown) => (part instanceof Error ? String(part) : part);
