import { sealAuditLogs } from '../audit/seal';
import { removeOrphans } from '../content/remove-orphans';
import { deliverMails } from '../mail/deliver';
import { reconcileTopups } from '../topups/reconcile';
import { retryNotifications } from '../topups/retry-notifications';
import { claimTurn } from './claim-turn';
import { removeOldRecords } from './remove-old-records';
import { removeTempFolders } from './remove-temp-folders';

export type Job = {
  name: string;
  /** How often the app itself runs it, in seconds. */
  everySeconds: number;
  /** Does what is due. Any number of instances may do it at once. @returns figures for the log, by name */
  run: () => Promise<Record<string, number>>;
};

/** It lists the whole store: a few times a day is enough, over all instances and however often a cron calls. */
const orphansEverySeconds = 6 * 60 * 60;

/** Everything that happens without a request. A new job is a line here. */
export const jobs: readonly Job[] = [
  { name: 'deliver-mails', everySeconds: 20, run: deliverMails },
  { name: 'reconcile-topups', everySeconds: 60, run: reconcileTopups },
  { name: 'retry-notifications', everySeconds: 60, run: retryNotifications },
  { name: 'seal-audit-log', everySeconds: 30, run: sealAuditLogs },
  { name: 'remove-old-records', everySeconds: 60 * 60, run: removeOldRecords },
  { name: 'remove-temp-folders', everySeconds: 60 * 60, run: removeTempFolders },
  {
    name: 'remove-orphaned-content',
    everySeconds: 60 * 60,
    run: async () => ((await claimTurn('remove-orphaned-content', orphansEverySeconds)) ? removeOrphans() : {}),
  },
];
