'use client';

import { usePathname, useRouter } from 'next/navigation';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { cn } from '@/components/ui/cn';
import { Dialog } from '@/components/ui/dialog';
import { Icon } from '@/components/ui/icon';
import { Spinner } from '@/components/ui/progress';
import { portals } from '@/lib/auth/portals';
import { ApiError, readAction } from '@/lib/browser/api-client';
import { pageAccount } from '@/lib/browser/page-account';
import type { PaletteHit } from '@/lib/search/palette';
import { searchBuyerRecordsAction, searchPaletteAction, searchSellerRecordsAction } from '@/lib/search/palette-action';
import type { ShellUser } from './nav';
import {
  type PaletteOption,
  type PalettePortal,
  type PaletteSection,
  paletteSections,
  parsePaletteText,
} from './palette-options';
import { chooseTheme } from './theme';
import { useLogout } from './use-logout';

type PaletteProps = {
  portal: PalettePortal;
  user: ShellUser;
  /** The hrefs of turned-off features. */
  closed: readonly string[];
  open: boolean;
  onOpenChange: (open: boolean) => void;
};

/** The search for records, and what it finds, in words. */
const searches = {
  admin: { search: searchPaletteAction, records: 'Users, orders and sites' },
  user: {
    search: (input: { q: string }) => searchBuyerRecordsAction(input, pageAccount()),
    records: 'Orders and projects',
  },
  seller: { search: searchSellerRecordsAction, records: 'Orders and sites' },
};

/**
 * Renders the command palette, which finds screens, actions and records of a portal. It is a combobox: the arrow keys
 * move through the list while the input keeps the focus.
 */
export function Palette({ portal, user, closed, open, onOpenChange }: PaletteProps) {
  const router = useRouter();
  const pathname = usePathname();
  const { logout } = useLogout(`/api/${portal}/auth/logout`, portals[portal].signIn);
  const { records } = searches[portal];
  const content = `screens, ${records.toLowerCase()}`;
  const input = useRef<HTMLInputElement>(null);
  const listId = useId();
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const { hits, isPending, failed } = usePaletteSearch(portal, text, !closed.includes('/user/orders'));
  const isDark = open && document.documentElement.dataset.theme === 'dark';
  const sections = paletteSections({ portal, user, closed, isDark }, text, hits);
  const options = sections.flatMap((section) => section.options);
  const active = options[Math.min(at, options.length - 1)];

  const close = () => {
    onOpenChange(false);
    setText('');
    setAt(0);
  };
  const go = ({ href, command }: PaletteOption) => {
    close();
    if (href !== undefined) router.push(href);
    else if (command === 'theme') chooseTheme(pathname, isDark ? 'light' : 'dark');
    else void logout();
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
          {isPending ? <Spinner className="size-4" /> : <Icon name="search" />}
        </span>
        <input
          ref={input}
          type="text"
          role="combobox"
          aria-label={`Search ${content}`}
          aria-expanded={options.length > 0}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={active ? `${listId}-${active.id}` : undefined}
          placeholder={`Search ${content}…`}
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
          ? `${records} couldn’t be searched. Type again to retry.`
          : isPending
            ? 'Searching'
            : options.length === 0
              ? 'No results found.'
              : `${options.length} found`}
      </p>
    </Dialog>
  );
}

type PaletteListProps = {
  id: string;
  sections: PaletteSection[];
  activeId: string | undefined;
  onPick: (option: PaletteOption) => void;
  onPoint: (option: PaletteOption) => void;
};

/** Renders the palette's options. The focus stays in the input; the active option is marked and scrolled into view. */
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

/**
 * Returns the server's results for a text. Debounces the request and discards late responses.
 * @param maySearch whether the user may view the portal's records
 */
function usePaletteSearch(portal: PalettePortal, text: string, maySearch: boolean) {
  const { q } = parsePaletteText(text);
  const isSearching = maySearch && q.length >= minLetters;
  const [found, setFound] = useState<Found>({ for: '', hits: [], failed: false });

  useEffect(() => {
    if (!isSearching) return;
    let isLate = false;
    const timer = setTimeout(async () => {
      const response = await readAction(searches[portal].search({ q })).catch((cause: unknown) => {
        if (cause instanceof ApiError) return null;
        throw cause;
      });
      if (!isLate) setFound({ for: q, hits: response ?? [], failed: response === null });
    }, quietMs);
    return () => {
      isLate = true;
      clearTimeout(timer);
    };
  }, [portal, q, isSearching]);

  // The results of the previous text stay visible while the next ones load.
  return {
    hits: isSearching ? found.hits : [],
    isPending: isSearching && found.for !== q,
    failed: isSearching && found.for === q && found.failed,
  };
}
