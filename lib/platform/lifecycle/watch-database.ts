import { setTimeout as wait } from 'node:timers/promises';
import type postgres from 'postgres';
import { closeCircuit, openCircuit, wasPoolUsed } from '@/db/client';
import { openPool } from '@/db/open-pool';
import { env } from '../../env';
import { log } from '../log/log';

/** How often a database that is used is asked whether it is there. */
const everyMs = 5_000;
/** How long its answer may take: it is asked for nothing but a number. */
const patienceMs = 10_000;
/** How often one that does not answer is asked again. */
const againMs = 1_000;

/**
 * Ends the waiting for a PostgreSQL that neither answers nor closes: its machine froze, or the network drops what is
 * sent. Nothing else would for a quarter of an hour, and PostgreSQL's own time-outs need a PostgreSQL that runs. Asks it
 * over a connection of its own, which no busy pool holds up and no long statement looks like. Behind a transaction pooler
 * (DATABASE_PREPARE=off) it asks nothing: a question waits in line there, and an overload would look like a hang.
 */
export function watchDatabase(): void {
  if (env().DATABASE_PREPARE === 'off') return;
  let probe: postgres.Sql | undefined;
  const answers = async () => {
    probe ??= openPool(1);
    if (await isAnswered(probe)) return true;
    await probe.end({ timeout: 0 });
    probe = undefined;
    return false;
  };
  const look = async () => {
    if (!wasPoolUsed() || (await answers())) return;
    log().error('The database hangs: whoever waits for it is refused until it answers.');
    try {
      await openCircuit();
      do await pause(againMs);
      while (!(await answers()));
    } finally {
      closeCircuit();
    }
    log().info('The database answers again.');
  };
  void (async () => {
    for (;;) {
      await pause(everyMs);
      await look().catch((thrown: unknown) => log().error({ err: thrown }, 'The watch of the database failed.'));
    }
  })();
}

/** A refusal is an answer as well: whoever asks gets it at once. */
async function isAnswered(sql: postgres.Sql): Promise<boolean> {
  const answered = sql`select 1`.then(
    () => true,
    (thrown: unknown) => !(thrown instanceof Error && 'code' in thrown && thrown.code === 'CONNECT_TIMEOUT'),
  );
  const late = pause(patienceMs)
    // A process that was frozen itself finds its time over before it has read what came.
    .then(() => pause(againMs))
    .then(() => false);
  return Promise.race([answered, late]);
}

const pause = (ms: number) => wait(ms, undefined, { ref: false });
