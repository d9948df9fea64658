'use client';

import {
  Component,
  type ComponentType,
  createElement,
  type LazyExoticComponent,
  lazy,
  type ReactNode,
  Suspense,
  useState,
} from 'react';
import { cn } from './cn';
import { isLostChunk } from './is-lost-chunk';

type LazyPartOptions = {
  /** What stands there until it comes. */
  waiting?: ReactNode;
  /** A dialog has no place in the page: that it is lost stands at the bottom of the screen. */
  isDialog?: boolean;
};

/**
 * A part of a page whose code comes later than the page. Where it does not come, the page stays, and in the part's place
 * stands that it is missing, with a button that asks for it again.
 * @param load fetches the part's module, whose default export it is
 */
export function lazyPart<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  options: LazyPartOptions = {},
) {
  const source: Source<Props> = { load, latest: lazy(load) };
  return (props: Props) => <Part source={source} options={options} props={props} />;
}

/** `lazy` keeps a failure for good, so that whoever asks after one needs another. */
type Source<Props extends object> = {
  load: () => Promise<{ default: ComponentType<Props> }>;
  latest: LazyExoticComponent<ComponentType<Props>>;
};

type PartProps<Props extends object> = { source: Source<Props>; options: LazyPartOptions; props: Props };

function Part<Props extends object>({ source, options, props }: PartProps<Props>) {
  const [{ part, attempt }, setAsked] = useState({ part: source.latest, attempt: 1 });
  return (
    <LostChunkBoundary
      key={attempt}
      onLost={() => {
        if (source.latest === part) source.latest = lazy(source.load);
      }}
      onRetry={() => setAsked({ part: source.latest, attempt: attempt + 1 })}
      isDialog={options.isDialog ?? false}
    >
      <Suspense fallback={options.waiting}>{createElement(part, props)}</Suspense>
    </LostChunkBoundary>
  );
}

type LostChunkBoundaryProps = { onLost: () => void; onRetry: () => void; isDialog: boolean; children: ReactNode };

class LostChunkBoundary extends Component<LostChunkBoundaryProps, { caught: { error: unknown } | null }> {
  override state = { caught: null as { error: unknown } | null };

  static getDerivedStateFromError(error: unknown) {
    return { caught: { error } };
  }

  override componentDidCatch(error: unknown) {
    if (isLostChunk(error)) this.props.onLost();
  }

  override render() {
    const { caught } = this.state;
    if (!caught) return this.props.children;
    // Whatever else failed is the page's.
    if (!isLostChunk(caught.error)) throw caught.error;
    return (
      // Not the Alert: nearly every page loads this, and nearly none shows it.
      <div
        role="alert"
        className={cn(
          'flex items-center gap-2.5 rounded-md border border-red-line bg-red-soft px-3 py-2.5 text-red-ink text-sm',
          this.props.isDialog && 'fixed inset-x-3 bottom-3 z-50 mx-auto max-w-md shadow-overlay',
        )}
      >
        <p className="min-w-0 flex-1">This part of the page could not be loaded.</p>
        <button type="button" className="btn btn-sm shrink-0" onClick={this.props.onRetry}>
          Try again
        </button>
      </div>
    );
  }
}
