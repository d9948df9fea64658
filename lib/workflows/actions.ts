'use server';

import { approve, reject } from '@/lib/approvals/decide';
import { setApprovalLimit, setLimitInput } from '@/lib/approvals/limit';
import { approvalIdInput } from '@/lib/approvals/schemas';
import { action } from '@/lib/auth/action';
import { approvalExecutors } from './approval-executors';

/**
 * Approves another user's request and applies its change. `approve` also checks the permission that the kind of change
 * requires.
 */
export const approveAction = action(
  { access: 'AdminDashboard', recentAuthentication: true, input: approvalIdInput },
  (actor, { id }) => approve(actor, id, approvalExecutors),
);

/** Rejects a request, or withdraws the caller's own. */
export const rejectAction = action({ access: 'AdminDashboard', input: approvalIdInput }, (actor, { id }) =>
  reject(actor, id),
);

/** Sets the amount that one user can credit or refund within 24 hours without approval. */
export const setApprovalLimitAction = action(
  { access: 'ManageWallets', recentAuthentication: true, input: setLimitInput },
  async (actor, input) => ({ isPending: (await setApprovalLimit(actor, input)) !== null }),
);
