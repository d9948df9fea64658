'use client';

import { toast } from 'sonner';
import { useOperation } from '@/components/form/use-operation';
import { Button } from '@/components/ui/button';
import { apiFetch, redirectIfSignedOut } from '@/lib/browser/api-client';
import type { BillingProfile } from '@/lib/tax/billing-contract';

/** Renders the button that asks VIES again: the same details are saved, and an id that is not confirmed is checked. */
export function CheckAgain({ profile }: { profile: BillingProfile }) {
  const { pending, run } = useOperation({
    fallback: () => 'The VAT id could not be checked. Try again.',
    onError: (message) => toast.error(message),
  });
  const { vatCheck: before, ...body } = profile;
  const check = async () => {
    const path = '/api/user/billing-profile';
    const { vatCheck } = await apiFetch<BillingProfile>(path, { method: 'PUT', body }).catch(redirectIfSignedOut);
    if (vatCheck?.state === 'unavailable' || vatCheck?.checkedAt === before?.checkedAt)
      toast.info('VIES still does not answer.');
    else if (vatCheck?.state === 'invalid') toast.info('The VAT id is still not registered.');
  };
  return (
    <Button size="sm" pending={pending} onClick={() => void run(check)}>
      Check again
    </Button>
  );
}
