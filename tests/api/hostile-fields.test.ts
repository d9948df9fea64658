import { and, inArray, isNull, like, or } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { packages } from '@/db/schema/packages';
import { niches, postTypes } from '@/db/schema/taxonomy';
import { rotatingThird } from '@/scripts/testing/tier';
import { sendBody } from '@/tests/setup/send-body';
import { type DecoyServer, startDecoyServer } from '@/tests/setup/start-decoy-server';
import { createDealer, decoyTexts, hostileTexts, hostileValues, marker, unstorableText } from './hostile-values';
import { type JsonCall, jsonBodies } from './json-bodies';

const dealValues = createDealer();
let decoy: DecoyServer = { url: '', visits: [], close: () => undefined };

beforeAll(async () => {
  decoy = await startDecoyServer();
});

afterAll(async () => {
  decoy.close();
  // Shared lists must not keep such names. None of them contains what PostgreSQL's text cannot hold.
  const keepable = hostileTexts.filter((text) => !text.includes('\0') && !/\p{Cs}/u.test(text));
  await db()
    .delete(niches)
    .where(or(inArray(niches.name, keepable), like(niches.name, `%${marker}%`)));
  await db()
    .delete(postTypes)
    .where(or(inArray(postTypes.name, keepable), like(postTypes.name, `%${marker}%`)));
  await db()
    .update(packages)
    .set({ deletedAt: new Date() })
    .where(and(isNull(packages.deletedAt), like(packages.name, `%${marker}%`)));
});

/** What the database cannot hold of a field's type, and for a URL the server to which the app must not connect. */
function sharpestFor(usual: unknown): readonly unknown[] {
  const example: unknown = Array.isArray(usual) ? usual[0] : usual;
  if (typeof example === 'number') return [1.5, 2 ** 53 + 2];
  return /^https?:/.test(String(example)) ? [unstorableText, decoy.url] : [unstorableText];
}

/**
 * Bodies in which one field at a time is hostile and the others are valid. Every field gets the values that suit its
 * type, and some of the others, which shared code parses.
 */
function hostileBodies({ body }: JsonCall): { what: string; body: Record<string, unknown> }[] {
  const all = [...hostileTexts, ...decoyTexts(decoy.url), ...hostileValues];
  return Object.entries(body).flatMap(([name, usual]) => {
    const given = [...new Set([...sharpestFor(usual), ...dealValues(name, all)])];
    return [
      ...given.map((value) => ({
        what: `${name}=${JSON.stringify(value).slice(0, 80)}`,
        body: { ...body, [name]: value },
      })),
      // Where a list is expected, the same values inside of it.
      ...(Array.isArray(usual)
        ? given.map((value) => ({
            what: `${name}=[${JSON.stringify(value).slice(0, 80)}]`,
            body: { ...body, [name]: [value] },
          }))
        : []),
    ];
  });
}

// Another third than that of tests/api/mass-assignment.test.ts; tests/api/fuzz.test.ts sends to all of them.
describe.each(rotatingThird(Object.entries(jsonBodies), 1))('%s', (address, calls) => {
  it.each(calls.map((make) => ({ make })))(
    'accepts or rejects hostile fields without a server error (body %#)',
    async ({ make }) => {
      const [method = ''] = address.split(' ');
      const call = await make();
      const failed: string[] = [];
      const waiting = hostileBodies(call);
      const sendNext = async () => {
        for (let next = waiting.pop(); next; next = waiting.pop()) {
          const { status, headers, body } = await sendBody(call.client, call.path, JSON.stringify(next.body), {
            method,
          });
          const hasReason = status < 400 || (typeof body === 'object' && typeof Object(body).error === 'string');
          const isExpected = status < 500 || (status === 503 && call.isNotConfigured);
          if (!isExpected || !hasReason) failed.push(`${next.what}: ${status} ${JSON.stringify(body).slice(0, 200)}`);
          // No input becomes a response header.
          if (headers.has('bcc') || headers.getSetCookie().some((line) => line.includes('evil')))
            failed.push(next.what);
        }
      };
      await Promise.all([sendNext(), sendNext(), sendNext(), sendNext()]);
      expect(failed).toEqual([]);
    },
    300_000,
  );
});

it('connects to no address from user input', () => {
  expect(decoy.visits).toEqual([]);
});
