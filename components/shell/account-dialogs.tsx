'use client';

import { useState } from 'react';
import { toast } from 'sonner';
import { FormDialog } from '@/components/form/dialog-form';
import { getFormText } from '@/components/form/fields';
import { Button } from '@/components/ui/button';
import { Dialog, DialogFooter } from '@/components/ui/dialog';
import { inAccount } from '@/lib/access/account-choice';
import { switchAccountAction } from '@/lib/accounts/actions';
import { ApiError, apiFetch, callAction } from '@/lib/browser/api-client';

/** Chooses an account for the next requests of this browser. */
export const chooseAccount = (accountId: string) => callAction(() => switchAccountAction({ accountId }));

type SwitchedDialogProps = {
  page: { id: string; name: string };
  /** The name of the account that another tab has chosen. */
  chosen: string;
  /** Called after the account of the page was chosen again. */
  onKept: () => void;
};

/** Asks with which account to continue, after another tab has switched. Closing it keeps the page and what was entered. */
export function SwitchedDialog({ page, chosen, onKept }: SwitchedDialogProps) {
  const [pending, setPending] = useState(false);
  const keep = async () => {
    setPending(true);
    try {
      await chooseAccount(page.id);
      onKept();
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      toast.error(cause.message || 'The server didn’t respond. Please try again.');
    } finally {
      setPending(false);
    }
  };
  return (
    <Dialog
      open
      onOpenChange={() => void keep()}
      size="sm"
      role="alertdialog"
      title={`You switched to ${chosen} in another tab`}
      description={`This page belongs to ${page.name}.`}
    >
      <DialogFooter className="border-t-0">
        <Button pending={pending} onClick={() => void keep()}>{`Switch back to ${page.name}`}</Button>
        <Button variant="primary" disabled={pending} onClick={() => window.location.reload()}>
          {`Reload as ${chosen}`}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}

/** Says that the user is no member of the account any more. @param name the account of the page, if it is that one */
export function LostAccountDialog({ name, onClose }: { name: string | undefined; onClose: () => void }) {
  // The page of the lost account is of no use any more; a page of the personal account stays.
  const leave = () => (name === undefined ? onClose() : window.location.assign('/user'));
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
        <Button variant="primary" onClick={leave}>
          Continue with my personal account
        </Button>
      </DialogFooter>
    </Dialog>
  );
}

type NewTeamDialogProps = { open: boolean; onOpenChange: (open: boolean) => void };

/** Creates a team and opens it. */
export function NewTeamDialog(props: NewTeamDialogProps) {
  return (
    <FormDialog
      {...props}
      size="sm"
      title="New team"
      description="A team has its own wallet, projects and orders. You invite people to it and choose what each may do."
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
