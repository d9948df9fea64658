'use client';

import { type FailureProps, useFailureText } from '@/components/shell/portal-failure';
import { Button } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { isLostChunk } from '@/components/ui/retry-chunk';

/** Replaces a page and its layout after an error. The reference identifies the error in the server's log. */
export default function ErrorPage({ error, retry }: FailureProps) {
  const text = useFailureText(error, 'The page couldn’t be loaded. Your saved data is safe. Please try again.');
  return (
    <main>
      <div
        role="alert"
        className="mx-auto flex min-h-dvh max-w-md flex-col items-center justify-center gap-6 px-6 text-center"
      >
        <p className="site-name font-medium text-ink tracking-tight" />
        <Icon name="circle-alert" className="size-8 text-subtle" />
        <div>
          <h1 className="text-ink text-xl">Something went wrong</h1>
          <p className="mt-2 text-balance text-muted">{text}</p>
          {error.digest ? <p className="mt-2 text-subtle text-xs">Reference {error.digest}</p> : null}
        </div>
        <Button variant="primary" onClick={isLostChunk(error) ? () => window.location.reload() : retry}>
          Try again
        </Button>
      </div>
    </main>
  );
}
