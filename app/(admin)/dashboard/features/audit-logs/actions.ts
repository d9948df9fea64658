'use server';

import { headSettingInput, setHeadSetting } from '@/lib/audit/head';
import { action } from '@/lib/auth/action';

/** Sets where the head of the audit log is written every day. */
export const setAuditHeadAction = action(
  { access: 'ManageSettings', recentAuthentication: true, input: headSettingInput },
  setHeadSetting,
);
