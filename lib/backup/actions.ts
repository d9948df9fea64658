'use server';

import { z } from 'zod';
import { action } from '@/lib/auth/action';
import { runAfterResponse } from '@/lib/platform/lifecycle/run-after-response';
import { deleteBackup } from './delete';
import { getLatestBackup } from './queries';
import { restoreBackup } from './restore';
import { runBackup, startBackup } from './run';
import { saveBackupSchedule, saveBackupScheduleInput } from './schedule';
import { backupIdInput, backupView, createBackupInput } from './schemas';

/** Starts a backup, which runs after the response. `backupStateAction` returns its progress. */
export const createBackupAction = action(
  { access: 'ManageBackups', recentAuthentication: true, input: createBackupInput },
  async (actor, input) => {
    const begun = await startBackup(actor, input);
    runAfterResponse('backup', () => runBackup(begun.id));
    return begun;
  },
);

/** Returns the running backup, or the newest if none is running. */
export const backupStateAction = action(
  { access: 'ManageBackups', isBackground: true, input: z.object({}) },
  async () => {
    const newest = await getLatestBackup();
    return newest ? backupView(newest) : null;
  },
);

export const deleteBackupAction = action(
  { access: 'ManageBackups', recentAuthentication: true, input: backupIdInput },
  deleteBackup,
);

export const restoreBackupAction = action(
  { access: 'ManageBackups', recentAuthentication: true, input: backupIdInput },
  restoreBackup,
);

export const saveBackupScheduleAction = action(
  { access: 'ManageBackups', recentAuthentication: true, input: saveBackupScheduleInput },
  saveBackupSchedule,
);
