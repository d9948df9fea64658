import Link from 'next/link';
import { buttonClass } from '@/components/ui/button-class';

/** Opens an order's dialog. */
export function EditLink({ id, href }: { id: number; href: string }) {
  return (
    <Link
      href={href}
      scroll={false}
      prefetch={false}
      aria-label={`View / Edit order #${id}`}
      className={buttonClass({ size: 'sm' })}
    >
      View / Edit
    </Link>
  );
}
