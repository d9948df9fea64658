'use client';

import { useServiceTest } from '@/app/(admin)/dashboard/features/_components/use-service-test';
import { testIntegrationAction } from '@/app/(admin)/dashboard/features/integrations/actions';
import { Button } from '@/components/ui/button';
import type { IntegrationName } from '@/lib/integrations/names';

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
