'use client';

import { CircleAlert, CircleCheck } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { type ReactNode, useState } from 'react';
import { Button } from '@/components/ui/button';
import { ApiError, callAction } from '@/lib/browser/api-client';
import { testIntegrationAction } from '@/lib/integrations/actions';
import type { IntegrationName } from '@/lib/integrations/test-integration';

type TestResult = { ok: boolean; message: string };

/**
 * Tests the connection to an external service through the server. `outcome` holds the result until the next test
 * starts.
 */
export function useServiceTest(ask: Parameters<typeof callAction<TestResult>>[0]) {
  const [pending, setPending] = useState(false);
  const router = useRouter();
  const [result, setResult] = useState<TestResult | null>(null);
  const test = async () => {
    setPending(true);
    setResult(null);
    try {
      setResult(await callAction(ask));
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      setResult({ ok: false, message: cause.message || 'The server didn’t respond. Please try again.' });
    } finally {
      setPending(false);
      // The screen shows the service's last answer.
      router.refresh();
    }
  };
  return { pending, test, outcome: result ? <Outcome {...result} /> : null };
}

function Outcome({ ok, message }: TestResult): ReactNode {
  const Icon = ok ? CircleCheck : CircleAlert;
  return (
    <span className={`wrap-anywhere flex items-start gap-1.5 ${ok ? 'text-green-ink' : 'text-red-ink'}`}>
      <Icon className="mt-0.5 size-4" />
      {message}
    </span>
  );
}

/** Tests an integration and displays the result below the button. */
export function TestIntegration({ name, label }: { name: IntegrationName; label: string }) {
  const { pending, test, outcome } = useServiceTest(() => testIntegrationAction({ name }));
  const sendsMail = name === 'resend' || name === 'smtp';
  return (
    <>
      <p role="status" className="order-last basis-full text-sm empty:hidden">
        {outcome}
      </p>
      <Button size="sm" pending={pending} aria-label={sendsMail ? undefined : `Test ${label}`} onClick={test}>
        {sendsMail ? 'Send me a test email' : 'Test'}
      </Button>
    </>
  );
}
