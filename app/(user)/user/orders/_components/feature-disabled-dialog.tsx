import { RecordDialog } from '@/components/table/record-dialog';
import { Alert } from '@/components/ui/alert';
import { DialogBody } from '@/components/ui/dialog';

type PartOffDialogProps = { title: string; text: string; closeHref: string };

/** The dialog of a disabled feature. */
export function FeatureDisabledDialog({ title, text, closeHref }: PartOffDialogProps) {
  return (
    <RecordDialog title={title} closeHref={closeHref} size="sm">
      <DialogBody>
        <Alert>{text}</Alert>
      </DialogBody>
    </RecordDialog>
  );
}
