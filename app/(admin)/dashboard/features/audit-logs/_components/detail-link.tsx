import Link from 'next/link';
import { buttonClass } from '@/components/ui/button-class';

/** Opens an entry's dialog. */
export function DetailLink({ id, href }: { id: number; href: string }) {
  return (
    <Link
      prefetch={false}
      href={href}
      scroll={false}
      aria-label={`Details of entry ${id}`}
      className={buttonClass({ size: 'sm' })}
    >
      Details
    </Link>
  );
}
