import { ChartNoAxesCombined, CreditCard, Globe, type LucideIcon, Timer } from 'lucide-react';

const lines: { text: string; Icon: LucideIcon }[] = [
  { text: 'DA/DR, traffic and keyword metrics', Icon: ChartNoAxesCombined },
  { text: 'Payments by Stripe, PayPal and WeChat Pay', Icon: CreditCard },
  { text: 'Users in 20+ countries', Icon: Globe },
  { text: 'Projects created in under 60 seconds', Icon: Timer },
];

/** What the BrandPanel says, in few words, for screens without room for it. */
export function BrandLine() {
  return (
    <ul className="grid gap-2.5 border-line border-t pt-6 lg:hidden">
      {lines.map(({ text, Icon }) => (
        <li key={text} className="flex items-center gap-2.5">
          <Icon aria-hidden="true" className="size-4 shrink-0 text-subtle" />
          {text}
        </li>
      ))}
    </ul>
  );
}
