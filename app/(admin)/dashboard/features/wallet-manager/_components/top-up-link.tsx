import { buttonClass } from '@/components/ui/button-class';
import { Link } from '@/components/ui/link';

/** Opens the Manual Top-Up dialog for somebody. */
export function TopUpLink({ user, href }: { user: { name: string; email: string }; href: string }) {
  return (
    <Link
      href={href}
      scroll={false}
      aria-label={`Top-Up ${user.name || user.email}`}
      className={buttonClass({ size: 'sm' })}
    >
      Top-Up
    </Link>
  );
}
