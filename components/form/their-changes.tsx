import { Alert } from '../ui/alert';

export type TheirChange = { name: string; was: string; now: string };

/** The fields in which what is stored now differs from what an edit started from. */
export function changesBetween<Names extends string>(
  labels: Readonly<Record<Names, string>>,
  base: Readonly<Record<Names, string>>,
  now: Readonly<Record<Names, string>>,
): TheirChange[] {
  return typedKeys(labels)
    .filter((key) => base[key] !== now[key])
    .map((key) => ({ name: labels[key], was: base[key], now: now[key] }));
}

/** The compiler takes the keys of an object for any text; here they are the ones of its type. */
function typedKeys<Names extends string>(labels: Readonly<Record<Names, string>>): Names[] {
  return Object.keys(labels) as Names[];
}

/** Told above a form whose thing somebody else changed while it was edited; nothing typed is lost. */
export function TheirChanges({ changes }: { changes: readonly TheirChange[] }) {
  if (changes.length === 0) return null;
  return (
    <Alert tone="warning" title="Somebody else changed this in the meantime">
      <p>What you typed is still here. Saving puts it in place of theirs.</p>
      <dl className="mt-2 grid gap-1">
        {changes.map(({ name, was, now }) => (
          <div key={name}>
            <dt className="inline font-medium">{name}: </dt>
            <dd className="wrap-anywhere inline">
              {was || 'empty'} → {now || 'empty'}
            </dd>
          </div>
        ))}
      </dl>
    </Alert>
  );
}
