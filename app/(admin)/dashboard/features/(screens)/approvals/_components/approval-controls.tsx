'use client';

import { toast } from 'sonner';
import { ActionMenu } from '@/components/form/action-menu';
import { SettingsCard } from '@/components/form/card-form';
import { getFormText } from '@/components/form/fields';
import { Button } from '@/components/ui/button';
import { ConfirmAction } from '@/components/ui/confirm-action';
import { Checkbox } from '@/components/ui/controls';
import { Icon } from '@/components/ui/icon';
import { callAction, unwrapAction } from '@/lib/browser/api-client';
import { approveAction, rejectAction, setApprovalLimitAction } from '@/lib/workflows/actions';

type DecideActionsProps = {
  id: string;
  summary: string;
  isRequester: boolean;
  /** False for an expired request, and if the user is not a second person. */
  canApprove: boolean;
};

/** Approves or rejects a request. The requester can withdraw it. */
export function DecideActions({ id, summary, isRequester, canApprove }: DecideActionsProps) {
  const verb = isRequester ? 'Withdraw' : 'Reject';
  const reject = {
    title: `${verb} this request?`,
    description: `${summary} Nothing changes.`,
    confirmLabel: verb,
    action: () => unwrapAction(() => rejectAction({ id })),
    done: isRequester ? 'Request withdrawn.' : 'Request rejected.',
  };
  if (!canApprove) {
    const trigger = (
      <Button size="sm" aria-label={`${verb}: ${summary}`}>
        {verb}
      </Button>
    );
    return <ConfirmAction trigger={trigger} {...reject} />;
  }
  const approve = {
    title: 'Approve this change?',
    description: `${summary} It takes effect immediately.`,
    tone: 'primary' as const,
    confirmLabel: 'Approve',
    action: () => unwrapAction(() => approveAction({ id })),
    done: 'Change approved.',
  };
  return (
    <ActionMenu
      name={summary}
      actions={[
        { label: 'Approve', icon: <Icon name="check" />, confirm: approve },
        { label: verb, icon: <Icon name="x" />, tone: 'danger', confirm: reject },
      ]}
    />
  );
}

type LimitFormProps = {
  /** In major units of USD. */
  limit: string;
  approvesStaffRights: boolean;
  version: number;
};

/** Edits the amount that is credited or refunded without approval, and whether rights of staff need one. */
export function LimitForm({ limit, approvesStaffRights, version: stored }: LimitFormProps) {
  return (
    <SettingsCard
      className="mt-6 max-w-xl"
      title="Approval rules"
      description="The amount one person can credit manually, and all staff together can credit or refund to one buyer by hand, in 24 hours without a second person. A higher limit and rights of staff without a second admin require approval."
      submitLabel="Save rules"
      version={stored}
      submit={(data, version) =>
        callAction(() =>
          setApprovalLimitAction({
            limit: getFormText(data, 'limit'),
            approvesStaffRights: data.has('approvesStaffRights'),
            version,
          }),
        )
      }
      onSuccess={({ isPending }) => {
        if (isPending) toast.info('A second person must approve this change.');
        else toast.success('Saved');
      }}
      failure="The limit could not be saved. Please try again."
      fields={[
        {
          name: 'limit',
          label: 'Limit in USD',
          required: true,
          type: 'number',
          min: 0,
          step: '0.01',
          currency: 'USD',
          defaultValue: limit,
        },
      ]}
    >
      {() => (
        <Checkbox
          name="approvesStaffRights"
          defaultChecked={approvesStaffRights}
          label="A second admin approves roles, permissions and features of staff"
        />
      )}
    </SettingsCard>
  );
}
