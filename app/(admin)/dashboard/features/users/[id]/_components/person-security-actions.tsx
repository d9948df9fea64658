'use client';

import { useState } from 'react';
import { TextField } from '@/components/form/fields';
import { confirmedAction } from '@/components/security/security-call';
import { Button } from '@/components/ui/button';
import { ConfirmAction } from '@/components/ui/confirm-action';
import { endUserSessionsAction } from '@/lib/auth/security-actions';
import { startViewAction } from '@/lib/auth/view-actions';
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

/** Opens the portal of a user read-only, after the reason was entered. */
export function ViewAs({ userId, email, minutes }: { userId: string; email: string; minutes: number }) {
  const [reason, setReason] = useState('');
  return (
    <ConfirmAction
      trigger={<Button>View as</Button>}
      title={`View the account of ${email}?`}
      description={`You see the portal as this person does, for up to ${minutes} minutes. Nothing can be changed or downloaded, and wallet amounts and secrets are hidden. The audit log records the view with its reason.`}
      confirmLabel="Start view"
      tone="primary"
      action={async () => {
        const { home } = await confirmedAction(() => startViewAction({ userId, reason }));
        // A full page load discards the router's cache of the admin area. The dialog stays pending until then: a refresh of
        // this page, which the view does not show, would redirect.
        window.location.assign(home);
        await new Promise(() => undefined);
      }}
    >
      <TextField
        name="reason"
        label="Reason"
        required
        maxLength={200}
        placeholder="Ticket 1042"
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
    </ConfirmAction>
  );
}
