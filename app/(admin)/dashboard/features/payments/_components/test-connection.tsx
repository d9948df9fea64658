'use client';

import { PlugZap } from 'lucide-react';
import { Button } from '@/components/ui/button';
import type { PaymentProviderName, ProviderMode } from '@/db/schema/topups';
import { useServiceTest } from '../../_components/use-service-test';
import { testConnectionAction } from '../actions';

type TestConnectionProps = { provider: PaymentProviderName; mode: ProviderMode; isDirty: boolean };

/** Asks the provider whether it accepts what is saved. */
export function TestConnection({ provider, mode, isDirty }: TestConnectionProps) {
  const { pending, test, outcome } = useServiceTest(() => testConnectionAction({ provider, mode }));
  return (
    <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-2">
      <Button
        pending={pending}
        disabled={isDirty}
        icon={<PlugZap className="size-4" />}
        title={isDirty ? 'Save your changes first: what is saved is tested.' : undefined}
        onClick={test}
      >
        Test connection
      </Button>
      <p role="status" className="min-w-0 text-sm">
        {isDirty ? null : outcome}
      </p>
    </div>
  );
}
