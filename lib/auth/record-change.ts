import { recordWrite } from '@/db/write-position';
import type { Actor } from '@/lib/access/actor';
import { log } from '@/lib/platform/log/log';

/**
 * Lets later requests of the actor, and of others for the account, see what a request changed, on replicas too. A failure
 * is logged only, because the change is committed: if the primary is gone, its successor has a new timeline, which a replica
 * shows only with all earlier changes.
 */
export async function recordChange({ userId, accountId }: Pick<Actor, 'userId' | 'accountId'>): Promise<void> {
  await recordWrite([userId, accountId]).catch((thrown: unknown) => {
    log().error({ err: thrown }, 'The position of a change was not recorded.');
  });
}
