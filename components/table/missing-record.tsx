import { Alert } from '../ui/alert';
import { DialogBody } from '../ui/dialog';
import { RecordDialog } from './record-dialog';

/** The address names a record that is not there. */
export function MissingRecord({ noun, closeHref }: { noun: string; closeHref: string }) {
  return (
    <RecordDialog title={`No such ${noun}`} closeHref={closeHref} size="sm">
      <DialogBody>
        <Alert tone="warning">{`This ${noun} does not exist or was deleted.`}</Alert>
      </DialogBody>
    </RecordDialog>
  );
}
