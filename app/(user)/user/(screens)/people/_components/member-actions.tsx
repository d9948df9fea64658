'use client';

import { useState } from 'react';
import { toast } from 'sonner';
import { ActionMenu, type MenuAction } from '@/components/form/action-menu';
import { FormDialog } from '@/components/form/dialog-form';
import { getFormText, TextField } from '@/components/form/fields';
import { useOperation } from '@/components/form/use-operation';
import { LeaveDialog } from '@/components/shell/account-dialogs';
import { Button } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { apiFetch, deleteFailure } from '@/lib/browser/api-client';
import { checkLimit, type Grantable, MemberFields, type Membership, readMembership } from './member-fields';

type InviteProps = { accountId: string; grantable: Grantable };

const membersOf = (accountId: string) => `/api/user/accounts/${accountId}/members`;

/** Renders the button that opens the invitation of a person. */
export function InviteMember({ accountId, grantable }: InviteProps) {
  return (
    <FormDialog
      trigger={
        <Button variant="primary" icon={<Icon name="user-plus" />}>
          Invite
        </Button>
      }
      title="Invite a person"
      description="We’ll email a link that works for 7 days. People with an account here join with it."
      submitLabel="Send invitation"
      validate={(data) => ({
        ...checkLimit(data, 'monthlyLimit'),
        ...(getFormText(data, 'email').trim() === '' && { email: 'Enter an email address.' }),
      })}
      submit={async (data) => {
        const body = { email: getFormText(data, 'email').trim(), ...readMembership(data) };
        await apiFetch(membersOf(accountId), { method: 'POST', body });
        return body.email;
      }}
      done={(email) => `Invitation sent to ${email}.`}
      fallback={(status) => `Invite failed (HTTP ${status})`}
    >
      {(errors) => (
        <>
          <TextField
            name="email"
            label="Email"
            type="email"
            required
            autoComplete="off"
            maxLength={254}
            error={errors.email}
          />
          <MemberFields {...grantable} membership={null} errors={errors} />
        </>
      )}
    </FormDialog>
  );
}

type MemberActionsProps = InviteProps & {
  /** The name of the account, as a text about it needs it. */
  account: string;
  member: Membership & { userId: string; name: string; version: number; isManageable: boolean; isSelf: boolean };
  /** Whether the member can leave: the person of a personal account cannot. */
  mayLeave: boolean;
};

/** Renders the menu of a member: edit and remove, or leave. */
export function MemberActions({ accountId, account, grantable, member, mayLeave }: MemberActionsProps) {
  const { userId, name, version, isManageable, isSelf } = member;
  const [isLeaving, setLeaving] = useState(false);
  const path = `${membersOf(accountId)}/${userId}`;
  const edit: MenuAction = {
    label: 'Edit',
    icon: <Icon name="pencil" />,
    form: {
      title: `Edit ${name}`,
      description: 'Takes effect immediately.',
      submitLabel: 'Save changes',
      validate: (data) => checkLimit(data, 'monthlyLimit'),
      submit: (data) => apiFetch(path, { method: 'PATCH', body: { ...readMembership(data), version } }),
      done: `${name} saved.`,
      fallback: (status) => `Save failed (HTTP ${status})`,
      children: (errors) => <MemberFields {...grantable} membership={member} errors={errors} />,
    },
  };
  const remove: MenuAction = {
    label: 'Remove',
    icon: <Icon name="trash" />,
    tone: 'danger',
    confirm: {
      title: `Remove ${name} from ${account}?`,
      description: 'Access ends immediately, with the API tokens of this account. Orders and documents stay.',
      confirmLabel: 'Remove',
      action: () => apiFetch(path, { method: 'DELETE' }).catch(deleteFailure),
      done: `${name} removed.`,
    },
  };
  const leave: MenuAction = {
    label: 'Leave',
    icon: <Icon name="log-out" />,
    tone: 'danger',
    onSelect: () => setLeaving(true),
  };
  const actions = [
    ...(isManageable ? [edit] : []),
    ...(isManageable && !isSelf ? [remove] : []),
    ...(isSelf && mayLeave ? [leave] : []),
  ];
  if (actions.length === 0) return null;
  return (
    <>
      <ActionMenu name={name} actions={actions} />
      <LeaveDialog
        account={{ id: accountId, name: account }}
        userId={userId}
        open={isLeaving}
        onOpenChange={setLeaving}
      />
    </>
  );
}

type InvitationActionsProps = {
  accountId: string;
  invitation: Membership & { id: string; email: string };
};

/** Renders the menu of an open invitation: send it again, and withdraw it. */
export function InvitationActions({ accountId, invitation }: InvitationActionsProps) {
  const { id, email, role, projectIds, monthlyLimitCents } = invitation;
  const { pending, run } = useOperation({
    fallback: (status) => `The request failed (HTTP ${status}).`,
    onError: (message) => toast.error(message),
  });
  const send = () =>
    run(async () => {
      const body = { email, role, projectIds: projectIds ?? 'all', monthlyLimitCents };
      await apiFetch(membersOf(accountId), { method: 'POST', body });
      toast.success(`Invitation sent to ${email}. The earlier link no longer works.`);
    });
  return (
    <ActionMenu
      name={email}
      pending={pending}
      actions={[
        { label: 'Send again', icon: <Icon name="send" />, onSelect: () => void send() },
        {
          label: 'Withdraw',
          icon: <Icon name="trash" />,
          tone: 'danger',
          confirm: {
            title: `Withdraw the invitation of ${email}?`,
            description: 'The link in the email no longer works.',
            confirmLabel: 'Withdraw',
            action: () =>
              apiFetch(`/api/user/accounts/${accountId}/invitations/${id}`, { method: 'DELETE' }).catch(deleteFailure),
            done: 'Invitation withdrawn.',
          },
        },
      ]}
    />
  );
}
