'use client';

import { type ComponentType, useState } from 'react';

type Load<Props> = () => Promise<ComponentType<Props>>;

/** Whether a script of the page could not be loaded: no connection, or a deployment removed it. */
export function isLostChunk(error: unknown): boolean {
  return error instanceof Error && error.name === 'ChunkLoadError';
}

/**
 * The loader of a `dynamic` component. If its script cannot be loaded, the page stays, and a message offers to load the
 * script again.
 */
export function retryChunk<Props extends object>(load: Load<Props>): Load<Props> {
  return () =>
    load().catch((error: unknown) => {
      if (!isLostChunk(error)) throw error;
      console.error(error);
      return (props: Props) => <LostChunk load={load} props={props} />;
    });
}

function LostChunk<Props extends object>({ load, props }: { load: Load<Props>; props: Props }) {
  const [loaded, setLoaded] = useState<{ Part: ComponentType<Props> } | null>(null);
  if (loaded) return <loaded.Part {...props} />;
  const retry = () => load().then((Part) => setLoaded({ Part }), console.error);
  return (
    <div
      role="alert"
      className="fixed inset-x-3 bottom-3 z-50 mx-auto flex max-w-md items-center gap-2.5 rounded-md border border-red-line bg-red-soft px-3 py-2.5 text-red-ink text-sm shadow-overlay"
    >
      <p className="min-w-0 flex-1">This part of the page could not be loaded.</p>
      <button type="button" className="btn btn-sm shrink-0" onClick={retry}>
        Try again
      </button>
    </div>
  );
}
