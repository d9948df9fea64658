'use server';

import { z } from 'zod';
import { action } from '@/lib/auth/action';
import { headSettingInput, setHeadSetting } from './head';
import { getProofProgress } from './proof-requests';
import { runChainProof } from './prove-chain';

/** Sets the destinations of the audit log's daily head hash. */
export const setAuditHeadAction = action(
  { access: 'ManageSettings', recentAuthentication: true, input: headSettingInput },
  setHeadSetting,
);

/** Verifies the entries since the last verification, or all. */
export const verifyAuditLogAction = action(
  { access: 'ViewAuditLogs', input: z.object({ isWhole: z.boolean() }) },
  runChainProof,
);

/** Returns the progress of the requested verification of the whole log in percent; null without one. */
export const getVerificationProgressAction = action(
  { access: 'ViewAuditLogs', isBackground: true, input: z.object({}) },
  () => getProofProgress('audit-log'),
);
