'use client';

import { useEffect } from 'react';
import { Alert } from '../ui/alert';
import { Button } from '../ui/button';

type ListFailureProps = { error: unknown; retry: () => void; text: string };

/** A list that could not be loaded: the body of its error.tsx. */
export function ListFailure({ error, retry, text }: ListFailureProps) {
  useEffect(() => {
    console.error(error);
  }, [error]);
  return (
    <Alert
      tone="error"
      title={text}
      action={
        <Button size="sm" onClick={retry}>
          Try again
        </Button>
      }
    >
      Nothing you saved is lost.
    </Alert>
  );
}
