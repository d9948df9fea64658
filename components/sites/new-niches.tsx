import { Alert } from '@/components/ui/alert';

/** The niches of a file that are not in the list. Nothing if there are none. */
export function NewNiches({ names = [] }: { names?: readonly string[] | undefined }) {
  if (names.length === 0) return null;
  return (
    <Alert title={names.length === 1 ? 'New niche' : 'New niches'}>
      {names.join(', ')}. Buyers can filter by {names.length === 1 ? 'it' : 'them'} after our review.
    </Alert>
  );
}
