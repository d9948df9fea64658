'use client';

import { confirmedAction } from '@/components/security/security-call';
import { Button } from '@/components/ui/button';
import { ConfirmAction } from '@/components/ui/confirm-action';
import { endUserSessionsAction } from '@/lib/auth/security-actions';
import { requestTwoStepResetAction, resendInvitationAction, revokeInvitationAction } from '@/lib/users/actions';

/** Ends all sessions of a user after confirmation. */
export function EndPersonSessions({ email }: { email: string }) {
  return (
    <ConfirmAction
      trigger={<Button size="sm">End all sessions</Button>}
      title={`Sign ${email} out everywhere?`}
      description="Every browser and app is signed out of the account at its next request and must sign in again."
      confirmLabel="End all sessions"
      action={() => confirmedAction(() => endUserSessionsAction({ email }))}
      done={({ ended }) => `${email} was signed out: ${ended === 1 ? '1 session' : `${ended} sessions`} ended.`}
    />
  );
}

/** Requests the reset of a user's second factors after confirmation. */
export function RequestTwoStepReset({ userId, email }: { userId: string; email: string }) {
  return (
    <ConfirmAction
      trigger={<Button size="sm">Request reset</Button>}
      title="Request a two-step sign-in reset?"
      description={`Make sure the request really comes from ${email}. Once a second admin approves it, the authenticator app, passkeys and recovery codes are removed and all sessions end.`}
      confirmLabel="Request reset"
      action={() => confirmedAction(() => requestTwoStepResetAction({ userId }))}
      done="Requested. A second admin must approve it."
    />
  );
}

type InvitationActionsProps = {
  userId: string;
  email: string;
  /** Whether the link that was sent can still be used. */
  isOpen: boolean;
};

/** Sends an invitation again, or revokes it, after confirmation. */
export function InvitationActions({ userId, email, isOpen }: InvitationActionsProps) {
  return (
    <div className="flex flex-wrap gap-2">
      <ConfirmAction
        trigger={<Button size="sm">{isOpen ? 'Send again' : 'Invite again'}</Button>}
        title={`Send a new invitation to ${email}?`}
        description="Earlier links stop working. The new one is valid for 7 days."
        confirmLabel="Send invitation"
        tone="primary"
        action={() => confirmedAction(() => resendInvitationAction({ userId }))}
        done="Invitation sent."
      />
      {isOpen ? (
        <ConfirmAction
          trigger={<Button size="sm">Revoke</Button>}
          title={`Revoke the invitation of ${email}?`}
          description="The link stops working, and the account is Expired until the person is invited again."
          confirmLabel="Revoke invitation"
          action={() => confirmedAction(() => revokeInvitationAction({ userId }))}
          done="Invitation revoked."
        />
      ) : null}
    </div>
  );
}
