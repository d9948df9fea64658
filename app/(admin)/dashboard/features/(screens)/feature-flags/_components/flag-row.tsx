'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { toast } from 'sonner';
import { useOperation } from '@/components/form/use-operation';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { FieldError } from '@/components/ui/field';
import { Switch } from '@/components/ui/switch';
import { TimeAgo } from '@/components/ui/time-ago';
import { callAction } from '@/lib/browser/api-client';
import { setFlagAction } from '@/lib/settings/actions';
import type { FlagState } from '@/lib/settings/feature-flags';

type FlagRowProps = { state: FlagState; label: string; description: string };

/** Renders a feature flag with its switch. Turning it off requires confirmation, because it interrupts active users. */
export function FlagRow({ state, label, description }: FlagRowProps) {
  const router = useRouter();
  const [asking, setAsking] = useState(false);
  const { pending, error, run } = useOperation({ fallback: (status) => `Save failed (HTTP ${status})` });
  const { name, isOn, version, changedAt } = state;

  const turn = async (next: boolean) => {
    await callAction(() => setFlagAction({ name, isOn: next, version })).finally(() => router.refresh());
    toast.success(`${label} is ${next ? 'on' : 'off'}.`);
  };

  return (
    <div className="flex items-start justify-between gap-6 px-4 py-4 sm:px-5">
      <div className="min-w-0">
        <h2 className="font-medium text-ink text-sm">{label}</h2>
        <p className="mt-0.5 max-w-2xl text-pretty text-muted text-sm">{description}</p>
        {changedAt ? (
          <p className="mt-1 text-subtle text-xs">
            Turned {isOn ? 'on' : 'off'} <TimeAgo at={changedAt} />
          </p>
        ) : null}
        {error ? <FieldError>{error}</FieldError> : null}
      </div>
      <span className="flex shrink-0 items-center gap-3">
        <span aria-hidden="true" className="text-muted text-sm">
          {isOn ? 'On' : 'Off'}
        </span>
        <Switch
          label={label}
          labelHidden
          checked={isOn}
          disabled={pending}
          onCheckedChange={(next) => (next ? void run(() => turn(true)) : setAsking(true))}
        />
      </span>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={`Turn off “${label}”?`}
        description={`${description} You can turn it on again at any time.`}
        confirmLabel="Turn off"
        onConfirm={() => turn(false)}
      />
    </div>
  );
}
