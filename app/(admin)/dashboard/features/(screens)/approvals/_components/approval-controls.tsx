'use client';

import { Check, X } from 'lucide-react';
import { toast } from 'sonner';
import { ActionMenu } from '@/components/form/action-menu';
import { SettingsCard } from '@/components/form/card-form';
import { getFormText } from '@/components/form/fields';
import { Button } from '@/components/ui/button';
import { ConfirmAction } from '@/components/ui/confirm-action';
import { callAction, unwrapAction } from '@/lib/browser/api-client';
import { approveAction, rejectAction, setApprovalLimitAction } from '@/lib/workflows/actions';

type DecideActionsProps = {
  id: string;
  summary: string;
  isRequester: boolean;
  /** False for the user's own request, for the user's own wallet and for an expired request. */
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
        { label: 'Approve', icon: <Check className="size-4" />, confirm: approve },
        { label: verb, icon: <X className="size-4" />, tone: 'danger', confirm: reject },
      ]}
    />
  );
}

/**
 * Edits the amount that one user can credit or refund without approval.
 * @param limit in major units of USD
 */
export function LimitForm({ limit, version }: { limit: string; version: number }) {
  return (
    <SettingsCard
      className="mt-6 max-w-xl"
      title="Limit per person"
      description="The amount one person can credit manually, or refund to one buyer by a refund or the decision of a dispute, in 24 hours without a second person. Raising the limit requires approval."
      submitLabel="Save limit"
      submit={(data) => callAction(() => setApprovalLimitAction({ limit: getFormText(data, 'limit'), version }))}
      onSuccess={({ isPending }) => {
        if (isPending) toast.info('A second person must approve a higher limit.');
        else toast.success('Saved');
      }}
      failure="The limit could not be saved. Please try again."
      fields={[{ name: 'limit', label: 'Limit in USD', required: true, inputMode: 'decimal', defaultValue: limit }]}
    />
  );
}
