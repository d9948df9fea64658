import Link from 'next/link';
import type { ReactNode } from 'react';

/** A link in the small print of the sign-in and account screens. */
export function AuthLink({ href, onClick, children }: { href: string; onClick?: () => void; children: ReactNode }) {
  return (
    <Link prefetch={false} href={href} onClick={onClick} className="rounded-sm text-accent-ink underline">
      {children}
    </Link>
  );
}
