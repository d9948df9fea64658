import { TriangleAlert } from 'lucide-react';
import { Badge } from '@/components/ui/badge';

/** Marks words of buyer or seller that seem to contain contact data, for staff. */
export const ContactDataBadge = () => (
  <Badge tone="yellow">
    <TriangleAlert className="size-3" />
    Contact data
  </Badge>
);
