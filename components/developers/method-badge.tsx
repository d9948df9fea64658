import type { Method } from '@/lib/platform/openapi/document';
import { Badge } from '../ui/badge';
import type { Tone } from '../ui/tone';

const tones: Record<Method, Tone> = { GET: 'blue', POST: 'green', PUT: 'yellow', PATCH: 'yellow', DELETE: 'red' };

export function MethodBadge({ method }: { method: Method }) {
  return (
    <Badge tone={tones[method]} className="w-16 justify-center font-mono">
      {method}
    </Badge>
  );
}
