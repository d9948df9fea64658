'use client';

import { useRouter } from 'next/navigation';
import { toast } from 'sonner';
import { DialogForm } from '@/components/form/dialog-form';
import { useApiForm } from '@/components/form/use-api-form';
import { Dialog } from '@/components/ui/dialog';
import { apiFetch } from '@/lib/browser/api-client';
import { redirectIfSignedOut } from '@/lib/browser/redirect-if-signed-out';
import { type OwnSiteChoices, OwnSiteFields } from './own-site-fields';
import { missingFields, ownSiteOf } from './own-site-of';

type AddSiteDialogProps = OwnSiteChoices & { open: boolean; onOpenChange: (open: boolean) => void };

/** The add-site form. */
export function AddSiteDialog({ open, onOpenChange, ...choices }: AddSiteDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Add a site"
      description="We review it before buyers see it."
      size="lg"
    >
      <AddSiteForm {...choices} onAdded={() => onOpenChange(false)} />
    </Dialog>
  );
}

function AddSiteForm({ onAdded, ...choices }: OwnSiteChoices & { onAdded: () => void }) {
  const router = useRouter();
  const form = useApiForm<{ name: string }>({
    validate: missingFields,
    submit: (data) =>
      apiFetch<{ name: string }>('/api/seller/sites', { method: 'POST', body: ownSiteOf(data) }).catch(
        redirectIfSignedOut,
      ),
    onSuccess: ({ name }) => {
      toast.success(`${name} added. It is Pending until we have reviewed it.`);
      onAdded();
      router.refresh();
    },
    fallback: (status) => `Create failed (HTTP ${status})`,
  });
  return (
    <DialogForm form={form} submitLabel="Add site" className="gap-5">
      <OwnSiteFields site={null} errors={form.fields} {...choices} />
    </DialogForm>
  );
}
