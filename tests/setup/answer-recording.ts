import { readFileSync, writeFileSync } from 'node:fs';
import { expect } from 'vitest';
import { appUrl } from './http-client';

/** Other headers are of the connection, of security or of the session, and have tests of their own. */
const recordedHeaders = [
  ...['content-type', 'content-disposition', 'cache-control', 'location', 'retry-after'],
  ...['x-total-count', 'x-total-capped', 'x-next-cursor'],
];

type Sent = { body?: unknown; headers?: Record<string, string>; file?: File };

/**
 * Sends requests and records them with their responses, to compare them with a file. Random values and times are
 * replaced by names, numbered in the order in which they appear; everything else is kept byte for byte.
 * @param origin the instance that responds
 * @param idKinds the kinds of integer ids, by the first two digits of their nine
 */
export function createRecording(origin: string, idKinds: Record<string, string>) {
  const steps: string[] = [];
  const normalise = createNormaliser(idKinds);
  return {
    /** @returns the text of the response */
    async send(caller: string, cookie: string, line: string, { body, headers = {}, file }: Sent = {}): Promise<string> {
      const [method = '', path = ''] = line.split(' ');
      const form = new FormData();
      if (file) form.append('file', file);
      // A text is sent as it is, e.g. as JSON with an error.
      const text = typeof body === 'string' ? body : body === undefined ? undefined : JSON.stringify(body);
      const response = await fetch(`${origin}${path}`, {
        method,
        redirect: 'manual',
        headers: {
          'x-forwarded-for': '10.0.0.1',
          ...(cookie && { cookie }),
          ...(method !== 'GET' && { origin: new URL(appUrl).origin }),
          ...(text !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        body: file ? form : text,
      });
      const answer = Buffer.from(await response.arrayBuffer()).toString();
      const named = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
      const received = [...response.headers].filter(([name]) => recordedHeaders.includes(name));
      const request = [`${caller} ${line}`, ...named, ...(file ? [`file: ${file.name}`] : []), ...(text ? [text] : [])];
      const status = [`${response.status}`, ...received.map(([name, value]) => `${name}: ${value}`)];
      // The times of orders are compared with each other: an order that no request changed keeps its own.
      steps.push(normalise([...request, '', ...status, '', answer].join('\n'), path.includes('/orders')));
      return answer;
    },

    /** Records lines that are no response. */
    note(title: string, lines: string[]): void {
      steps.push(normalise([title, '', ...lines].join('\n'), false));
    },

    /** Compares every step with the file, or writes the file if RECORD_ANSWERS is 1. */
    compareWith(file: string): void {
      const separator = `\n${'='.repeat(100)}\n`;
      if (process.env.RECORD_ANSWERS === '1') writeFileSync(file, `${steps.join(separator)}\n`);
      const recorded = readFileSync(file, 'utf8').replace(/\n$/, '').split(separator);
      for (const [index, step] of steps.entries()) {
        expect.soft(step, `Step ${index + 1}: ${step.split('\n')[0]}`).toBe(recorded[index]);
      }
      expect(steps).toHaveLength(recorded.length);
    },
  };
}

function createNormaliser(idKinds: Record<string, string>) {
  const names = new Map<string, string>();
  const counts = new Map<string, number>();
  const nameOf = (kind: string, value: string): string => {
    const known = names.get(value);
    if (known) return known;
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    names.set(value, `<${kind} ${count}>`);
    return `<${kind} ${count}>`;
  };
  return (text: string, isTimeNumbered: boolean): string =>
    text
      .replaceAll(new URL(appUrl).origin, '<app>')
      .replace(/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, (value) =>
        isTimeNumbered ? nameOf('time', value) : '<time>',
      )
      .replace(/\b20\d\d-\d\d-\d\d\b/g, '<date>')
      .replace(/\b[0-7][0-9a-hjkmnp-tv-z]{25}\b/g, (value) => nameOf('id', value))
      // Also after an encoded "#" in a URL.
      .replace(/(?:(?<=%23)|\b)\d{9}\b/g, (value) => {
        const kind = idKinds[value.slice(0, 2)];
        return kind ? nameOf(kind, value) : value;
      });
}
