import { RecordDialog } from '@/components/table/record-dialog';
import { Alert } from '@/components/ui/alert';
import { DialogBody } from '@/components/ui/dialog';

/** The address names an order that is not this buyer's, or not any more. */
export function NoSuchOrder({ closeHref }: { closeHref: string }) {
  return (
    <RecordDialog title="Order not found" closeHref={closeHref} size="sm">
      <DialogBody>
        <Alert tone="warning">This order does not exist or is no longer in your list.</Alert>
      </DialogBody>
    </RecordDialog>
  );
}
