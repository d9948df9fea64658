'use client';

import { Landmark } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { toast } from 'sonner';
import { PayoutMethodLabel } from '@/components/payouts/payout-method-label';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { Dialog } from '@/components/ui/dialog';
import { EmptyState } from '@/components/ui/empty-state';
import { TimeAgo } from '@/components/ui/time-ago';
import { apiFetch } from '@/lib/browser/api-client';
import { redirectIfSignedOut } from '@/lib/browser/redirect-if-signed-out';
import type { PayoutMethodView } from '@/lib/payouts/methods/show';
import { MethodForm, type MethodFormProps } from './method-form';

type PayoutMethodCardProps = Omit<MethodFormProps, 'onDone'> & {
  method: PayoutMethodView;
  /** Whether the method was set lately and no payout is sent to it yet. */
  isResting: boolean;
};

/** The current payout method, with the dialogs that change and remove it. */
export function PayoutMethodCard({ method, isResting, ...form }: PayoutMethodCardProps) {
  const { kind, lastFour, usableAt, createdAt } = method;
  if (kind === null)
    return (
      <Card aria-label="Payout method">
        <CardHeader title="Payout method" />
        <EmptyState
          icon={<Landmark />}
          title="No payout method"
          action={<MethodDialog {...form} label="Add payout method" isFirst />}
        >
          Add a bank account, a PayPal account or an agreement to request payouts.
        </EmptyState>
      </Card>
    );
  return (
    <Card aria-label="Payout method">
      <CardHeader
        title="Payout method"
        actions={
          <>
            <RemoveMethod />
            <MethodDialog {...form} label="Change" />
          </>
        }
      />
      <CardBody className="grid gap-3">
        <p className="flex flex-wrap items-baseline justify-between gap-x-4 text-sm">
          <span className="font-medium text-ink">
            <PayoutMethodLabel kind={kind} lastFour={lastFour ?? ''} />
          </span>
          {createdAt ? (
            <span className="text-muted text-xs">
              Added <TimeAgo at={createdAt} />
            </span>
          ) : null}
        </p>
        {isResting && usableAt ? (
          <Alert tone="warning">
            This method is new. Payouts to it are sent after <RestEnd at={usableAt} />, so that you notice a change that
            you didn’t make.
          </Alert>
        ) : null}
      </CardBody>
    </Card>
  );
}

const time = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });

function RestEnd({ at }: { at: string }) {
  return <time dateTime={at}>{time.format(new Date(at))} UTC</time>;
}

type MethodDialogProps = Omit<MethodFormProps, 'onDone'> & { label: string; isFirst?: boolean };

function MethodDialog({ label, isFirst = false, ...form }: MethodDialogProps) {
  const [open, setOpen] = useState(false);
  return (
    <Dialog
      trigger={
        <Button size={isFirst ? 'md' : 'sm'} variant={isFirst ? 'primary' : 'secondary'}>
          {label}
        </Button>
      }
      open={open}
      onOpenChange={setOpen}
      title={isFirst ? 'Add a payout method' : 'Change the payout method'}
      description="No payout is sent to a new method within the first 72 hours, and we email you about the change. A requested payout is not sent to another method: withdraw it, and request it again."
      size="md"
    >
      <MethodForm {...form} onDone={() => setOpen(false)} />
    </Dialog>
  );
}

function RemoveMethod() {
  const router = useRouter();
  const remove = async () => {
    await apiFetch('/api/seller/payout-method', { method: 'DELETE' }).catch(redirectIfSignedOut);
    toast.success('Payout method removed.');
    router.refresh();
  };
  return (
    <ConfirmDialog
      trigger={<Button size="sm">Remove</Button>}
      title="Remove the payout method?"
      description="You can’t request payouts until you add another one. A requested payout is not sent to a removed method; an approved one is."
      confirmLabel="Remove method"
      onConfirm={remove}
    />
  );
}
