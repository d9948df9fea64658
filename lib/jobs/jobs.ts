import { deliverMails } from '../mail/deliver';
import { reconcileTopups } from '../topups/reconcile';
import { removeOldRecords } from './remove-old-records';

export type Job = {
  name: string;
  /** How often the app itself runs it, in seconds. */
  everySeconds: number;
  /** Does what is due. Any number of instances may do it at once. @returns figures for the log, by name */
  run: () => Promise<Record<string, number>>;
};

/** Everything that happens without a request. A new job is a line here. */
export const jobs: readonly Job[] = [
  { name: 'deliver-mails', everySeconds: 20, run: deliverMails },
  { name: 'reconcile-topups', everySeconds: 60, run: reconcileTopups },
  { name: 'remove-old-records', everySeconds: 60 * 60, run: removeOldRecords },
];
