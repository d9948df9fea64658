'use client';

import { RotateCcw } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { toast } from 'sonner';
import { resetBrandingAction } from '@/app/(admin)/dashboard/features/branding/actions';
import { Button } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { callAction } from '@/lib/browser/call-action';

export function ResetBranding({ version }: { version: number }) {
  const router = useRouter();
  const reset = async () => {
    await callAction(() => resetBrandingAction({ version }));
    toast.success('Branding reset to default.');
    router.refresh();
  };
  return (
    <ConfirmDialog
      trigger={<Button icon={<RotateCcw className="size-4" />}>Reset to default</Button>}
      title="Reset branding to default?"
      description="Name, tagline, logo, colors and addresses are reset to their defaults in all portals, emails and invoices."
      confirmLabel="Reset branding"
      onConfirm={reset}
    />
  );
}
