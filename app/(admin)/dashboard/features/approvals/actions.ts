'use server';

import { approve, reject } from '@/lib/approvals/decide';
import { approvalIdInput } from '@/lib/approvals/schemas';
import { action } from '@/lib/auth/action';
import { setApprovalLimit, setLimitInput } from '@/lib/settings/approval-limit';
import { approvalExecutors } from '@/lib/workflows/approval-executors';

/** Approves a change of another person and makes it. The kind's own permission is checked by the verb. */
export const approveAction = action(
  { access: 'AdminDashboard', recentAuthentication: true, input: approvalIdInput },
  (actor, { id }) => approve(actor, id, approvalExecutors),
);

/** Rejects a change, or withdraws one's own. */
export const rejectAction = action({ access: 'AdminDashboard', input: approvalIdInput }, (actor, { id }) =>
  reject(actor, id),
);

/** Sets what one person may credit or refund alone in 24 hours. */
export const setApprovalLimitAction = action(
  { access: 'ManageWallets', recentAuthentication: true, input: setLimitInput },
  async (actor, input) => ({ isPending: (await setApprovalLimit(actor, input)) !== null }),
);
