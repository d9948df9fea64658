import { not } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { insertRows } from '@/db/insert-rows';
import { type EventAudience, events } from '@/db/schema/events';
import { env } from '@/lib/env';
import { newId } from '@/lib/ids';
import { flagKey, isFlagOffIn } from '@/lib/settings/feature-flags';
import { type EventData, type EventType, viewOf } from './types';

/** An event for one audience. `accountId` is null for the installation. */
export type NewEvent = {
  type: EventType;
  audience: EventAudience;
  accountId: string | null;
  data: Record<string, unknown>;
};

/** Creates the event of a buyer or a seller. The compiler checks the data against the type's declaration. */
export const eventFor = <Type extends EventType, Audience extends 'buyer' | 'seller'>(
  type: Type,
  audience: Audience,
  accountId: string,
  data: EventData<Type, Audience>,
): NewEvent => ({ type, audience, accountId, data: parseData(type, audience, data) });

/** Creates the event of the installation. */
export const installationEvent = <Type extends EventType>(
  type: Type,
  data: EventData<Type, 'installation'>,
): NewEvent => ({ type, audience: 'installation', accountId: null, data: parseData(type, 'installation', data) });

/**
 * Returns the declared fields only, so that a caller cannot give an audience more.
 * @throws RangeError for an audience that does not receive the type
 */
function parseData(type: EventType, audience: EventAudience, data: unknown): Record<string, unknown> {
  const view = viewOf(type, audience);
  if (!view) throw new RangeError(`The event ${type} has no data for the audience ${audience}.`);
  return view.schema.parse(data);
}

/**
 * Records events in the transaction of their change, in one statement; none while webhooks are turned off. The job
 * `deliver-webhooks` distributes them to endpoints after the commit, so that their number does not delay the change.
 */
export async function recordEvents(tx: Executor, recorded: readonly NewEvent[]): Promise<void> {
  await insertEvents(
    tx,
    recorded.map((event) => ({ id: newId(), ...event })),
  );
}

const insertEvents = insertRows(events, ['id', 'type', 'audience', 'accountId', 'data'], {
  where: not(isFlagOffIn(flagKey('webhooks'))),
});

/** Returns the URL of a path of the API, for the data of events. */
export const apiUrl = (path: string): string => `${env().APP_URL}${path}`;
