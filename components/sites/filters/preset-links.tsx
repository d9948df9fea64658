import { Check } from 'lucide-react';
import type { ParamChanges } from '@/components/table/url';
import { FilterLink } from './active-filters';
import { presets } from './filter-params';
import type { ReadParam } from './list-active-filters';

type PresetLinksProps = { read: ReadParam; hrefWith: (changes: ParamChanges) => string };

/** Combinations of filters, each a link that adds it, or removes it while it is active. */
export function PresetLinks({ read, hrefWith }: PresetLinksProps) {
  return (
    <ul aria-label="Presets" className="flex gap-1.5 overflow-x-auto">
      {presets.map(({ label, params, title }) => {
        const isActive = Object.entries(params).every(([name, value]) => read(name)[0] === value);
        const removed = Object.fromEntries(Object.keys(params).map((name) => [name, null]));
        return (
          <li key={label} className="shrink-0">
            <FilterLink
              hrefWith={hrefWith}
              changes={isActive ? removed : params}
              aria-current={isActive || undefined}
              data-tooltip={title}
              className="chip aria-[current=true]:border-accent-line aria-[current=true]:bg-accent-soft aria-[current=true]:text-accent-ink"
            >
              {isActive ? <Check aria-hidden="true" className="size-3.5 shrink-0" /> : null}
              {label}
            </FilterLink>
          </li>
        );
      })}
    </ul>
  );
}
