'use client';

import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { cn } from '@/components/ui/cn';
import { callAction } from '@/lib/http/call-action';
import { ApiError } from '@/lib/http/client';
import type { IntegrationName } from '@/lib/integrations/names';
import { testIntegrationAction } from '../actions';

/** Asks the service, and says under the button what came of it. */
export function TestIntegration({ name, label }: { name: IntegrationName; label: string }) {
  const [pending, setPending] = useState(false);
  const [result, setResult] = useState<{ ok: boolean; message: string } | null>(null);

  const test = async () => {
    setPending(true);
    setResult(null);
    try {
      setResult(await callAction(testIntegrationAction({ name })));
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      setResult({ ok: false, message: cause.message || 'Our own server did not answer. Please try again.' });
    } finally {
      setPending(false);
    }
  };

  const icon = result?.ok ? 'icon-circle-check' : 'icon-circle-alert';
  return (
    <>
      <p role="status" className="order-last basis-full text-sm empty:hidden">
        {result ? (
          <span className={`wrap-anywhere flex items-start gap-1.5 ${result.ok ? 'text-green-ink' : 'text-red-ink'}`}>
            <span aria-hidden="true" className={cn(icon, 'mt-0.5 size-4')} />
            {result.message}
          </span>
        ) : null}
      </p>
      <Button size="sm" pending={pending} aria-label={name === 'resend' ? undefined : `Test ${label}`} onClick={test}>
        {name === 'resend' ? 'Send me a test e-mail' : 'Test'}
      </Button>
    </>
  );
}
