import { setTimeout as wait } from 'node:timers/promises';
import type { Pool } from '../../db/open-pool';
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
 * over a connection of its own, which no busy pool holds up and no long statement looks like.
 * Loads the database's code only when it first asks, as it starts with the process.
 */
export function watchDatabase(): void {
  void (async () => {
    await pause(everyMs);
    const { giveUpDatabase, takeUpDatabase, wasAsked } = await import('../../db/client');
    const { openPool } = await import('../../db/open-pool');
    let probe = openPool(1);
    const answers = async () => {
      if (await isAnswered(probe)) return true;
      await probe.cut();
      probe = openPool(1);
      return false;
    };
    for (; ; await pause(everyMs)) {
      if (!wasAsked() || (await answers())) continue;
      log().error('The database hangs: whoever waits for it is refused until it answers.');
      await giveUpDatabase();
      do await pause(againMs);
      while (!(await answers()));
      takeUpDatabase();
      log().info('The database answers again.');
    }
  })();
}

/** A refusal is an answer as well: whoever asks gets it at once. */
async function isAnswered({ sql }: Pool): Promise<boolean> {
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
