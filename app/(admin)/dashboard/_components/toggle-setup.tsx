'use client';

import { toast } from 'sonner';
import { useOperation } from '@/components/form/use-operation';
import { Button } from '@/components/ui/button';
import { callAction } from '@/lib/browser/api-client';
import { saveSetupVisibilityAction } from '@/lib/dashboard/actions';

/** Hides the setup checklist, or shows it again. */
export function ToggleSetup({ label, ...next }: { label: string; isHidden: boolean; version: number }) {
  const { pending, run } = useOperation({
    fallback: (status) => `Save failed (HTTP ${status})`,
    onError: (message) => void toast.error(message),
  });
  return (
    <Button
      size="sm"
      variant="ghost"
      pending={pending}
      aria-label={`${label} the setup checklist`}
      onClick={() => void run(() => callAction(() => saveSetupVisibilityAction(next)))}
    >
      {label}
    </Button>
  );
}
