import type { ReactNode } from 'react';

type LinkOpenerProps = {
  /** The page that does the same, for who opens it in a new tab or has no script (yet). */
  href?: string;
  onOpen: () => void;
  children: ReactNode;
};

const look = 'rounded-sm text-accent-ink underline';

/** Looks like a link and opens a dialog. */
export function LinkOpener({ href, onOpen, children }: LinkOpenerProps) {
  if (!href) {
    return (
      <button type="button" aria-haspopup="dialog" onClick={onOpen} className={look}>
        {children}
      </button>
    );
  }
  return (
    <a
      href={href}
      aria-haspopup="dialog"
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return;
        event.preventDefault();
        onOpen();
      }}
      className={look}
    >
      {children}
    </a>
  );
}
