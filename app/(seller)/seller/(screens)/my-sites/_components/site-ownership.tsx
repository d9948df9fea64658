import Link from 'next/link';
import { describeProof, formatProofDay } from '@/components/sites/ownership-state';
import { Icon, type IconName } from '@/components/ui/icon';
import type { ListedOwnership } from '@/lib/sites/ownership/list-proofs';

type OwnershipProps = { site: { name: string; known: ListedOwnership | undefined }; href: string };

/** Shows whether the seller proved the domain of a site, as the link to the proof. */
export function Ownership({ site: { name, known }, href }: OwnershipProps) {
  if (!known) return null;
  const { text, title, tone, icon } = describeOwnership(known);
  return (
    <Link
      prefetch={false}
      href={href}
      scroll={false}
      aria-label={[text, title, name].filter(Boolean).join(': ')}
      title={title}
      className={`mt-0.5 flex w-fit items-center gap-1 rounded-sm text-xs hover:underline min-[110rem]:max-w-none md:max-w-36 ${tone}`}
    >
      {icon ? <Icon name={icon} className="size-3.5" /> : null}
      <span className="min-w-0 truncate">{text}</span>
    </Link>
  );
}

type OwnershipTexts = { text: string; title?: string; tone: string; icon?: IconName };

function describeOwnership({ ownership, proof }: ListedOwnership): OwnershipTexts {
  const until = proof?.countsUntil;
  if (until) {
    const text = `Fix by ${formatProofDay(until)}`;
    return { text, title: 'Your proof was not found', tone: 'text-yellow-ink', icon: 'triangle-alert' };
  }
  if (proof?.verifiedAt)
    return { text: 'Verified owner', title: describeProof(proof), tone: 'text-green-ink', icon: 'badge-check' };
  if (ownership === 'contributor')
    return { text: 'Contributor', title: 'Another seller proved this domain', tone: 'text-yellow-ink' };
  return { text: 'Prove your site', tone: 'text-accent-ink' };
}
