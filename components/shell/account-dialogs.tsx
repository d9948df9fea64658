'use client';

import { useState } from 'react';
import { toast } from 'sonner';
import { FormDialog } from '@/components/form/dialog-form';
import { getFormText } from '@/components/form/fields';
import { Button } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { Dialog, DialogFooter } from '@/components/ui/dialog';
import { inAccount } from '@/lib/access/account-choice';
import { switchAccountAction } from '@/lib/accounts/actions';
import { ApiError, apiFetch, callAction, deleteFailure } from '@/lib/browser/api-client';
import type { Switcher } from './account-switcher';

/** Chooses an account for the next requests of this browser. */
export const chooseAccount = (accountId: string) => callAction(() => switchAccountAction({ accountId }));

/** Returns the function that chooses an account, then calls `onChosen`; and whether it runs. */
function useChoice() {
  const [pending, setPending] = useState(false);
  const choose = async (accountId: string, onChosen: () => void) => {
    setPending(true);
    try {
      await chooseAccount(accountId);
      onChosen();
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      toast.error(cause.message || 'The server didn’t respond. Please try again.');
    } finally {
      setPending(false);
    }
  };
  return { pending, choose: (accountId: string, onChosen: () => void) => void choose(accountId, onChosen) };
}

type SwitchedDialogProps = {
  page: { id: string; name: string };
  /** The name of the account that another tab has chosen. */
  chosen: string;
  /** Called after the account of the page was chosen again. */
  onKept: () => void;
};

/** Asks with which account to continue, after another tab has switched. Closing it keeps the page and what was entered. */
export function SwitchedDialog({ page, chosen, onKept }: SwitchedDialogProps) {
  const { pending, choose } = useChoice();
  const keep = () => choose(page.id, onKept);
  return (
    <Dialog
      open
      onOpenChange={keep}
      size="sm"
      role="alertdialog"
      title={`You switched to ${chosen} in another tab`}
      description={`This page belongs to ${page.name}.`}
    >
      <DialogFooter className="border-t-0">
        <Button pending={pending} onClick={keep}>{`Switch back to ${page.name}`}</Button>
        <Button variant="primary" disabled={pending} onClick={() => window.location.reload()}>
          {`Reload as ${chosen}`}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}

type LostAccountDialogProps = {
  userId: string;
  /** The account of the page, if it is the lost one; a page of the personal account stays. */
  name: string | undefined;
  onClose: () => void;
};

/** Says that the user is no member of the chosen account any more, and chooses the personal one. */
export function LostAccountDialog({ userId, name, onClose }: LostAccountDialogProps) {
  const { pending, choose } = useChoice();
  const leave = () => choose(userId, () => (name === undefined ? onClose() : window.location.assign('/user')));
  return (
    <Dialog
      open
      onOpenChange={leave}
      size="sm"
      role="alertdialog"
      title={name === undefined ? 'The account is no longer available' : `You are no longer a member of ${name}`}
      description="You can continue with your personal account. If you didn’t expect this, ask an owner of the account."
    >
      <DialogFooter className="border-t-0">
        <Button variant="primary" pending={pending} onClick={leave}>
          Continue with my personal account
        </Button>
      </DialogFooter>
    </Dialog>
  );
}

type LeaveDialogProps = {
  account: { id: string; name: string };
  userId: string;
  open: boolean;
  onOpenChange: (open: boolean) => void;
};

/** Asks whether to leave the account of others, and opens the personal one. */
export function LeaveDialog({ account: { id, name }, userId, ...dialog }: LeaveDialogProps) {
  const leave = async () => {
    await apiFetch(`/api/user/accounts/${id}/members/${userId}`, { method: 'DELETE' }).catch(deleteFailure);
    await chooseAccount(userId);
    window.location.assign('/user');
  };
  return (
    <ConfirmDialog
      {...dialog}
      title={`Leave ${name}?`}
      description="You and your API tokens lose access immediately. You’ll need a new invitation to rejoin."
      confirmLabel="Leave"
      onConfirm={leave}
    />
  );
}

type NewTeamDialogProps = { open: boolean; onOpenChange: (open: boolean) => void };

/** Creates a team and opens it. */
function NewTeamDialog(props: NewTeamDialogProps) {
  return (
    <FormDialog
      {...props}
      size="sm"
      title="New team"
      description="A team has its own wallet, projects and orders. Invite people and choose what each can do."
      submitLabel="Create team"
      fields={[
        {
          name: 'name',
          label: 'Name',
          required: true,
          maxLength: 100,
          autoComplete: 'organization',
          placeholder: 'Example Agency',
        },
      ]}
      submit={async (data) => {
        const body = { name: getFormText(data, 'name').trim() };
        const { id } = await apiFetch<{ id: string }>('/api/user/accounts', { method: 'POST', body });
        window.location.assign(inAccount('/user', id));
      }}
    />
  );
}

type AccountDialogProps = { kind: 'new' | 'leave'; switcher: Switcher; onClose: () => void };

/** Renders the dialog that an item of the account menu opened. */
export function AccountDialog({ kind, switcher: { userId, activeId, team }, onClose }: AccountDialogProps) {
  if (kind === 'new') return <NewTeamDialog open onOpenChange={onClose} />;
  if (team === undefined) return null;
  return <LeaveDialog account={{ id: activeId, name: team }} userId={userId} open onOpenChange={onClose} />;
}
