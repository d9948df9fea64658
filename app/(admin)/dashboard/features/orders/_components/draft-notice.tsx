import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';

type DraftNoticeProps = {
  /** The order changed after the draft was created. */
  isOlder: boolean;
  onRestore: () => void;
  onDiscard: () => void;
};

/** Offers to restore an unsaved draft. */
export function DraftNotice({ isOlder, onRestore, onDiscard }: DraftNoticeProps) {
  return (
    <Alert tone="info" title="You have unsaved changes to this order.">
      <p>
        {isOlder
          ? 'The order has changed since. Restoring brings back only the fields you edited.'
          : 'You left without saving. Restore your changes to continue editing.'}
      </p>
      <div className="mt-2.5 flex flex-wrap gap-2">
        <Button size="sm" onClick={onRestore}>
          Restore
        </Button>
        <Button size="sm" variant="ghost" onClick={onDiscard}>
          Discard
        </Button>
      </div>
    </Alert>
  );
}
