import postgres from 'postgres';
import { z } from 'zod';
import { db } from '@/db/client';
import { invoiceCursor } from '@/db/schema/invoices';
import { mails } from '@/db/schema/mails';
import { settings } from '@/db/schema/settings';
import type { Actor } from '@/lib/access/actor';
import { makeAccount } from '../factories/make-account';
import { createRecording } from './answer-recording';
import { openClient } from './http-client';
import { startInstances } from './instances';

/** Each table counts from here on, so that its ids are recognizable in any text. */
const firstIds = { sites: 110_000_001, orders: 120_000_001, packages: 130_000_001, audit_logs: 140_000_001 };
const idKinds = { 11: 'site', 12: 'order', 13: 'package', 14: 'audit entry' };

const people = {
  buyer: { role: 'User', name: 'Bea Buyer', email: 'buyer@recorded.example' },
  stranger: { role: 'User', name: 'Stan Stranger', email: 'stranger@recorded.example' },
  seller: { role: 'Seller', name: 'Sol Seller', email: 'seller@recorded.example' },
  admin: { role: 'Admin', name: 'Ada Admin', email: 'admin@recorded.example' },
};
type Person = keyof typeof people;
export type Caller = Person | 'visitor';

/** The id in a response. */
export const idOf = (answer: string): string | number =>
  z.object({ id: z.union([z.number(), z.string()]) }).parse(JSON.parse(answer)).id;

/**
 * Starts an instance on a separate database with a signed-in user of each kind, whose requests and responses are
 * recorded. On its own database, so that lists and totals contain nothing else.
 * @param flagsOff the flags that are off
 */
export async function openRecordedScene(flagsOff: readonly string[]) {
  const instances = await startInstances(1);
  const [origin = ''] = instances.origins;
  const recording = createRecording(origin, idKinds);
  const owner = postgres(z.string().parse(process.env.MIGRATION_DATABASE_URL), { max: 1 });
  for (const [table, first] of Object.entries(firstIds)) {
    await owner.unsafe(`alter table ${table} alter column id restart with ${first}`);
  }
  await owner.end();
  await db()
    .insert(settings)
    .values(flagsOff.map((name) => ({ key: `flag.${name}`, value: false })));
  // A job issues invoices at its own time, with audit entries between those of the requests. This one has read everything.
  await db().insert(invoiceCursor).values({ position: Number.MAX_SAFE_INTEGER, isUnnumberedDone: true });
  const cookies = new Map<Caller, string>();
  const signIn = async (person: Person): Promise<Actor> => {
    const actor = await makeAccount(people[person]);
    const client = openClient('', origin);
    await client.signIn('user', actor.email);
    cookies.set(person, client.cookie());
    return actor;
  };
  const actors = {
    buyer: await signIn('buyer'),
    stranger: await signIn('stranger'),
    seller: await signIn('seller'),
    admin: await signIn('admin'),
  };
  const send = (caller: Caller, line: string, request?: Parameters<typeof recording.send>[3]): Promise<string> =>
    recording.send(caller, cookies.get(caller) ?? '', line, request);
  return {
    actors,
    stop: instances.stop,
    compareWith: recording.compareWith,
    /** @returns the text of the response */
    send,
    /** Requests an address with each ending. */
    async getEach(caller: Caller, path: string, endings: readonly unknown[]): Promise<void> {
      for (const ending of endings) await send(caller, `GET ${path}${ending}`);
    },
    /** Records who received which mail. */
    async recordMails(): Promise<void> {
      const sent = await db()
        .select({ kind: mails.kind, recipient: mails.recipient, subject: mails.subject })
        .from(mails)
        .orderBy(mails.id);
      recording.note(
        'Mails',
        sent.map(({ kind, recipient, subject }) => `${kind} to ${recipient}: ${subject}`),
      );
    },
  };
}
