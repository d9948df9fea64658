'use client';

import { type ComponentType, useCallback, useEffect, useRef, useState } from 'react';

type Load<Props> = () => Promise<ComponentType<Props>>;

/** Checks whether a script of the page could not be loaded: no connection, or a deployment removed it. */
export function isLostChunk(error: unknown): boolean {
  return error instanceof Error && error.name === 'ChunkLoadError';
}

/**
 * Returns the loader of a `dynamic` component. If its script cannot be loaded, the page stays. The script is loaded
 * again when the connection is back, when the component's props change, every few seconds, and by a button.
 */
export function retryChunk<Props extends object>(load: Load<Props>): Load<Props> {
  return () =>
    load().catch((error: unknown) => {
      if (!isLostChunk(error)) throw error;
      console.error(error);
      return (props: Props) => <LostChunk load={load} props={props} />;
    });
}

/** A connection can be lost without the browser's `offline` event, e.g. in a network without internet access. */
const retryMs = 5_000;

function LostChunk<Props extends object>({ load, props }: { load: Load<Props>; props: Props }) {
  const [loaded, setLoaded] = useState<{ Part: ComponentType<Props> } | null>(null);
  const isLoading = useRef(false);
  const isDone = loaded !== null;
  const retry = useCallback(() => {
    if (isLoading.current) return;
    isLoading.current = true;
    load()
      .then((Part) => setLoaded({ Part }), console.error)
      .finally(() => {
        isLoading.current = false;
      });
  }, [load]);

  useEffect(() => {
    if (isDone) return;
    const timer = setInterval(retry, retryMs);
    window.addEventListener('online', retry);
    return () => {
      clearInterval(timer);
      window.removeEventListener('online', retry);
    };
  }, [isDone, retry]);

  // The user goes on, e.g. selects another site.
  const failedWith = useRef(props);
  useEffect(() => {
    if (isDone || failedWith.current === props) return;
    failedWith.current = props;
    retry();
  }, [isDone, props, retry]);

  if (loaded) return <loaded.Part {...props} />;
  return (
    <div
      role="alert"
      className="fixed inset-x-3 bottom-3 z-50 mx-auto flex max-w-md items-center gap-2.5 rounded-md border border-red-line bg-red-soft px-3 py-2.5 text-red-ink text-sm shadow-overlay"
    >
      <p className="min-w-0 flex-1">
        This part of the page could not be loaded. It appears when the connection is back.
      </p>
      <button type="button" className="btn btn-sm shrink-0" onClick={retry}>
        Try again
      </button>
    </div>
  );
}
