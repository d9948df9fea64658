import { and, inArray, isNull, like, or } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { packages } from '@/db/schema/packages';
import { niches, postTypes } from '@/db/schema/taxonomy';
import { sendBody } from '../setup/send-body';
import { type DecoyServer, startDecoyServer } from '../setup/start-decoy-server';
import { decoyTexts, hostileTexts, hostileValues, marker, sharpTexts, sharpValues } from './hostile-values';
import { type JsonCall, jsonBodies } from './json-bodies';
import { sampled } from './sampled';

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

/**
 * Bodies in which one field at a time is hostile and the others are valid. Every field gets the sharp values; the
 * others are parsed by shared code, and four neighbouring fields share them.
 */
function hostileBodies({ body }: JsonCall): { what: string; body: Record<string, unknown> }[] {
  const everywhere: unknown[] = [...sharpTexts, decoy.url, ...sharpValues];
  const inTurn = [...hostileTexts, ...decoyTexts(decoy.url), ...hostileValues].filter(
    (value) => !everywhere.includes(value),
  );
  return Object.entries(body).flatMap(([name, usual], index) => {
    const turn = inTurn.filter((_, position) => position % 4 === index % 4);
    const given = [...everywhere, ...sampled(inTurn, turn)];
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

describe.each(Object.entries(jsonBodies))('%s', (address, calls) => {
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
