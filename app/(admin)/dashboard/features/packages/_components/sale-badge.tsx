import { Badge } from '@/components/ui/badge';

export function SaleBadge({ isOnSale }: { isOnSale: boolean }) {
  return <Badge tone={isOnSale ? 'green' : 'grey'}>{isOnSale ? 'On sale' : 'Not on sale'}</Badge>;
}
