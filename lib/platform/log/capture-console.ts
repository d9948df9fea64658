import { format, stripVTControlCharacters } from 'node:util';
import { log } from './log';

/**
 * What Next.js and libraries write to the console becomes lines of the log, without what a log must not have: Next.js
 * prints a failed query with its values. Failures of pages carry a digest and are told by `logPageFailure`, which knows
 * the request; here they are passed over. An error that is only warned about, as of a server action that nobody has, tells
 * its message and no stack.
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
