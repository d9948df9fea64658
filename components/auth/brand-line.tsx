import { ChartNoAxesCombined, CreditCard, Globe, type LucideIcon, Timer } from 'lucide-react';

const lines: { text: string; icon: LucideIcon }[] = [
  { text: 'DA/DR, traffic and keyword metrics', icon: ChartNoAxesCombined },
  { text: 'Payments by Stripe, PayPal and WeChat Pay', icon: CreditCard },
  { text: 'Users in 20+ countries', icon: Globe },
  { text: 'Projects created in under 60 seconds', icon: Timer },
];

/** What the BrandPanel says, in few words, for screens without room for it. */
export function BrandLine() {
  return (
    <ul className="grid gap-2.5 border-line border-t pt-6 lg:hidden">
      {lines.map(({ text, icon: Icon }) => (
        <li key={text} className="flex items-center gap-2.5">
          <Icon className="size-4 text-subtle" />
          {text}
        </li>
      ))}
    </ul>
  );
}
