import type { ReactNode } from 'react';
import { Link } from '../ui/link';

/** A link in the small print of the sign-in and account screens. */
export function AuthLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Link href={href} className="rounded-sm text-accent-ink underline">
      {children}
    </Link>
  );
}
