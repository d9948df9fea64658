import { Badge } from '@/components/ui/badge';

export function FeatureBadges({ features }: { features: readonly string[] }) {
  if (features.length === 0) return <span className="text-subtle">None</span>;
  return (
    <span className="flex flex-wrap gap-1">
      {features.map((feature) => (
        <Badge key={feature}>{feature}</Badge>
      ))}
    </span>
  );
}
