import { StaleAlert } from './stale-alert';

export type FieldChange = { label: string; was: string; now: string };

type StaleChangesProps = { changes: readonly FieldChange[]; onKeepMine: () => void; onUseTheirs: () => void };

/** Somebody else changed the record while it was edited: shows what, and lets the person choose. */
export function StaleChanges({ changes, ...choices }: StaleChangesProps) {
  return (
    <StaleAlert title="What somebody else changed in the meantime" {...choices}>
      <p>Nothing was saved, and nothing you typed is lost. Where you typed nothing, theirs stays.</p>
      <ChangeList changes={changes} />
    </StaleAlert>
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
