'use client';

import { type ReactNode, useSyncExternalStore } from 'react';
import { CopyButton } from '@/components/ui/copy-button';

/** Renders a text to copy: a command, a file or a response. @param label the accessible name */
export function CodeBlock({ label, text }: { label: string; text: string }) {
  return (
    <div className="relative min-w-0">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must reach what scrolls. */}
      <section aria-label={label} tabIndex={0} className="overflow-x-auto rounded-md border border-line bg-sunken">
        <pre className="w-max min-w-full p-3 pr-14 font-mono text-ink text-xs leading-5">{text}</pre>
      </section>
      <span className="absolute top-1.5 right-1.5">
        <CopyButton text={text} label={`Copy ${label}`} />
      </span>
    </div>
  );
}

type LanguageTabsProps = { title: string; panels: { language: string; panel: ReactNode }[] };

/** The chosen language of all examples on the page; undefined until the reader chooses one. */
let chosen: string | undefined;
const listeners = new Set<() => void>();

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function choose(language: string) {
  chosen = language;
  for (const listener of listeners) listener();
}

/** Renders one example in several languages. A choice applies to every example of the page. */
export function LanguageTabs({ title, panels }: LanguageTabsProps) {
  const language = useSyncExternalStore(
    subscribe,
    () => chosen,
    () => undefined,
  );
  const current = panels.find((one) => one.language === language) ?? panels[0];
  return (
    <div className="grid min-w-0 gap-2">
      <fieldset className="flex flex-wrap items-center gap-1">
        <legend className="sr-only">Language of the example: {title}</legend>
        <span className="mr-2 font-medium text-ink">{title}</span>
        {panels.map((one) => (
          <button
            key={one.language}
            type="button"
            aria-pressed={one === current}
            onClick={() => choose(one.language)}
            className="rounded-md px-2 py-0.5 text-muted text-xs hover:bg-sunken hover:text-ink aria-pressed:bg-accent-soft aria-pressed:text-accent-ink"
          >
            {one.language}
          </button>
        ))}
      </fieldset>
      {current?.panel}
    </div>
  );
}
