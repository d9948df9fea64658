'use server';

import { headSettingInput, setHeadSetting } from '@/lib/audit/head-setting';
import { action } from '@/lib/http/action';

/** Sets where the head of the audit log is written every day. */
export const setAuditHeadAction = action(
  { access: 'ManageSettings', recentAuthentication: true, input: headSettingInput },
  setHeadSetting,
);
