'use client';

import { RotateCcw } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { toast } from 'sonner';
import { Button } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { callAction } from '@/lib/browser/call-action';
import { resetBrandingAction } from '../actions';

export function ResetBranding({ version }: { version: number }) {
  const router = useRouter();
  const reset = async () => {
    await callAction(resetBrandingAction({ version }));
    toast.success('The branding is as it was shipped.');
    router.refresh();
  };
  return (
    <ConfirmDialog
      trigger={<Button icon={<RotateCcw className="size-4" />}>Reset to default</Button>}
      title="Reset the branding to its default?"
      description="Name, tagline, logo, colours and addresses go back to what the installation was shipped with, in all portals, e-mails and invoices."
      confirmLabel="Reset branding"
      onConfirm={reset}
    />
  );
}
