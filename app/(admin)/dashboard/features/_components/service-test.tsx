'use client';

import { useRouter } from 'next/navigation';
import { type ReactNode, useState } from 'react';
import { Button } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import type { PaymentProviderName, ProviderMode } from '@/db/schema/topups';
import { ApiError, callAction } from '@/lib/browser/api-client';
import { testIntegrationAction } from '@/lib/integrations/actions';
import type { IntegrationName } from '@/lib/integrations/test-integration';
import { testConnectionAction } from '@/lib/payments/actions';

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
  const icon = ok ? 'circle-check' : 'circle-alert';
  return (
    <span className={`wrap-anywhere flex items-start gap-1.5 ${ok ? 'text-green-ink' : 'text-red-ink'}`}>
      <Icon name={icon} className="mt-0.5" />
      {message}
    </span>
  );
}

/** Tests an integration and displays the result below the button. */
export function TestIntegration({ name, label }: { name: IntegrationName; label: string }) {
  const sendsMail = name === 'resend' || name === 'smtp';
  return (
    <TestButton
      ask={() => testIntegrationAction({ name })}
      text={sendsMail ? 'Send me a test email' : 'Test'}
      label={sendsMail ? undefined : `Test ${label}`}
    />
  );
}

type TestPaymentProps = { provider: PaymentProviderName; mode: ProviderMode; label: string };

/** Tests the saved credentials of a payment provider and displays the result below the button. */
export function TestPayment({ provider, mode, label }: TestPaymentProps) {
  return (
    <TestButton
      ask={() => testConnectionAction({ provider, mode })}
      text="Test connection"
      label={`Test connection to ${label}`}
    />
  );
}

type TestButtonProps = { ask: Parameters<typeof callAction<TestResult>>[0]; text: string; label: string | undefined };

function TestButton({ ask, text, label }: TestButtonProps) {
  const { pending, test, outcome } = useServiceTest(ask);
  return (
    <>
      <p role="status" className="order-last basis-full text-sm empty:hidden">
        {outcome}
      </p>
      <Button size="sm" pending={pending} aria-label={label} onClick={test}>
        {text}
      </Button>
    </>
  );
}
