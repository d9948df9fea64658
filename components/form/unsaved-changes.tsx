import { type ReactNode, useEffect } from 'react';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';

/** Warns before a reload, a navigation to another site or a closed tab discards unsaved changes. */
export function useLeaveWarning(isUnsaved: boolean): void {
  useEffect(() => {
    if (!isUnsaved) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [isUnsaved]);
}

type FieldChange = { label: string; was: string; now: string };

type Choices = { onKeepMine: () => void; onUseTheirs: () => void };

/** Reports that the record was changed during the edit, and lets the user choose the values to continue with. */
export function StaleAlert(props: Choices & { title: string; children: ReactNode }) {
  const { title, onKeepMine, onUseTheirs, children } = props;
  return (
    <Alert tone="warning" title={title}>
      {children}
      <div className="mt-3 flex flex-wrap gap-2">
        <Button size="sm" onClick={onKeepMine}>
          Keep mine
        </Button>
        <Button size="sm" onClick={onUseTheirs}>
          Use theirs
        </Button>
      </div>
    </Alert>
  );
}

/** Renders the StaleAlert of an EntityDialog: the changed fields. */
export function StaleChanges(props: Choices & { title?: string | undefined; changes: readonly FieldChange[] }) {
  const { title = 'Another user changed this record', changes, ...choices } = props;
  return (
    <StaleAlert title={title} {...choices}>
      <p>Nothing was saved, and your edits are kept. Fields you didn’t edit have the new values.</p>
      <ChangeList changes={changes} />
    </StaleAlert>
  );
}

/** Renders the changes to a record that a form outside a dialog edits. Saving overwrites them. */
export function TheirChanges({ changes }: { changes: readonly FieldChange[] }) {
  if (changes.length === 0) return null;
  return (
    <Alert tone="warning" title="Another user changed this">
      <p>Your edits are still here. Saving overwrites the other user’s changes.</p>
      <ChangeList changes={changes} />
    </Alert>
  );
}

/** Lists the fields whose texts differ between the record at the start of the edit and the stored record. */
export function changesBetween(
  labels: Readonly<Record<string, string>>,
  was: (field: string) => string,
  now: (field: string) => string,
): FieldChange[] {
  return Object.entries(labels)
    .map(([field, label]) => ({ label, was: was(field), now: now(field) }))
    .filter((change) => change.was !== change.now);
}

function ChangeList({ changes }: { changes: readonly FieldChange[] }) {
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
