'use client';

import { type ReactNode, useSyncExternalStore } from 'react';

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

/** One example in several languages. A choice applies to every example of the page. */
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
