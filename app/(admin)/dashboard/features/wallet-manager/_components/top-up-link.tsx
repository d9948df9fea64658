import Link from 'next/link';
import { buttonClass } from '@/components/ui/button-class';

/** Opens the Manual Top-Up dialog for somebody. */
export function TopUpLink({ user, href }: { user: { name: string; email: string }; href: string }) {
  return (
    <Link
      href={href}
      scroll={false}
      prefetch={false}
      aria-label={`Top-Up ${user.name || user.email}`}
      className={buttonClass({ size: 'sm' })}
    >
      Top-Up
    </Link>
  );
}
