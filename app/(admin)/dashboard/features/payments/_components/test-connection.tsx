'use client';

import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { cn } from '@/components/ui/cn';
import type { PaymentProviderName, ProviderMode } from '@/db/schema/topups';
import { callAction } from '@/lib/http/call-action';
import { ApiError } from '@/lib/http/client';
import { testConnectionAction } from '../actions';

type TestConnectionProps = { provider: PaymentProviderName; mode: ProviderMode; isDirty: boolean };

/** Asks the provider whether it accepts what is saved. */
export function TestConnection({ provider, mode, isDirty }: TestConnectionProps) {
  const [pending, setPending] = useState(false);
  const [result, setResult] = useState<{ ok: boolean; message: string } | null>(null);

  const test = async () => {
    setPending(true);
    setResult(null);
    try {
      setResult(await callAction(testConnectionAction({ provider, mode })));
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      setResult({ ok: false, message: cause.message || 'Our own server did not answer. Please try again.' });
    } finally {
      setPending(false);
    }
  };

  return (
    <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-2">
      <Button
        pending={pending}
        disabled={isDirty}
        icon={<span aria-hidden="true" className="icon-plug-zap size-4" />}
        title={isDirty ? 'Save your changes first: what is saved is tested.' : undefined}
        onClick={test}
      >
        Test connection
      </Button>
      <p role="status" className="min-w-0 text-sm">
        {result && !isDirty ? <Result {...result} /> : null}
      </p>
    </div>
  );
}

function Result({ ok, message }: { ok: boolean; message: string }) {
  const icon = ok ? 'icon-circle-check' : 'icon-circle-alert';
  return (
    <span className={`flex items-start gap-1.5 break-words ${ok ? 'text-green-ink' : 'text-red-ink'}`}>
      <span aria-hidden="true" className={cn(icon, 'mt-0.5 size-4')} />
      {message}
    </span>
  );
}
