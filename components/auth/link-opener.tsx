import type { ReactNode } from 'react';

type LinkOpenerProps = {
  /** The page with the same form, for a new tab and for browsers without JavaScript. */
  href?: string;
  onOpen: () => void;
  children: ReactNode;
};

const look = 'rounded-sm text-accent-ink underline';

/** A link that opens a dialog. */
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
