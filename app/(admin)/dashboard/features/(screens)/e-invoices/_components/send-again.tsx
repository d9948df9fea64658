'use client';

import { toast } from 'sonner';
import { useOperation } from '@/components/form/use-operation';
import { Button } from '@/components/ui/button';
import { callAction } from '@/lib/browser/api-client';
import { sendDeliveryAgainAction } from '@/lib/invoices/delivery/actions';

/** Renders the button that sends a document again. @param document its number, for the accessible name */
export function SendAgain({ id, document }: { id: string; document: string }) {
  const { pending, run } = useOperation({
    fallback: () => 'The document couldn’t be sent. Please try again.',
    onError: (message) => toast.error(message),
  });
  return (
    <Button
      size="sm"
      pending={pending}
      aria-label={`Send ${document} again`}
      onClick={() =>
        run(async () => {
          await callAction(() => sendDeliveryAgainAction({ id }));
          toast.success(`${document} is sent again within a minute.`);
        })
      }
    >
      Send again
    </Button>
  );
}
