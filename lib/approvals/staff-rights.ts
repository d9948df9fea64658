import type { Executor } from '@/db/client';
import type { Actor } from '@/lib/access/actor';
import { findRights, requireCovered } from '@/lib/access/authorize';
import { covers, type Rights } from '@/lib/access/permissions';
import { AppError } from '@/lib/errors';
import { getApprovalLimit } from './limit';
import { type Approval, ApprovalRequired } from './request';
import type { ApprovalPayloads } from './schemas';

type Grant = {
  /** The rights of the user or role before. */
  held: Rights;
  /** The rights to give. */
  rights: Rights;
  payload: ApprovalPayloads['staff_rights'];
  /** The user or role that gets them. Each has at most one pending request. */
  subject: string;
  summary: string;
  beneficiaryId?: string;
  /** Set when a second admin approved it. */
  approval: Approval | undefined;
};

/**
 * Requires that rights of staff may be given: an approved request by a person who still holds these rights, or a rule
 * that needs no approval. Fewer rights than before need none.
 * @throws ApprovalRequired while the rule needs the approval of a second admin
 * @throws AppError forbidden when the requester no longer holds the rights
 */
export async function requireGrantAllowed(
  tx: Executor,
  { held, rights, payload, subject, summary, beneficiaryId, approval }: Grant,
): Promise<void> {
  if (approval) {
    const requester = await findRights(tx, approval.requestedBy);
    return requireCovered(requester ?? { role: '', permissions: [] }, rights);
  }
  if (covers(held, rights) || !(await getApprovalLimit(tx)).approvesStaffRights) return;
  throw new ApprovalRequired({
    kind: 'staff_rights',
    subject,
    payload,
    summary,
    ...(beneficiaryId && { beneficiaryId }),
  });
}

/** Returns who gives rights: the requester of an approved grant, otherwise the actor. */
export const getGranter = (actor: Actor, approval: Approval | undefined): { userId: string } =>
  approval ? { userId: approval.requestedBy } : actor;

/** Creates the error for a new account with rights of staff, which cannot wait for an approval. */
export function createStaffAccountError(role: string): AppError {
  const message = `Rights of staff need a second admin. Add the account with the role User, then change its role to ${role}.`;
  return new AppError('invalid_input', message, { fields: { role: message } });
}
