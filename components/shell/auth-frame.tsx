import Link from 'next/link';
import type { ReactNode } from 'react';
import { Brand } from './brand';
import { ThemeToggle } from './theme-toggle';

type AuthFrameProps = {
  title: ReactNode;
  /** Under the title, e.g. "Admins only". */
  subtitle?: ReactNode;
  /** The form. */
  children: ReactNode;
  /** Under the form: where else to go. */
  footer?: ReactNode;
  /** The right half from 1024 px on; without it the form stands in the middle. */
  panel?: ReactNode;
  demoBanner?: ReactNode;
};

/** The frame of sign-in, registration and password screens: the form at the left, the house's word at the right. */
export function AuthFrame({ title, subtitle, children, footer, panel, demoBanner }: AuthFrameProps) {
  return (
    <div className="flex min-h-dvh flex-col">
      {demoBanner}
      <div className={panel ? 'grid flex-1 lg:grid-cols-2' : 'grid flex-1'}>
        <div className="flex flex-col bg-surface px-6 py-5 sm:px-10">
          <header className="flex items-center justify-between">
            <Link href="/user/login" prefetch={false} className="rounded-md">
              <Brand />
            </Link>
            <ThemeToggle />
          </header>
          <main className="mx-auto flex w-full max-w-sm flex-1 flex-col justify-center py-12">
            <h1 className="text-2xl text-ink">{title}</h1>
            {subtitle ? <p className="mt-1.5 text-muted">{subtitle}</p> : null}
            <div className="mt-8">{children}</div>
            {footer ? <div className="mt-8 text-muted text-sm">{footer}</div> : null}
          </main>
        </div>
        {panel ? (
          <aside
            aria-label="About LinkMarket"
            className="relative hidden overflow-hidden border-line border-l bg-canvas lg:flex lg:flex-col lg:justify-center"
          >
            <PanelPattern />
            <div className="relative mx-auto w-full max-w-lg px-12 py-16">{panel}</div>
          </aside>
        ) : null}
      </div>
    </div>
  );
}

/** A fine grid that fades towards the text, and a breath of the accent. */
function PanelPattern() {
  return (
    <div aria-hidden="true" className="absolute inset-0">
      <div className="absolute inset-0 bg-[linear-gradient(to_right,var(--line)_1px,transparent_1px),linear-gradient(to_bottom,var(--line)_1px,transparent_1px)] bg-size-[32px_32px] [mask-image:radial-gradient(ellipse_at_80%_10%,black,transparent_70%)]" />
      <div className="absolute inset-0 bg-[radial-gradient(ellipse_at_85%_0%,var(--accent-soft),transparent_60%)]" />
    </div>
  );
}
