import { cn } from '../ui/cn';

const lines: { text: string; icon: string }[] = [
  { text: 'DA/DR, traffic and keyword metrics', icon: 'icon-chart' },
  { text: 'Payments by Stripe, PayPal and WeChat Pay', icon: 'icon-credit-card' },
  { text: 'Users in 20+ countries', icon: 'icon-globe' },
  { text: 'Projects created in under 60 seconds', icon: 'icon-timer' },
];

/** What the BrandPanel says, in few words, for screens without room for it. */
export function BrandLine() {
  return (
    <ul className="grid gap-2.5 border-line border-t pt-6 lg:hidden">
      {lines.map(({ text, icon }) => (
        <li key={text} className="flex items-center gap-2.5">
          <span aria-hidden="true" className={cn(icon, 'size-4 text-subtle')} />
          {text}
        </li>
      ))}
    </ul>
  );
}
