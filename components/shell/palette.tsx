'use client';

import { Search } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { ApiError } from '@/lib/browser/api-client';
import { readAction } from '@/lib/browser/call-action';
import type { PaletteHit } from '@/lib/search/palette';
import { searchPaletteAction } from '@/lib/search/palette-action';
import { cn } from '../ui/cn';
import { Dialog } from '../ui/dialog';
import { Spinner } from '../ui/spinner';
import { visibleGroups } from './admin-nav';
import type { ShellUser } from './types';

type PaletteProps = { user: ShellUser; open: boolean; onOpenChange: (open: boolean) => void };

const titles: Record<PaletteHit['kind'], string> = { user: 'Users', order: 'Orders', site: 'Sites' };

/** Screens that are in no menu group. */
const account: PaletteOption[] = [
  { id: 'profile', label: 'Profile settings', detail: 'Account', href: '/dashboard/profile' },
  { id: 'security', label: 'Security', detail: 'Account', href: '/dashboard/security' },
];

/**
 * The command palette finds screens, users, orders and sites. It is a combobox: the arrow keys move through the list
 * while the input keeps the focus.
 */
export function Palette({ user, open, onOpenChange }: PaletteProps) {
  const router = useRouter();
  const input = useRef<HTMLInputElement>(null);
  const listId = useId();
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const { hits, isPending, failed } = usePaletteSearch(text);
  const sections = sectionsOf(user, text, hits);
  const options = sections.flatMap((section) => section.options);
  const active = options[Math.min(at, options.length - 1)];

  const close = () => {
    onOpenChange(false);
    setText('');
    setAt(0);
  };
  const go = ({ href }: PaletteOption) => {
    close();
    router.push(href);
  };
  const onKey = (event: KeyboardEvent) => {
    const last = options.length - 1;
    const moves: Record<string, number> = {
      ArrowDown: at >= last ? 0 : at + 1,
      ArrowUp: at <= 0 ? last : Math.min(at, last) - 1,
      Home: 0,
      End: last,
    };
    const next = moves[event.key];
    if (event.nativeEvent.isComposing) return;
    if (next !== undefined && last >= 0) {
      event.preventDefault();
      setAt(next);
    } else if (event.key === 'Enter' && active) {
      event.preventDefault();
      go(active);
    }
  };

  return (
    <Dialog
      open={open}
      onOpenChange={(next) => (next ? onOpenChange(true) : close())}
      title="Go to"
      size="md"
      initialFocus={input}
    >
      <div className="relative border-line border-b">
        <span className="pointer-events-none absolute inset-y-0 left-5 flex items-center text-subtle">
          {isPending ? <Spinner className="size-4" /> : <Search className="size-4" />}
        </span>
        <input
          ref={input}
          type="text"
          role="combobox"
          aria-label="Search screens, users, orders and sites"
          aria-expanded={options.length > 0}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={active ? `${listId}-${active.id}` : undefined}
          placeholder="Screens, users, orders, sites…"
          autoComplete="off"
          spellCheck={false}
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setAt(0);
          }}
          onKeyDown={onKey}
          className="h-12 w-full bg-transparent pr-5 pl-12 text-base text-ink outline-none placeholder:text-subtle sm:text-sm"
        />
      </div>
      <PaletteList
        id={listId}
        sections={sections}
        activeId={active?.id}
        onPick={go}
        onPoint={(option) => setAt(options.indexOf(option))}
      />
      <p
        role="status"
        className={failed || (options.length === 0 && !isPending) ? 'px-5 py-6 text-muted text-sm' : 'sr-only'}
      >
        {failed
          ? 'Users, orders and sites couldn’t be searched. Type again to retry.'
          : isPending
            ? 'Searching'
            : options.length === 0
              ? 'No results found.'
              : `${options.length} found`}
      </p>
    </Dialog>
  );
}

function sectionsOf(user: ShellUser, text: string, hits: readonly PaletteHit[]): PaletteSection[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const screens = visibleGroups(user)
    .flatMap(({ title, links }) =>
      links.map(({ href, label }): PaletteOption => ({ id: href.replaceAll('/', '-'), label, detail: title, href })),
    )
    .concat(account)
    .filter(({ label, detail }) => words.every((word) => `${label} ${detail}`.toLowerCase().includes(word)));
  const found = (['user', 'order', 'site'] as const).map((kind) => ({
    title: titles[kind],
    options: hits.filter((hit) => hit.kind === kind).map(({ id, ...hit }) => ({ ...hit, id: `${kind}-${id}` })),
  }));
  return [{ title: 'Screens', options: screens }, ...found].filter(({ options }) => options.length > 0);
}

type PaletteOption = { id: string; label: string; detail: string; href: string };
type PaletteSection = { title: string; options: PaletteOption[] };

type PaletteListProps = {
  id: string;
  sections: PaletteSection[];
  activeId: string | undefined;
  onPick: (option: PaletteOption) => void;
  onPoint: (option: PaletteOption) => void;
};

/** The palette's options. The focus stays in the input; the active option is marked and scrolled into view. */
function PaletteList({ id, sections, activeId, onPick, onPoint }: PaletteListProps) {
  const list = useRef<HTMLDivElement>(null);

  useEffect(() => {
    if (activeId) list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [activeId]);

  return (
    <div
      ref={list}
      id={id}
      role="listbox"
      aria-label="Results"
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

/** The debounce delay of a search in milliseconds. */
const quietMs = 200;
/** The minimum length of a search; a single letter matches too many records. */
const minLetters = 2;

type Found = { for: string; hits: PaletteHit[]; failed: boolean };

/** The server's results for a text. Debounces the request and discards late responses. */
function usePaletteSearch(text: string) {
  const q = text.trim();
  const isSearching = q.length >= minLetters;
  const [found, setFound] = useState<Found>({ for: '', hits: [], failed: false });

  useEffect(() => {
    if (!isSearching) return;
    let isLate = false;
    const timer = setTimeout(async () => {
      const response = await readAction(searchPaletteAction({ q })).catch((cause: unknown) => {
        if (cause instanceof ApiError) return null;
        throw cause;
      });
      if (!isLate) setFound({ for: q, hits: response ?? [], failed: response === null });
    }, quietMs);
    return () => {
      isLate = true;
      clearTimeout(timer);
    };
  }, [q, isSearching]);

  // The results of the previous text stay visible while the next ones load.
  return {
    hits: isSearching ? found.hits : [],
    isPending: isSearching && found.for !== q,
    failed: isSearching && found.for === q && found.failed,
  };
}
