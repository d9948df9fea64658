'use server';

import { headSettingInput, setHeadSetting } from '@/lib/audit/head';
import { action } from '@/lib/auth/action';

/** Sets the destinations of the audit log's daily head hash. */
export const setAuditHeadAction = action(
  { access: 'ManageSettings', recentAuthentication: true, input: headSettingInput },
  setHeadSetting,
);
