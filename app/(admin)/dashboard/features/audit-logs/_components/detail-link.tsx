import { buttonClass } from '@/components/ui/button-class';
import { Link } from '@/components/ui/link';

/** Opens an entry's dialog. */
export function DetailLink({ id, href }: { id: number; href: string }) {
  return (
    <Link href={href} scroll={false} aria-label={`Details of entry ${id}`} className={buttonClass({ size: 'sm' })}>
      Details
    </Link>
  );
}
