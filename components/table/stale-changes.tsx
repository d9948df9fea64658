import { Alert } from '../ui/alert';
import { Button } from '../ui/button';

export type FieldChange = { label: string; was: string; now: string };

type StaleChangesProps = { changes: readonly FieldChange[]; onKeepMine: () => void; onUseTheirs: () => void };

/** Somebody else changed the record while it was edited: shows what, and lets the person choose. */
export function StaleChanges({ changes, onKeepMine, onUseTheirs }: StaleChangesProps) {
  return (
    <Alert tone="warning" title="What somebody else changed in the meantime">
      <p>Nothing was saved, and nothing you typed is lost. Where you typed nothing, theirs stays.</p>
      <ChangeList changes={changes} />
      <div className="mt-3 flex flex-wrap gap-2">
        <Button size="sm" onClick={onKeepMine}>
          Keep mine to save
        </Button>
        <Button size="sm" onClick={onUseTheirs}>
          Use theirs
        </Button>
      </div>
    </Alert>
  );
}

/** Field by field, what it was and what it is now. */
export function ChangeList({ changes }: { changes: readonly FieldChange[] }) {
  return (
    <dl className="mt-2 grid gap-1">
      {changes.map(({ label, was, now }) => (
        <div key={label}>
          <dt className="inline font-medium">{label}: </dt>
          <dd className="wrap-anywhere inline">
            {was || 'empty'} → {now || 'empty'}
          </dd>
        </div>
      ))}
    </dl>
  );
}
