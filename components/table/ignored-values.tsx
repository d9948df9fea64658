import { Alert } from '@/components/ui/alert';

/** Names the values of the address that are not valid and were left out. */
export function IgnoredValues({ names }: { names: readonly string[] }) {
  if (names.length === 0) return null;
  return (
    <Alert tone="error" className="mb-4">
      {names.length === 1 ? 'This value was' : 'These values were'} ignored: {names.join(', ')}.
    </Alert>
  );
}
