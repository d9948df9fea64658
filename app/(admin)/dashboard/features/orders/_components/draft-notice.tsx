import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';

type DraftNoticeProps = {
  /** The order was changed after the draft was begun. */
  isOlder: boolean;
  onRestore: () => void;
  onDiscard: () => void;
};

/** Offers what was typed before and not saved. */
export function DraftNotice({ isOlder, onRestore, onDiscard }: DraftNoticeProps) {
  return (
    <Alert tone="info" title="You have unsaved changes to this order.">
      <p>
        {isOlder
          ? 'The order was changed since; restoring puts only the fields you typed in back into the form.'
          : 'They were left without saving. Restoring puts them back into the form.'}
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
