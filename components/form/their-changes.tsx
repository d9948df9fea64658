import { ChangeList, type FieldChange } from '../table/stale-changes';
import { Alert } from '../ui/alert';

/** The fields in which what is stored now differs from what an edit started from. */
export function changesBetween<Names extends string>(
  labels: Readonly<Record<Names, string>>,
  base: Readonly<Record<Names, string>>,
  now: Readonly<Record<Names, string>>,
): FieldChange[] {
  return typedKeys(labels)
    .filter((key) => base[key] !== now[key])
    .map((key) => ({ label: labels[key], was: base[key], now: now[key] }));
}

/** The compiler takes the keys of an object for any text; here they are the ones of its type. */
function typedKeys<Names extends string>(labels: Readonly<Record<Names, string>>): Names[] {
  return Object.keys(labels) as Names[];
}

/** Told above a form whose thing somebody else changed while it was edited; nothing typed is lost. */
export function TheirChanges({ changes }: { changes: readonly FieldChange[] }) {
  if (changes.length === 0) return null;
  return (
    <Alert tone="warning" title="Somebody else changed this in the meantime">
      <p>What you typed is still here. Saving puts it in place of theirs.</p>
      <ChangeList changes={changes} />
    </Alert>
  );
}
