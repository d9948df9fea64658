import { ButtonLink } from '@/components/ui/button-link';

export function EditPersonLink({ name, href }: { name: string; href: string }) {
  return (
    <ButtonLink href={href} scroll={false} size="sm" aria-label={`Edit ${name}`}>
      Edit
    </ButtonLink>
  );
}
