'use client';

import { useEffect, useRef } from 'react';
import { cn } from '../ui/cn';

export type PaletteOption = { id: string; label: string; detail: string; href: string };
export type PaletteSection = { title: string; options: PaletteOption[] };

type PaletteListProps = {
  id: string;
  sections: PaletteSection[];
  activeId: string | undefined;
  onPick: (option: PaletteOption) => void;
  onPoint: (option: PaletteOption) => void;
};

/** The palette's choices. The focus stays in the input; the active one is marked, and kept in sight. */
export function PaletteList({ id, sections, activeId, onPick, onPoint }: PaletteListProps) {
  const list = useRef<HTMLDivElement>(null);

  useEffect(() => {
    if (activeId) list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [activeId]);

  return (
    <div
      ref={list}
      id={id}
      role="listbox"
      aria-label="Found"
      tabIndex={-1}
      className={cn('max-h-[min(26rem,60dvh)] overflow-y-auto', sections.length > 0 && 'p-2')}
    >
      {sections.map(({ title, options }) => (
        <div key={title} role="presentation">
          <p aria-hidden="true" className="px-3 pt-2 pb-1 font-medium text-subtle text-xs">
            {title}
          </p>
          {options.map((option) => (
            <div
              key={option.id}
              id={`${id}-${option.id}`}
              role="option"
              tabIndex={-1}
              aria-selected={option.id === activeId}
              onPointerMove={() => onPoint(option)}
              onClick={() => onPick(option)}
              onKeyDown={(event) => {
                if (event.key === 'Enter') onPick(option);
              }}
              className={cn(
                'flex min-h-9 cursor-pointer items-center justify-between gap-3 rounded-md px-3 py-1.5 text-sm',
                option.id === activeId && 'bg-accent-soft',
              )}
            >
              <span className="min-w-0 truncate text-ink">
                <span className="sr-only">{title}: </span>
                {option.label}
              </span>
              <span className="min-w-0 max-w-[55%] truncate text-muted text-xs">{option.detail}</span>
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}
