import { Badge } from '@/components/ui/badge';
import type { Tone } from '@/components/ui/tone';
import type { Method } from '@/lib/platform/openapi/document';

const tones: Record<Method, Tone> = { GET: 'blue', POST: 'green', PUT: 'yellow', PATCH: 'yellow', DELETE: 'red' };

export function MethodBadge({ method }: { method: Method }) {
  return (
    <Badge tone={tones[method]} className="w-16 justify-center font-mono">
      {method}
    </Badge>
  );
}
